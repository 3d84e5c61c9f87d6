import RigModel
import RigVerdict
import Testing

/// A launch whose disk was full from its planned moment on (T13).
@Suite struct FullDiskJudgingTests {
    @Test(arguments: [Death.exited(74), .exited(134), .signaled(6), .signaled(7), .exited(135)])
    func toStopWithAnErrorIsRight(death: Death) {
        let judgement = Scene.full(death).judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason == "full disk: \(death.words)")
        let row = judgement.row(runID: "run", worker: "downloader", workload: "download")
        #expect(row.contradiction == nil)
        #expect(row.failedCall == death.words)
        #expect(row.realised == nil && row.boundBytes == nil)
        #expect(!judgement.evidence.wasMissed)
    }

    @Test(arguments: [
        (LifeEnd.Work(differingBytes: nil), "there was no completed file"),
        (LifeEnd.Work(differingBytes: 7), "7 bytes of its file are unlike the video's"),
    ])
    func successWithoutARightFileIsFalse(work: LifeEnd.Work, words: String) {
        let judgement = Scene.full(.exited(0), work: work).judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.falseSuccess])
        #expect(
            judgement.findings.map(\.detail) == [
                "the disk was full, and the worker ended with exit code 0, and \(words)"
            ])
        #expect(judgement.reason.hasSuffix("; full disk: exit code 0"))
        #expect(!judgement.evidence.isUnhindered)
    }

    @Test(arguments: [(Death.signaled(11), Checker.crash), (.exited(139), .exit)])
    func aCrashIsNoAnswerToAFullDisk(death: Death, checker: Checker) {
        let judgement = Scene.full(death).judged
        #expect(judgement.findings.map(\.checker) == [checker])
        #expect(judgement.reason.contains("after the disk was full"), "\(judgement.reason)")
    }

    /// Nothing tells whether it had anything left to write: it is no pass, and tried again.
    @Test func workThatIsDoneRightProvesNothing() {
        let judgement = Scene.full(.exited(0), work: .init(differingBytes: 0)).judged
        #expect(judgement.verdict == .inconclusive)
        #expect(
            judgement.reason.hasPrefix(
                "the worker did its work, so the full disk was not in its way"),
            "\(judgement.reason)")
        #expect(judgement.evidence.wasMissed)
        let row = judgement.row(runID: "run", worker: "downloader", workload: "download")
        #expect(row.contradiction == nil)
    }

    /// A database that refuses to write, and ends well when it is asked to, has not done its work.
    @Test func aCheckThatIsContentTellsNothing() {
        let check = CheckEvidence(before: nil, after: .sound, lines: 3)
        let judgement = Scene.program(check).with {
            $0.fault = .diskFull
            $0.death = .exited(0)
        }.judged
        #expect(judgement.verdict == .inconclusive && judgement.evidence.wasMissed)
        #expect(
            judgement.reason.hasPrefix(
                "the worker ended well, and nothing tells whether the full disk was in its way"),
            "\(judgement.reason)")
    }

    @Test func aDiskThatWasNotFullIsNoExcuse() {
        let scene = Scene.full(.exited(74)).with {
            $0.killSent = false
            $0.lives = []
        }
        #expect(scene.found == [.exit])
        #expect(!scene.judged.reason.contains("full disk"))
    }

    /// Nothing was killed.
    @Test func whatItLeavesBehindWentOnAfterItsEnd() {
        let judged = Scene.full(.exited(74)).with { $0.outlived = ["sleep (process 7)"] }.judged
        #expect(judged.findings.map(\.checker) == [.leftover])
        #expect(judged.reason.contains("went on when the worker had ended"), "\(judged.reason)")
    }
}
