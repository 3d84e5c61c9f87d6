import RigModel
import RigVerdict
import Testing

/// A worker that is asked to end: what it may lose depends on whether it got to its end (T12).
@Suite struct AskedEndTests {
    /// It lost 378,560 bytes of 3,000,000, less than a threshold.
    private func asked(_ death: Death, wasKilled: Bool = false) -> Scene {
        Scene().with {
            $0.fault = .term
            $0.death = death
            $0.asked = AskedEnd(graceSeconds: 5, seconds: 0.01, wasKilled: wasKilled)
        }
    }

    /// The same after a clean-up that has saved all of it.
    private func clean(_ death: Death) -> Scene {
        asked(death).with {
            $0.chunks.append(.sound(Scene.saved..<Scene.reached))
            $0.claimed = ByteRanges([0..<Scene.reached])
            $0.refetched = [Scene.reached..<Scene.video]
        }
    }

    @Test(arguments: [Death.exited(143), .exited(0), .exited(1), .signaled(15)])
    func oneThatEndedLosesNothing(death: Death) {
        let sound = clean(death).judged
        #expect(sound.verdict == .pass, "\(sound.reason)")
        #expect(sound.figures.bound == 0)
        let dropped = asked(death).judged
        #expect(dropped.findings.map(\.checker) == [.bound], "\(dropped.reason)")
    }

    /// Of a second video only the two bytes that ask what it is had come: they are never saved (C3),
    /// and one in fifteen honest workers that switched videos failed by them.
    @Test func aProbeIsNoLoss() {
        let probed = clean(.exited(143)).with { $0.witnessed.append(.ended(8_000_000, got: 2)) }
        let judgement = probed.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        let row = judgement.row("downloader")
        #expect(row.lostBytes == 0 && row.contradiction == nil)
        let three = probed.with { $0.witnessed[2] = .ended(8_000_000, got: 3) }
        #expect(Set(three.found) == [.bound])
    }

    @Test func oneThatWasKilledInItsCleanUpLosesAtMostTheThreshold() {
        let judgement = asked(.signaled(9), wasKilled: true).judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Scene.chunk)
        let row = judgement.row("downloader")
        #expect(row.graceSeconds == 5 && row.endSeconds == nil && row.contradiction == nil)
    }

    /// The signal arrived when it had gone already.
    @Test func oneThatEndedJustBeforeItsKillHasEnded() {
        let judgement = asked(.exited(143), wasKilled: true).judged
        #expect(judgement.findings.map(\.checker) == [.bound])
        let row = judgement.row("downloader")
        #expect(row.endSeconds == 0.01 && row.contradiction == nil)
    }

    /// A worker could end itself by signal 9, so as to seem killed.
    @Test(arguments: [Death.signaled(9), .signaled(11), .exited(139)])
    func aCrashInTheCleanUpIsAFinding(death: Death) {
        let judgement = clean(death).with {
            $0.lives = [LifeEnd(.struck, death, expectedDeath: .exited(0), memoryKills: 0)]
        }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason.contains("ended the worker") || death == .exited(139))
    }

    /// Without a threshold there is no bound, and what a request has is saved when it ends.
    @Test func underDisabledOneThatEndedLosesNothingEither() {
        let scene = Scene.disabled.with {
            $0.fault = .term
            $0.death = .exited(143)
            $0.asked = AskedEnd(graceSeconds: 5, seconds: 0.01, wasKilled: false)
        }
        #expect(scene.found == [.bound])
        let saved = scene.with { $0.keep(0..<Scene.reached) }
        let judgement = saved.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        // It had saved before it was asked: more saves than requests.
        let eager = saved.with { $0.commits = 2 }.judged
        #expect(eager.findings.map(\.checker) == [.nullControl], "\(eager.reason)")
    }

    /// All of the running request is there, which only a worker that was about to end it had a
    /// reason to save: every kill after a request to end was once an excuse.
    @Test(arguments: [
        (Phase.receiving, 1, [Checker.nullControl]), (.committing, 1, [.nullControl]),
        (.cancelling, 1, []), (.completing, 1, []), (.cancelling, 180, [.nullControl]),
    ])
    func underDisabledAKilledOneMayHaveSavedWhatItWasEnding(
        phase: Phase, commits: Int, found: [Checker]
    ) {
        let judgement = Scene.disabled.with {
            $0.fault = .term
            $0.asked = AskedEnd(graceSeconds: 0.002, seconds: 0.003, wasKilled: true)
            $0.phase = phase
            $0.commits = commits
            $0.keep(0..<Scene.reached)
        }.judged
        #expect(judgement.findings.map(\.checker) == found, "\(judgement.reason)")
    }

    /// A shell ended when it was asked, and the program that it had started was killed.
    @Test func oneWhosePartsWereKilledHasNotEnded() {
        let judgement = asked(.signaled(15)).with {
            $0.asked = AskedEnd(
                graceSeconds: 5, seconds: 5.001, wasKilled: true, othersWereKilled: true)
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Scene.chunk)
        let row = judgement.row("downloader")
        #expect(row.endSeconds == nil && row.contradiction == nil)
    }

    /// Another program's bound is the one that it promises, however it ends.
    @Test(arguments: [(Int64(400_000), Verdict.pass), (300_000, .fail)])
    func aBoundInBytesHoldsForEveryEnd(bytes: Int64, verdict: Verdict) {
        for (death, wasKilled) in [(Death.signaled(15), false), (.signaled(9), true)] {
            let scene = asked(death, wasKilled: wasKilled).with {
                $0.contract = .full(.bytes(bytes))
            }
            #expect(scene.judged.verdict == verdict)
        }
    }
}
