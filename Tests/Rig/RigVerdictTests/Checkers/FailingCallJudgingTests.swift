import RigModel
import RigVerdict
import Testing

/// A launch in which a call failed (T13).
@Suite struct FailingCallJudgingTests {
    private static let call = "call 7, write of 4096 bytes to data.tmp failed with ENOSPC"

    @Test(arguments: [Death.exited(1), .exited(23), .exited(134), .signaled(6)])
    func toStopWithAnErrorIsRight(death: Death) {
        let judgement = Scene.failing(death).judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason == "failed call: \(Self.call): \(death.words)")
        let row = judgement.row("downloader")
        #expect(row.contradiction == nil)
        #expect(row.failedCall == "\(Self.call): \(death.words)")
        #expect(row.whyNotJudged == nil && !row.isUndecided)
    }

    @Test func soIsToDoTheWorkAllTheSame() {
        let judgement = Scene.failing(.exited(0), work: .init(differingBytes: 0)).judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
    }

    @Test(arguments: [
        (LifeEnd.Work(differingBytes: nil), "there was no completed file"),
        (LifeEnd.Work(differingBytes: 7), "7 bytes of its file are unlike the video's"),
        (
            LifeEnd.Work(differingBytes: 10 << 20, cut: CutFile(length: 0, video: 10 << 20)),
            "its file is empty"
        ),
    ])
    func successWithoutARightFileIsFalse(work: LifeEnd.Work, words: String) {
        let judgement = Scene.failing(.exited(0), work: work).judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.falseSuccess])
        #expect(
            judgement.findings.map(\.detail) == [
                "\(Self.call), and the worker ended with exit code 0, and \(words)"
            ])
        #expect(judgement.reason.hasSuffix("; failed call: \(Self.call): exit code 0"))
    }

    @Test(arguments: [
        (Death.signaled(11), Checker.crash), (.signaled(7), .crash), (.exited(139), .exit),
    ])
    func aCrashIsNoAnswerToAnError(death: Death, checker: Checker) {
        let judgement = Scene.failing(death).judged
        #expect(judgement.findings.map(\.checker) == [checker])
        #expect(judgement.reason.contains("after \(Self.call)"))
    }

    /// A program that had ended after the error was blamed, because its page still told of the request:
    /// most of the stores whose syncs had failed.
    @Test func itsConnectionsAreClosedByThen() {
        let sockets = SocketReading(received: ByteRanges([0..<Scene.reached]), activeRequests: 0)
        let closed = Scene.failing(.exited(23)).with { $0.sockets = sockets }.judged
        #expect(closed.evidence.killSent, "a call that failed counts as a kill that was sent")
        #expect(closed.verdict == .pass, "\(closed.reason)")
        #expect(Scene().with { $0.sockets = sockets }.found.contains(.agreement))
    }

    /// What it had just read it could not write, and had not told yet; so far at most one read.
    @Test(arguments: [(Tolerances.readInHandBytes, true), (Tolerances.readInHandBytes + 1, false)])
    func theLastReadMayBeMissingOnItsPage(read: Int64, isRight: Bool) {
        let end = Scene.reached + read
        let judged = Scene.failing(.exited(23)).with {
            $0.sockets = SocketReading(received: ByteRanges([0..<end]), activeRequests: 0)
            $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: end)]
        }.judged
        #expect(
            judged.findings.map(\.checker) == (isRight ? [] : [.agreement]), "\(judged.reason)")
    }

    @Test func whatWasAcknowledgedHasToBeThere() {
        let scene = Scene.failing(.exited(1)).with {
            $0.witnessed[1] = .running(0, got: Scene.reached, saved: Scene.saved + 300_000)
        }
        #expect(scene.found == [.durability])
    }

    @Test func theRelaunchHasToDoTheWork() {
        let scene = Scene.failing(.exited(1)).with { $0.differing = 1 }
        #expect(scene.found == [.completion])
    }

    /// It could not remove its lock, said so, and refused to start ever again.
    @Test func anErrorIsNoWorkThatWasDone() {
        let scene = Scene.failing(.exited(1)).with {
            $0.lacksItsFile = false
            $0.resumptionDeath = .exited(1)
            $0.differing = nil
        }
        #expect(scene.found.contains(.completion))
    }

    /// What is said to have failed and is there may be done twice: it is told, and not judged.
    @Test func aFalseFailureIsToldAndNotJudged() {
        let scene = Scene.failing(.exited(1)).with { $0.lacksItsFile = false }
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason.hasSuffix(", though its file is whole (a false failure)"))
        let lacking = scene.with { $0.lacksItsFile = true }.judged
        #expect(!lacking.reason.contains("false failure"), "\(lacking.reason)")
    }

    /// What io_uring does is neither counted nor fails: a pass would say more than is known.
    @Test(arguments: [true, false]) func whatIsNotCountedLeavesItUndecided(hasFinding: Bool) {
        let scene = Scene.failing(.exited(0), work: .init(differingBytes: hasFinding ? 7 : 0))
        let judgement = scene.with {
            $0.calls = CountedCalls(
                counted: 7, last: nil, failed: $0.calls?.failed, unseen: ["WRITE by io_uring"])
        }.judged
        #expect(judgement.verdict == (hasFinding ? .fail : .inconclusive), "\(judgement.reason)")
        guard !hasFinding else { return }
        #expect(judgement.reason.contains("not counted: WRITE by io_uring"))
    }

    @Test func aHangIsOne() {
        var end = LifeEnd(
            .struck, .signaled(9), expectedDeath: .exited(0), givenUp: "made no progress for 30 s")
        end.failedCall = Self.call
        let judgement = Scene.failing(.signaled(9)).with {
            $0.givenUp = "made no progress for 30 s"
            $0.lives = [end]
        }.judged
        #expect(judgement.findings.map(\.checker) == [.hang])
        #expect(
            judgement.findings.map(\.detail) == [
                "the worker made no progress for 30 s after \(Self.call)"
            ])
    }

    @Test func aCallThatNeverCameProvesNothing() {
        let judgement = Scene.failing(.exited(0)).with {
            $0.killSent = false
            $0.calls = CountedCalls(counted: 5, last: nil)
            $0.lives = []
        }.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.contains("made 5 counted calls and not number 7"))
    }
}
