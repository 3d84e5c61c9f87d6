import RigModel
import RigVerdict
import Testing

/// Kills in a requested phase: other things are conclusive there than elsewhere.
@Suite struct PlannedPhaseTests {
    private static let finished = Scene().with {
        $0.phase = .completing
        $0.commits = 20
        $0.witnessed = [.ended(0, got: Scene.video, saved: Scene.video)]
        $0.chunks = (0..<20).map { index in
            StoredChunk.sound(index * Scene.chunk..<(index + 1) * Scene.chunk)
        }
        $0.claimed = ByteRanges([0..<Scene.video])
        $0.refetched = []
    }

    @Test(arguments: [Phase.checkpointing, .completing, .idle])
    func thatTheWorkWasDoneIsConclusiveWhereItWasAskedFor(phase: Phase) {
        let scene = Self.finished.with {
            $0.trigger = .phase(phase)
            $0.phase = phase
        }
        #expect(scene.judged.verdict == .pass)
        // Elsewhere it is not: the kill came too late.
        #expect(scene.with { $0.trigger = .time(0.5) }.judged.verdict == .inconclusive)
        #expect(scene.with { $0.phase = .receiving }.judged.verdict == .inconclusive)
    }

    @Test func whatIsLostOrFetchedAgainThereIsFound() {
        let lost = Self.finished.with {
            $0.trigger = .phase(.completing)
            $0.chunks.removeLast()
            $0.claimed = ByteRanges([0..<Scene.video - Scene.chunk])
            $0.refetched = [Scene.video - Scene.chunk..<Scene.video]
        }
        #expect(lost.found.contains(.durability))
        let again = Self.finished.with {
            $0.trigger = .phase(.completing)
            $0.refetched = [0..<Scene.chunk]
        }
        #expect(again.found == [.resumption])
    }

    @Test func aLifeBeforeMakesAKillBeforeTheFirstByteTell() {
        let early = Scene().with {
            $0.trigger = .phase(.recovering)
            $0.phase = .recovering
            $0.witnessed = []
            $0.commits = 0
        }
        #expect(early.judged.reason == "nothing had been received yet")
        let kept = early.with { $0.baseline = ByteRanges([0..<Scene.saved]) }
        #expect(kept.judged.verdict == .pass)
        #expect(kept.judged.figures.lost?.count == 0)
        let gone = early.with { $0.baseline = ByteRanges([0..<Scene.saved + 9]) }
        #expect(gone.found == [.durability])
    }

    private static let before: [(Phase, [WitnessedRequest], [ServedRequest])] = [
        // A worker that never reports any further progress.
        (
            .recovering, Scene().witnessed,
            [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached)]
        ),
        (.starting, [], [ServedRequest(requested: 0..<2, servedBytes: 0)]),
        (.receiving, [], []),
        (
            .idle, Scene().witnessed,
            [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached)]
        ),
    ]

    @Test(arguments: before.indices)
    func aPhaseThatCannotBeTrueIsFound(index: Int) {
        let (phase, witnessed, served) = Self.before[index]
        let scene = Scene().with {
            $0.phase = phase
            $0.witnessed = witnessed
            $0.served = served
            $0.baseline = ByteRanges([0..<Scene.saved])
        }
        let findings = scene.judged.findings.filter { $0.checker == .ledger }
        #expect(findings.count == 1)
        #expect(findings.first?.detail.contains("says it was \(phase.rawValue)") == true)
    }

    @Test(arguments: [
        (0, "the worker never entered evicting, and ended by itself with exit code 0"),
        (
            1,
            "the worker entered evicting only 1 time, not as often as planned, and ended by itself"
                + " with exit code 0"
        ),
        (
            3,
            "the worker entered evicting only 3 times, not as often as planned, and ended by"
                + " itself with exit code 0"
        ),
    ])
    func aPhaseThatDoesNotComeIsSaid(entries: Int, reason: String) {
        let judgement = Scene().with {
            $0.trigger = .phase(.evicting)
            $0.end(.exited(0))
            $0.entries = [.evicting: entries]
        }.judged
        #expect(judgement.verdict == .inconclusive && judgement.reason == reason)
    }
}
