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
    }

    static let bugs: [Bug] =
        bytesBugs + tableBugs + relaunchBugs + playerBugs + sharingBugs
        + libraryBugs + blackBoxBugs + programBugs

    static let programBugs: [Bug] = [
        Bug(
            name: "a row that was said is gone", checkers: [.check], detail: "row 3 is gone",
            scene: Scene.program(
                CheckEvidence(before: nil, after: .violated("row 3 is gone"), lines: 3)))
    ]

    static let bytesBugs: [Bug] = [
        Bug(
            name: "threshold checked only after the next read", checkers: [.bound],
            detail: "lost 540672 bytes, 16384 more than the bound of 524288, at 2621440..<3162112",
            scene: Scene().with {
                $0.witnessed[1] = .running(
                    0, got: Scene.saved + Scene.chunk + 16_384, saved: Scene.saved)
            }),
        // The documents' save #91: by B5 it is no saved chunk, because its commit had not returned.
        Bug(
            name: "a save of 2.31 MB was announced right before the kill, and is gone",
            checkers: [.bound],
            detail:
                "lost 2422210 bytes, 1897922 more than the bound of 524288, at 2621440..<5043650",
            scene: Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved + 2_422_210, saved: Scene.saved)
            }),
        Bug(
            name: "acknowledged before commit", checkers: [.durability],
            detail: "300000 of 2921440 acknowledged bytes are gone, at 2621440..<2921440",
            scene: Scene().with {
                $0.commits = 6
                $0.witnessed[1] = .running(0, got: Scene.reached, saved: Scene.saved + 300_000)
            }),
        Bug(
            name: "one byte flipped after the checksum",
            checkers: [.bound, .durability, .integrity],
            detail: "1 of 5 chunks do not match their checksum, at 1048576..<1572864",
            scene: Scene().withChunk(
                2,
                StoredChunk(
                    range: 2 * Scene.chunk..<3 * Scene.chunk, checksumMatches: false,
                    differingBytes: 1)
            ).with { $0.refetched.append(2 * Scene.chunk..<3 * Scene.chunk) }),
        Bug(
            name: "a chunk at an offset too far by one",
            checkers: [.bound, .durability, .integrity, .ranges, .resumption, .completion],
            detail: "524000 stored bytes are unlike the video's, in 1 of 5 chunks",
            scene: Scene().withChunk(
                4,
                StoredChunk(
                    range: 4 * Scene.chunk + 1..<5 * Scene.chunk + 1, checksumMatches: true,
                    differingBytes: 524_000)
            ).with { $0.differing = 524_000 }),
        Bug(
            name: "a chunk beyond the end of the video", checkers: [.integrity],
            detail: "10 bytes are stored where the video has none, at 10485760..<10485770",
            scene: Scene().with {
                $0.chunks.append(.sound(Scene.video..<Scene.video + 10))
                $0.claimed = $0.claimed.union(ByteRanges([Scene.video..<Scene.video + 10]))
            }),
        Bug(
            name: "a page that counts bytes before they arrive", checkers: [.ledger],
            detail: "says it received 16384 bytes that the origin never served,"
                + " at 2983616..<3000000",
            scene: Scene().with {
                $0.served = [
                    ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached - 16_384)
                ]
            }),
        Bug(
            name: "disabled with bytes that no request asked for", checkers: [.ledger],
            detail: "says it received 3000000 bytes that the origin never served,"
                + " at 0..<3000000",
            scene: Scene.disabled.with { $0.served = [] }),
        Bug(
            name: "a damaged database", checkers: [.integrity],
            detail: "the database's integrity check says: row 1 missing / row 2 missing, and more",
            scene: Scene().with { $0.integrityCheck = "row 1 missing\nrow 2 missing; and more" }),
        Bug(
            name: "disabled that saves as it goes", checkers: [.nullControl],
            detail: "524288 bytes of the running request survived although nothing is saved before"
                + " its end, at 0..<524288",
            scene: Scene.disabled.with { $0.chunks = [.sound(0..<Scene.chunk)] }),
    ]

    static let tableBugs: [Bug] = [
        Bug(
            name: "a range claimed that no chunk holds", checkers: [.ranges],
            detail: "1000 bytes are claimed and in no chunk, at 2621440..<2622440",
            scene: Scene().with { $0.claimed = ByteRanges([0..<Scene.saved + 1_000]) }),
        Bug(
            name: "a chunk that no range claims", checkers: [.ranges],
            detail: "1048576 bytes are in chunks and not claimed, at 0..<1048576",
            scene: Scene().with { $0.claimed = ByteRanges([2 * Scene.chunk..<Scene.saved]) }),
        Bug(
            name: "commits greater than the threshold", checkers: [.commits],
            detail: "3 commits for 2621440 acknowledged bytes: commits of at most 524288 bytes"
                + " imply at least 4",
            scene: Scene().with { $0.commits = 3 }),
        Bug(
            name: "a commit per read", checkers: [.commits],
            detail: "160 commits for 2621440 acknowledged bytes: commits of at least 487424 bytes"
                + " and 1 remainders imply at most 7",
            scene: Scene().with { $0.commits = 160 }),
    ]

    static let relaunchBugs: [Bug] = [
        Bug(
            name: "resume that starts over", checkers: [.resumption],
            detail: "2621440 bytes fetched again although recovered, at 0..<2621440",
            scene: Scene().with { $0.refetched = [0..<Scene.video] }),
        Bug(
            name: "resume that leaves a hole", checkers: [.resumption],
            detail: "100 bytes neither recovered nor asked for, at 2621440..<2621540",
            scene: Scene().with { $0.refetched = [Scene.saved + 100..<Scene.video] }),
        Bug(
            name: "a worker that does not start again", checkers: [.completion, .exit],
            detail: "the relaunched worker ended with exit code 74: cannot open, a / b",
            scene: Scene().with {
                $0.resumptionDeath = .exited(74)
                $0.refetched = []
                $0.differing = nil
                $0.complaint = "cannot open; a\nb"
            }),
        Bug(
            name: "a worker that crashes when it starts again", checkers: [.completion, .crash],
            detail: "the relaunched worker ended with signal 11",
            scene: Scene().with {
                $0.resumptionDeath = .signaled(11)
                $0.differing = nil
            }),
        Bug(
            name: "a worker that crashes before its kill", checkers: [.crash],
            detail: "signal 11, which was not the rig's, ended the worker before its kill",
            scene: Scene().with {
                $0.killSent = false
                $0.death = .signaled(11)
            }),
        Bug(
            name: "a process that goes on when its worker is killed", checkers: [.leftover],
            detail: "sleep (process 7) and 1 more went on when the worker was killed: run it in the"
                + " foreground",
            scene: Scene().with { $0.outlived = ["sleep (process 7)", "sleep (process 8)"] }),
        Bug(
            name: "a worker that hangs before its kill", checkers: [.hang],
            detail: "the worker made no progress for 30 s",
            scene: Scene().with {
                $0.killSent = false
                $0.givenUp = "made no progress for 30 s"
            }),
        Bug(
            name: "success although a file could not be written", checkers: [.falseSuccess],
            detail: "call 7, write of 4096 bytes to data.tmp failed with ENOSPC, and the worker"
                + " ended with exit code 0, and there was no completed file",
            scene: Scene.failing(.exited(0), work: LifeEnd.Work(differingBytes: nil))),
        Bug(
            name: "a worker that leaves no file", checkers: [.completion],
            detail: "the relaunched worker ended well and left no completed file",
            scene: Scene().with { $0.differing = nil }),
        Bug(
            name: "a completed file with a wrong byte", checkers: [.completion],
            detail: "1 byte of the completed file are unlike the video's",
            scene: Scene().with { $0.differing = 1 }),
        Bug(
            name: "a completed file with another one behind it", checkers: [.completion],
            detail: "the completed file is 4096 bytes too long",
            scene: Scene().with { ($0.differing, $0.surplus) = (4096, 4096) }),
        Bug(
            name: "a wrong file that goes on past its end", checkers: [.completion],
            detail: "9 bytes of the completed file are unlike the video's, 4 of them past its end",
            scene: Scene().with { ($0.differing, $0.surplus) = (9, 4) }),
        Bug(
            name: "a right file, written from a cache that lacks a byte then",
            checkers: [.completion],
            detail: "1 byte of the completed video are not kept, or not rightly, at 7..<8",
            scene: Scene().with { $0.notKept = ByteRanges([7..<8]) }),
        Bug(
            name: "a state that cannot be read where nothing was kept",
            checkers: [.durability, .bound],
            detail: "lost 3000000 bytes, 2475712 more than the bound of 524288, at 0..<3000000"
                + " (the state could not be read: no such table: chunks)",
            scene: Scene().with {
                $0.hasAutopsy = false
                $0.autopsyError = "no such table: chunks"
                $0.refetched = [0..<Scene.video]
            }),
        Bug(
            name: "a launch before the kill that forgets what it has acknowledged",
            checkers: [.durability],
            detail: "2 bytes that the worker in a launch before the kill had acknowledged are gone,"
                + " at 7..<9",
            scene: Scene().with {
                var earlier = LifeEnd(.earlier, .exited(0), expectedDeath: nil)
                earlier.forgotten = ByteRanges([7..<9])
                $0.lives = [earlier]
            }),
        Bug(
            name: "no relaunch at all", checkers: [.completion],
            detail: "the worker was not relaunched, so nothing shows that it can finish",
            scene: Scene().with { $0.hasResumption = false }),
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
        let row = scene.judged.row(runID: "run", worker: "downloader", workload: "download")
        #expect(row.reason.hasPrefix("commits: 3 commits"))
        #expect(row.reason.contains("; completion: the relaunched worker"))
        #expect(row.checkers == [.commits, .completion, .exit])
        let invented = Scene().with { $0.served = [] }.judged.row(
            runID: "run", worker: "downloader", workload: "download")
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
