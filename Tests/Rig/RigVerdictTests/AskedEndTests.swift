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
            $0.chunks.append(
                StoredChunk(
                    range: Scene.saved..<Scene.reached, checksumMatches: true, differingBytes: 0))
            $0.claimed = ByteRanges([0..<Scene.reached])
            $0.refetched = [Scene.reached..<Scene.video]
        }
    }

    @Test(arguments: [Death.exited(143), .exited(0), .exited(1), .signaled(15)])
    func oneThatEndedLosesNothing(death: Death) {
        let sound = Judge.judge(clean(death).evidence)
        #expect(sound.verdict == .pass, "\(sound.reason)")
        #expect(sound.figures.bound == 0)
        let dropped = Judge.judge(asked(death).evidence)
        #expect(dropped.findings.map(\.checker) == [.bound], "\(dropped.reason)")
    }

    @Test func oneThatWasKilledInItsCleanUpLosesAtMostTheThreshold() {
        let judgement = Judge.judge(asked(.signaled(9), wasKilled: true).evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Scene.chunk)
        let row = judgement.row(runID: "r", worker: "downloader", workload: "download")
        #expect(row.graceSeconds == 5)
        #expect(row.endSeconds == nil)
        #expect(row.contradiction == nil)
    }

    /// The signal arrived when it had gone already.
    @Test func oneThatEndedJustBeforeItsKillHasEnded() {
        let judgement = Judge.judge(asked(.exited(143), wasKilled: true).evidence)
        #expect(judgement.findings.map(\.checker) == [.bound])
        let row = judgement.row(runID: "r", worker: "downloader", workload: "download")
        #expect(row.endSeconds == 0.01)
        #expect(row.contradiction == nil)
    }

    /// A worker could end itself by signal 9, so as to seem killed.
    @Test(arguments: [Death.signaled(9), .signaled(11), .exited(139)])
    func aCrashInTheCleanUpIsAFinding(death: Death) {
        let judgement = Judge.judge(
            clean(death).with {
                $0.lives = [LifeEnd(.struck, death, expectedDeath: .exited(0), memoryKills: 0)]
            }.evidence)
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
        #expect(Judge.judge(scene.evidence).findings.map(\.checker) == [.bound])
        let saved = scene.with {
            $0.chunks = [
                StoredChunk(range: 0..<Scene.reached, checksumMatches: true, differingBytes: 0)
            ]
            $0.claimed = ByteRanges([0..<Scene.reached])
            $0.refetched = [Scene.reached..<Scene.video]
        }
        let judgement = Judge.judge(saved.evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
    }

    /// Another program's bound is the one that it promises, however it ends.
    @Test(arguments: [(Int64(400_000), Verdict.pass), (300_000, .fail)])
    func aBoundInBytesHoldsForEveryEnd(bytes: Int64, verdict: Verdict) {
        for (death, wasKilled) in [(Death.signaled(15), false), (.signaled(9), true)] {
            let scene = asked(death, wasKilled: wasKilled).with {
                $0.contract = WorkerContract(
                    hasWitness: true, hasInspection: true, bound: .bytes(bytes))
            }
            #expect(Judge.judge(scene.evidence).verdict == verdict)
        }
    }
}
