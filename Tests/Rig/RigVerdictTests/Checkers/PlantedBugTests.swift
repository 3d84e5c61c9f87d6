import RigModel
import Testing

@testable import RigVerdict

/// A bug for every checker: the evidence that such a broken worker would leave.
@Suite struct PlantedBugTests {
    struct Bug {
        let name: String
        let checkers: [Checker]
        let detail: String
        let scene: Scene

        init(_ name: String, _ checkers: [Checker], _ detail: String, _ scene: Scene) {
            (self.name, self.checkers, self.detail, self.scene) = (name, checkers, detail, scene)
        }
    }

    static let bugs: [Bug] =
        bytesBugs + tableBugs + relaunchBugs + playerBugs + sharingBugs
        + libraryBugs + blackBoxBugs + programBugs

    static let programBugs: [Bug] = [
        Bug(
            "a row that was said is gone", [.check], "row 3 is gone",
            Scene.program(
                CheckEvidence(before: nil, after: .violated("row 3 is gone"), lines: 3)))
    ]

    static let bytesBugs: [Bug] = [
        Bug(
            "threshold checked only after the next read", [.bound],
            "lost 540672 bytes, 16384 more than the bound of 524288, at 2621440..<3162112",
            Scene().with {
                $0.witnessed[1] = .running(
                    0, got: Scene.saved + Scene.chunk + 16_384, saved: Scene.saved)
            }),
        // The documents' save #91: by B5 it is no saved chunk, because its commit had not returned.
        Bug(
            "a save of 2.31 MB was announced right before the kill, and is gone", [.bound],
            "lost 2422210 bytes, 1897922 more than the bound of 524288, at 2621440..<5043650",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved + 2_422_210, saved: Scene.saved)
            }),
        Bug(
            "acknowledged before commit", [.durability],
            "300000 of 2921440 acknowledged bytes are gone, at 2621440..<2921440",
            Scene().with {
                $0.commits = 6
                $0.witnessed[1] = .running(0, got: Scene.reached, saved: Scene.saved + 300_000)
            }),
        Bug(
            "one byte flipped after the checksum", [.bound, .durability, .integrity],
            "1 of 5 chunks do not match their checksum, at 1048576..<1572864",
            Scene().withChunk(
                2,
                StoredChunk(
                    range: 2 * Scene.chunk..<3 * Scene.chunk, checksumMatches: false,
                    differingBytes: 1)
            ).with { $0.refetched.append(2 * Scene.chunk..<3 * Scene.chunk) }),
        Bug(
            "a chunk at an offset too far by one",
            [.bound, .durability, .integrity, .ranges, .resumption, .completion],
            "524000 stored bytes are unlike the video's, in 1 of 5 chunks",
            Scene().withChunk(
                4,
                StoredChunk(
                    range: 4 * Scene.chunk + 1..<5 * Scene.chunk + 1, checksumMatches: true,
                    differingBytes: 524_000)
            ).with { $0.differing = 524_000 }),
        Bug(
            "a chunk beyond the end of the video", [.integrity],
            "10 bytes are stored where the video has none, at 10485760..<10485770",
            Scene().with {
                $0.chunks.append(.sound(Scene.video..<Scene.video + 10))
                $0.claimed = $0.claimed.union(ByteRanges([Scene.video..<Scene.video + 10]))
            }),
        Bug(
            "a page that counts bytes before they arrive", [.ledger],
            "says it received 16384 bytes that the origin never served, at 2983616..<3000000",
            Scene().with {
                $0.served = [
                    ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached - 16_384)
                ]
            }),
        Bug(
            "disabled with bytes that no request asked for", [.ledger],
            "says it received 3000000 bytes that the origin never served,"
                + " at 0..<3000000", Scene.disabled.with { $0.served = [] }),
        Bug(
            "a damaged database", [.integrity],
            "the database's integrity check says: row 1 missing / row 2 missing, and more",
            Scene().with { $0.integrityCheck = "row 1 missing\nrow 2 missing; and more" }),
        Bug(
            "disabled that saves as it goes", [.nullControl],
            "524288 bytes of the running request survived although nothing is saved before"
                + " its end, at 0..<524288",
            Scene.disabled.with { $0.chunks = [.sound(0..<Scene.chunk)] }),
    ]

    static let tableBugs: [Bug] = [
        Bug(
            "a range claimed that no chunk holds", [.ranges],
            "1000 bytes are claimed and in no chunk, at 2621440..<2622440",
            Scene().with { $0.claimed = ByteRanges([0..<Scene.saved + 1_000]) }),
        Bug(
            "a chunk that no range claims", [.ranges],
            "1048576 bytes are in chunks and not claimed, at 0..<1048576",
            Scene().with { $0.claimed = ByteRanges([2 * Scene.chunk..<Scene.saved]) }),
        Bug(
            "commits greater than the threshold", [.commits],
            "3 commits for 2621440 acknowledged bytes: commits of at most 524288 bytes"
                + " imply at least 4", Scene().with { $0.commits = 3 }),
        Bug(
            "a commit per read", [.commits],
            "160 commits for 2621440 acknowledged bytes: commits of at least 487424 bytes"
                + " and 1 remainders imply at most 7", Scene().with { $0.commits = 160 }),
    ]

    static let relaunchBugs: [Bug] = [
        Bug(
            "resume that starts over", [.resumption],
            "2621440 bytes fetched again although recovered, at 0..<2621440",
            Scene().with { $0.refetched = [0..<Scene.video] }),
        Bug(
            "resume that leaves a hole", [.resumption],
            "100 bytes neither recovered nor asked for, at 2621440..<2621540",
            Scene().with { $0.refetched = [Scene.saved + 100..<Scene.video] }),
        Bug(
            "a worker that does not start again", [.completion, .exit],
            "the relaunched worker ended with exit code 74: cannot open, a / b",
            Scene().with {
                $0.resumptionDeath = .exited(74)
                $0.refetched = []
                $0.differing = nil
                $0.complaint = "cannot open; a\nb"
            }),
        Bug(
            "a worker that crashes when it starts again", [.completion, .crash],
            "the relaunched worker ended with signal 11",
            Scene().with {
                $0.resumptionDeath = .signaled(11)
                $0.differing = nil
            }),
        Bug(
            "a worker that crashes before its kill", [.crash],
            "signal 11, which was not the rig's, ended the worker before its kill",
            Scene().with { $0.end(.signaled(11)) }),
        Bug(
            "a process that goes on when its worker is killed", [.leftover],
            "sleep (process 7) and 1 more went on when the worker was killed: run it in the"
                + " foreground",
            Scene().with { $0.outlived = ["sleep (process 7)", "sleep (process 8)"] }),
        Bug(
            "a worker that hangs before its kill", [.hang], "the worker made no progress for 30 s",
            Scene().with {
                $0.killSent = false
                $0.givenUp = "made no progress for 30 s"
            }),
        Bug(
            "success although a file could not be written", [.falseSuccess],
            "call 7, write of 4096 bytes to data.tmp failed with ENOSPC, and the worker"
                + " ended with exit code 0, and there was no completed file",
            Scene.failing(.exited(0), work: LifeEnd.Work(differingBytes: nil))),
        Bug(
            "a worker that leaves no file", [.completion],
            "the relaunched worker ended well and left no completed file",
            Scene().with { $0.differing = nil }),
        Bug(
            "a completed file with a wrong byte", [.completion],
            "1 byte of the completed file are unlike the video's", Scene().with { $0.differing = 1 }
        ),
        Bug(
            "a completed file with another one behind it", [.completion],
            "the completed file is 4096 bytes too long",
            Scene().with { ($0.differing, $0.surplus) = (4096, 4096) }),
        Bug(
            "a wrong file that goes on past its end", [.completion],
            "9 bytes of the completed file are unlike the video's, 4 of them past its end",
            Scene().with { ($0.differing, $0.surplus) = (9, 4) }),
        Bug(
            "a right file, written from a cache that lacks a byte then", [.completion],
            "1 byte of the completed video are not kept, or not rightly, at 7..<8",
            Scene().with { $0.notKept = ByteRanges([7..<8]) }),
        Bug(
            "a state that cannot be read where nothing was kept", [.durability, .bound],
            "lost 3000000 bytes, 2475712 more than the bound of 524288, at 0..<3000000"
                + " (the state could not be read: no such table: chunks)",
            Scene().with {
                $0.hasAutopsy = false
                $0.autopsyError = "no such table: chunks"
                $0.refetched = [0..<Scene.video]
            }),
        Bug(
            "a launch before the kill that forgets what it has acknowledged", [.durability],
            "2 bytes that the worker in a launch before the kill had acknowledged are gone,"
                + " at 7..<9",
            Scene().with {
                var earlier = LifeEnd(.earlier, .exited(0), expectedDeath: nil)
                earlier.forgotten = ByteRanges([7..<9])
                $0.lives = [earlier]
            }),
        Bug(
            "no relaunch at all", [.completion],
            "the worker was not relaunched, so nothing shows that it can finish",
            Scene().with { $0.hasResumption = false }),
    ]

    @Test(arguments: bugs.indices)
    func isCaught(index: Int) {
        let bug = Self.bugs[index]
        let judgement = bug.scene.judged
        #expect(judgement.verdict == .fail, "\(bug.name)")
        var found: [Checker] = []
        for finding in judgement.findings where found.last != finding.checker {
            found.append(finding.checker)
        }
        #expect(found == bug.checkers, "\(bug.name): \(judgement.reason)")
        #expect(judgement.findings.contains { $0.detail == bug.detail }, "\(judgement.reason)")
        #expect(!judgement.reason.contains { $0.isNewline })
    }

    @Test func everyCheckerHasABugThatItCatches() {
        #expect(Set(Self.bugs.flatMap(\.checkers)) == Set(Checker.allCases))
        #expect(EvidenceChecker.all.map(\.checker) == Checker.allCases)
    }

    @Test func theReasonNamesEveryFindingAndTheRowEveryChecker() {
        let scene = Scene().with {
            $0.commits = 3
            $0.resumptionDeath = .exited(1)
            $0.complaint = "bound: this; durability: is the worker's own text"
        }
        let row = scene.judged.row("downloader")
        #expect(row.reason.hasPrefix("commits: 3 commits"))
        #expect(row.reason.contains("; completion: the relaunched worker"))
        #expect(row.checkers == [.commits, .completion, .exit])
        let invented = Scene().with { $0.served = [] }.judged.row("downloader")
        #expect(invented.checkers == [.ledger])
        #expect(invented.isViolation)
    }

    @Test func aFullPageHasForgottenRequestsButNotTheirCommits() {
        let scene = Scene().with {
            $0.witnessed = (0..<1_023).map { WitnessedRequest.ended($0 * 10, got: 10, saved: 10) }
            $0.commits = 5_000
        }
        let full = scene.evidence
        #expect(EvidenceChecker.commits.details(JudgedKill(full)).isEmpty)
        let almost = scene.with { $0.witnessed.removeLast() }.evidence
        #expect(EvidenceChecker.commits.details(JudgedKill(almost)).count == 1)
    }
}
