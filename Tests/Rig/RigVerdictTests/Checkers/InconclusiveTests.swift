import RigModel
import RigVerdict
import Testing

/// Kills that prove nothing, each with its reason; wrong bytes are never excused.
@Suite struct InconclusiveTests {
    static let cases: [(reason: String, scene: Scene)] = [
        (
            "the worker ended by itself with exit code 0 before the kill",
            Scene().with { $0.death = .exited(0) }
        ),
        (
            "signal 9 that was not ours: out of memory? The kernel does not say",
            Scene().with { $0.killSent = false }
        ),
        (
            "signal 9 that was not ours: the kernel killed 1 process for want of memory meanwhile",
            Scene().with {
                $0.killSent = false
                $0.lives = [
                    LifeEnd(.struck, .signaled(9), expectedDeath: .exited(0), memoryKills: 1)
                ]
            }
        ),
        (
            "signal 9 ended the worker, not the signal 6 that was sent",
            Scene().with { $0.fault = .abort }
        ),
        (
            "signal 6 ended the worker, not the signal 11 that was sent",
            Scene().with {
                $0.fault = .segv
                $0.death = .signaled(6)
            }
        ),
        (
            "the worker answered signal 6 with exit code 5",
            Scene().with {
                $0.fault = .abort
                $0.death = .exited(5)
            }
        ),
        (
            "signal 9 that was not ours: the kernel counted no death for want of memory",
            Scene().with {
                $0.fault = .oom
                $0.killSent = false
            }
        ),
        (
            "no witness page: the worker died before it wrote one, or writes none",
            Scene().with { $0.hasWitness = false }
        ),
        (
            "the state could not be read: disk full, /x",
            Scene().with {
                $0.hasAutopsy = false
                $0.autopsyError = "disk full; /x"
            }
        ),
        ("the state could not be read: no reason given", Scene().with { $0.hasAutopsy = false }),
        (
            "nothing had been received yet",
            Scene().with {
                $0.witnessed = []
                $0.chunks = []
            }
        ),
        ("the work was done already: the whole video is recovered", finished),
    ]

    static let finished = Scene().with {
        $0.witnessed = [.running(0, got: Scene.video, saved: Scene.video - 9)]
        $0.chunks = [.sound(0..<Scene.video)]
    }

    @Test(arguments: cases.indices)
    func provesNothing(index: Int) {
        let (reason, scene) = Self.cases[index]
        let judgement = scene.judged
        #expect(judgement.verdict == .inconclusive && judgement.reason == reason)
        #expect(judgement.findings.isEmpty)
    }

    @Test func whatOnlyAConclusiveKillShowsIsNotHeldAgainstTheWorker() {
        let scene = Scene().with {
            $0.death = .exited(0)
            $0.commits = 0
            $0.claimed = ByteRanges()
            $0.refetched = []
            $0.hasResumption = false
        }
        #expect(scene.judged.verdict == .inconclusive)
    }

    @Test(arguments: cases.indices)
    func wrongBytesAreAFailureWhateverTheKillDid(index: Int) {
        let judgement = Self.cases[index].scene.with { $0.differing = 17 }.judged
        #expect(judgement.verdict == .fail)
        #expect(
            judgement.reason == "completion: 17 bytes of the completed file are unlike the video's")
        #expect(judgement.figures.corruptBytes == 17)
    }

    @Test func acknowledgedBytesThatAreGoneAreAFailureWhateverTheKillDid() {
        // Everything received and acknowledged, which by itself would mean "done already".
        let judgement = Scene().with {
            $0.witnessed = [.ended(0, got: Scene.video, saved: Scene.video)]
        }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.durability])
    }

    @Test func damagedStateIsAFailureWhateverTheKillDid() {
        let scene = Scene().with {
            $0.killSent = false
            $0.integrityCheck = "malformed"
        }
        #expect(scene.found == [.integrity])
    }

    @Test(arguments: [
        WitnessedRequest.running(-1, got: 1),
        WitnessedRequest.running(0, got: -1),
        WitnessedRequest.running(0, got: 1, saved: -1),
        WitnessedRequest.running(0, got: Scene.video + 1),
        WitnessedRequest.running(Int64.max, got: 1),
        WitnessedRequest.running(1, got: Int64.max),
        WitnessedRequest.running(1, got: 0, saved: .max),
    ])
    func aPageThatSaysWhatCannotBeIsTheWorkersFailure(request: WitnessedRequest) {
        let judgement = Scene().with { $0.witnessed = [request] }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason.hasPrefix("ledger: the witness page says what cannot be"))
        let row = judgement.row("w")
        #expect(row.receivedBytes == nil && row.commits == nil)
    }
}
