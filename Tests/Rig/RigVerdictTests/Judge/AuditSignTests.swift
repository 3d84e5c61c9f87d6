import RigModel
import Testing

@testable import RigVerdict

/// What an audit says of a failure follows the finding, not the situation alone.
@Suite struct AuditSignTests {
    private static func row(_ scene: Scene) -> IterationRow { scene.judged.row("w") }

    /// A mixture of which so many bytes are of the version before.
    private static func stitched(fileLength: Int64) -> Scene {
        Scene().with {
            $0.originChanged = true
            $0.isVersionBefore = false
            $0.spoil(0..<100)
            $0.stale = ByteRanges([0..<100])
            $0.fileLength = fileLength
        }
    }

    private static let shown: [(scene: Scene, checker: Checker, file: AuditSign.File?)] = [
        (Scene().with { $0.differing = 9 }, .completion, .wrong),
        (Scene().with { ($0.differing, $0.surplus) = (9, 4) }, .completion, .wrongAndLong),
        (Scene().with { ($0.differing, $0.surplus) = (9, 9) }, .completion, .tooLong),
        (
            Scene().with {
                $0.differing = Scene.video - 5
                $0.cut = CutFile(length: 5, video: Scene.video)
            }, .completion, .tooShort
        ),
        (
            Scene().with {
                $0.differing = Scene.video
                $0.cut = CutFile(length: 0, video: Scene.video)
            }, .completion, .empty
        ),
        (
            Scene().with { ($0.differing, $0.complaint) = (nil, "its file is empty") },
            .completion, .missing
        ),
        (stitched(fileLength: Scene.video), .stitched, .joined),
        (stitched(fileLength: 100), .stitched, .oldPart),
        (
            Scene.failing(.exited(0), work: LifeEnd.Work(differingBytes: nil)), .falseSuccess,
            .missing
        ),
        (Scene.failing(.exited(0), work: LifeEnd.Work(differingBytes: 7)), .falseSuccess, .wrong),
        (Scene().with { $0.outlived = ["http (process 7, http -d)"] }, .leftover, nil),
    ]

    @Test("a sign is read from the words of the judge")
    func signs() {
        for (scene, checker, file) in Self.shown {
            let row = Self.row(scene)
            #expect(AuditSign(row) == AuditSign(checker, file), "\(row.reason)")
        }
    }

    /// What a program says may sound like anything.
    @Test("an error that is told has no file")
    func errors() {
        let scene = Scene().with {
            $0.resumptionDeath = .exited(1)
            $0.differing = nil
            $0.complaint = "the completed file ends after 3"
        }
        #expect(AuditSign(Self.row(scene))?.file == nil)
        #expect(AuditSign(Self.row(scene))?.rank == AuditSign(.exit).rank)
        #expect(AuditSign(Self.row(Scene())) == nil)
    }

    static let left = "http (process 1403, python3 http) went on when the worker was killed"
    static let doubled = "the completed file is 4194304 bytes too long"
    static let part = "the completed file ends after 1.0 MB of 4.0 MB"
    static let wrong = "9 bytes of the completed file are unlike the video's"
    static let old = " bytes of the completed file are of the version before, the first at 0, and "

    /// Each of these was explained by the situation, and wrongly.
    @Test(
        "the explanation fits the finding, or there is none",
        arguments: [
            ("end", .leftover, left, "goes on when it is killed"),
            ("ignored-range", .leftover, left, "goes on when it is killed"),
            ("shortened", .leftover, left, "goes on when it is killed"),
            ("cut", .completion, doubled, "whole already"),
            ("ignored-if-range", .completion, doubled, "whole already"),
            ("power-cut", .completion, doubled, "whole already"),
            ("unavailable", .completion, part, "an error of the server"),
            (
                "unavailable", .completion,
                "the relaunched worker ended well and left no completed file: 503", "has no file"
            ),
            ("shortened", .stitched, "5\(old)", "joins two versions"),
            ("shortened", .stitched, "all 5\(old)", "takes 416"),
            ("cut", .completion, part, "Content-Length"),
            ("ignored-range", .completion, "\(wrong), 4 of them past its end", "appends a 200"),
            ("power-cut", .completion, wrong, "fsync"),
            ("cut", .completion, wrong, nil),
            ("changed", .exit, "the worker ended with exit code 3 before its kill", nil),
        ] as [(String, Checker, String, String?)])
    func explanations(situation: String, checker: Checker, detail: String, words: String?) throws {
        let row = makeRow(
            verdict: .fail, reason: "\(checker.rawValue): \(detail)", checkers: [checker])
        let sign = try #require(AuditSign(row))
        let told = AuditMistake.words(for: sign, in: situation)
        #expect(words.map { told?.contains($0) == true } ?? (told == nil), "\(told ?? "none")")
    }

    @Test("every explanation is of a situation that there is")
    func situations() {
        let names = Set(AuditSituation.all.map(\.name))
        for mistake in AuditMistake.all {
            #expect(mistake.situations?.isSubset(of: names) ?? true, "\(mistake.words)")
        }
    }

    @Test("a fault without effect is told in the row")
    func idle() {
        let row = Self.row(Scene().with { $0.idleFault = .noRange })
        #expect(row.verdict == .pass)
        #expect(row.reason == "origin fault without effect: it never asked for a range")
        #expect(row.idleFault == .noRange && row.contradiction == nil)
        let failed = Self.row(
            Scene().with {
                $0.idleFault = .notReached
                $0.differing = 9
            })
        #expect(failed.verdict == .fail && failed.idleFault == .notReached)
    }
}
