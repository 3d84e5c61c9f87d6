import RigModel
import RigVerdict
import Testing

/// A crash, exit or hang that the rig did not cause, in any life, and what excuses it: a program
/// that died of its own SIGSEGV in 40 % of its first lives used to pass.
@Suite struct LifeCheckersTests {
    private static func end(
        _ life: LifeEnd.Life, _ death: Death, good: Death? = .exited(0), givenUp: String? = nil,
        memoryKills: Int? = 0, excuse: String? = nil, work: LifeEnd.Work? = nil
    ) -> LifeEnd {
        LifeEnd(
            life, death, expectedDeath: good, givenUp: givenUp, memoryKills: memoryKills,
            excuse: excuse, work: work)
    }

    /// A kill that was not sent, because the worker had already ended like this.
    private static func unkilled(_ end: LifeEnd, fault: Fault = .sigkill) -> Scene {
        Scene().with {
            $0.killSent = false
            $0.death = end.death
            $0.fault = fault
            $0.givenUp = end.givenUp
            $0.lives = [end]
        }
    }

    private static let tooLong = {
        var work = LifeEnd.Work(differingBytes: 7)
        work.surplus = 7
        return work
    }()

    private static func findings(_ scene: Scene) -> [String] {
        scene.judged.findings.map { "\($0.checker.rawValue): \($0.detail)" }
    }

    /// Why a relaunch had failed stood in its log only: that another one was running.
    @Test func whatItSaidLastIsInTheFinding() {
        var end = Self.end(.relaunched, .exited(1))
        end.complaint = "another one is running; wait"
        let scene = Scene.program(CheckEvidence(before: nil, after: .sound, lines: 3)).with {
            $0.lives = [end]
            $0.resumptionDeath = .exited(1)
        }
        #expect(
            Self.findings(scene) == [
                "exit: the relaunched worker ended with exit code 1: another one is running, wait"
            ])
    }

    @Test(arguments: [
        (
            end(.struck, .signaled(11)),
            "crash: signal 11, which was not the rig's, ended the worker before its kill"
        ),
        (
            end(.struck, .signaled(9)),
            "crash: signal 9, which was not the rig's, ended the worker before its kill"
        ),
        (
            end(.struck, .signaled(15)),
            "crash: signal 15, which was not the rig's, ended the worker before its kill"
        ),
        (end(.struck, .exited(3)), "exit: the worker ended with exit code 3 before its kill"),
        (end(.struck, .exited(137)), "exit: the worker ended with exit code 137 before its kill"),
        (
            end(.struck, .exited(0), work: .init(differingBytes: 7)),
            "exit: the worker ended with exit code 0, and 7 bytes of its file are unlike the video's"
        ),
        (
            end(
                .struck, .exited(0),
                work: .init(differingBytes: 10 << 20, cut: CutFile(length: 0, video: 10 << 20))),
            "exit: the worker ended with exit code 0, and its file is empty"
        ),
        (
            end(.struck, .exited(0), work: tooLong),
            "exit: the worker ended with exit code 0, and its file is 7 bytes too long"
        ),
        (
            end(.struck, .exited(0), work: .init(differingBytes: nil)),
            "exit: the worker ended with exit code 0, and there was no completed file"
        ),
        (
            end(.struck, .signaled(9), givenUp: "made no progress for 30 s"),
            "hang: the worker made no progress for 30 s"
        ),
    ])
    func whatAWorkerDoesByItselfBeforeItsKillFailsTheRow(end: LifeEnd, finding: String) {
        for fault in [Fault.sigkill, .abort, .segv, .powerCut, .powerCutTorn] {
            #expect(Self.findings(Self.unkilled(end, fault: fault)) == [finding])
        }
        // The same without a record of its life, as far as the other evidence shows it.
        let bare = Self.unkilled(end).with { $0.lives = [] }
        let isTold = end.work == nil && (end.death != .signaled(9) || end.givenUp != nil)
        #expect(Self.findings(bare) == (isTold ? [finding] : []))
        // No kill was planned.
        let spared = Self.unkilled(end).with { $0.trigger = .never }
        #expect(Self.findings(spared) == [finding])
    }

    @Test(arguments: [
        (end(.earlier, .signaled(11), good: nil), Checker.crash, "in a launch before the kill"),
        (end(.earlier, .signaled(9), givenUp: "hung"), .hang, "before the kill hung"),
        (end(.measured, .exited(4)), .exit, "in a launch without a kill"),
        (end(.offline, .exited(0), good: .exited(143)), .exit, "relaunched without the network"),
        (end(.offline, .signaled(6), good: .exited(143)), .crash, "without the network"),
    ])
    func soItDoesInEveryOtherLife(end: LifeEnd, checker: Checker, words: String) {
        for scene in [Scene(), InconclusiveTests.finished, Scene.disabled] {
            let judgement = scene.with { $0.lives = [end] }.judged
            #expect(judgement.verdict == .fail)
            #expect(judgement.findings.map(\.checker) == [checker])
            #expect(judgement.reason.contains(words), "\(judgement.reason)")
        }
    }

    /// A failed relaunch used to be no finding if its kill proved nothing.
    @Test(
        arguments: [
            (Death.exited(5), nil, Checker.exit), (.signaled(11), nil, .crash),
            (.signaled(9), "made no progress for 30 s", .hang),
        ] as [(Death, String?, Checker)])
    func aRelaunchThatFailsIsAFindingWhateverItsKillWas(
        death: Death, givenUp: String?, checker: Checker
    ) {
        for scene in [Scene(), InconclusiveTests.finished, Scene.disabled] {
            let judgement = scene.with {
                $0.resumptionDeath = death
                $0.differing = nil
                $0.lives = [Self.end(.relaunched, death, givenUp: givenUp)]
            }.judged
            #expect(judgement.verdict == .fail)
            #expect(judgement.findings.map(\.checker) == [.completion, checker])
        }
    }

    /// Stale bytes used to be forgiven even though the relaunch that left them had failed.
    @Test func staleBytesOfARelaunchThatFailedAreNoWork() {
        let scene = InconclusiveTests.finished.with {
            $0.resumptionDeath = .exited(1)
            $0.differing = 100
            $0.stale = ByteRanges([0..<100])
            $0.originChanged = true
        }
        let findings = scene.judged.findings
        #expect(findings.contains { $0.checker == .completion && $0.detail.contains("100 bytes") })
    }

    @Test(arguments: [
        end(.struck, .signaled(9), memoryKills: 2), end(.struck, .signaled(9), memoryKills: nil),
        end(.struck, .exited(137), memoryKills: 1),
        end(.struck, .signaled(9), givenUp: "hung", excuse: "the origin held back"),
        end(.struck, .exited(70), excuse: "the rig's own tracer left no report"),
        end(.struck, .exited(0), work: .init(differingBytes: 0)), end(.struck, .exited(0)),
    ])
    func aCauseOutsideOfTheWorkerLeavesTheRowInconclusive(end: LifeEnd) {
        let judgement = Self.unkilled(end).judged
        #expect(judgement.verdict == .inconclusive, "\(judgement.reason)")
        #expect(!judgement.reason.isEmpty)
        if let excuse = end.excuse { #expect(judgement.reason == excuse) }
    }

    @Test func aRelaunchThatTheKernelEndedIsNotHeldAgainstTheWorker() {
        let judgement = Scene().with {
            $0.resumptionDeath = .signaled(9)
            $0.differing = nil
            $0.lives = [Self.end(.relaunched, .signaled(9), memoryKills: 1)]
        }.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.hasPrefix("signal 9 that was not ours, in the relaunched worker"))
    }

    /// A worker that dies of the rig's own fault has not failed.
    @Test(arguments: [
        (Fault.powerCut, Death.signaled(7), true), (.powerCut, .exited(1), true),
        (.sigkill, .signaled(9), true), (.abort, .signaled(6), true), (.segv, .signaled(11), true),
        (.abort, .exited(5), true), (.segv, .signaled(9), true), (.oom, .signaled(9), true),
        (.oom, .exited(1), true), (.oom, .exited(1), false),
    ])
    func theRigsOwnBlowIsNoFinding(fault: Fault, death: Death, isSent: Bool) {
        let scene = Scene().with {
            $0.fault = fault
            $0.death = death
            $0.killSent = isSent
            $0.contract = .full(nil)
        }
        #expect(Self.findings(scene).isEmpty)
    }

    @Test func aLifeThatWasAskedToEndMayAnswerAsItLikes() {
        for death in [Death.exited(0), .exited(143), .exited(130), .exited(1), .signaled(15)] {
            let scene = Scene().with { $0.lives = [Self.end(.earlier, death, good: nil)] }
            #expect(Self.findings(scene).isEmpty)
        }
    }

    /// A proxy ends with 143 when asked to; any other end is a failure.
    @Test(arguments: [(Death.exited(143), true), (.exited(0), false), (.signaled(15), false)])
    func aProxyThatEndsByItselfHasFailed(death: Death, isGood: Bool) {
        let scene = Scene().with {
            $0.serve()
            $0.killSent = false
            $0.death = death
        }
        let checkers = Set(scene.found)
        #expect(checkers.isDisjoint(with: [.crash, .exit, .hang]) == isGood)
    }
}
