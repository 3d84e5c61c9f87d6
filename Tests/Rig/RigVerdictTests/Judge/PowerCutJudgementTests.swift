import RigModel
import RigVerdict
import Testing

/// Each fault has its own bound: what a power cut may take, and what it may not.
@Suite struct PowerCutJudgementTests {
    private static let threshold = ByteSize(bytes: Scene.chunk)

    /// A power cut that took everything but the first chunk.
    private func cut(_ durability: Durability) -> Scene {
        Scene().with {
            $0.fault = .powerCut
            $0.policy = Policy(threshold: Self.threshold, durability: durability)
            $0.keep(0..<Scene.chunk)
        }
    }

    @Test func withDurabilityPowerAcknowledgedBytesMustBeThere() {
        let judgement = cut(.power).judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason.contains("durability:"))
        #expect(judgement.reason.contains("bound:"))
        #expect(judgement.figures.bound == Scene.chunk)
    }

    @Test func withDurabilityProcessTheyMayBeGone() {
        let judgement = cut(.process).judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == nil)
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.chunk)
    }

    @Test func whatIsFoundHasToBeRightAllTheSame() {
        let wrong = StoredChunk(range: 0..<Scene.chunk, checksumMatches: true, differingBytes: 9)
        let judgement = cut(.process).withChunk(0, wrong).judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason.contains("integrity:"))
        #expect(judgement.figures.corruptBytes == 9)
    }

    /// A chunk with a wrong checksum is lost if commits need not survive, and else a fault.
    @Test func whatAChecksumGivesAwayIsLostAndFetchedAgain() {
        let torn = StoredChunk(range: 0..<Scene.chunk, checksumMatches: false, differingBytes: 9)
        let scene = cut(.process).withChunk(0, torn)
        let ignored = scene.judged
        #expect(ignored.reason.hasPrefix("resumption:"))
        let dropped = scene.with { $0.refetched = [0..<Scene.chunk] + $0.refetched }.judged
        #expect(dropped.verdict == .pass, "\(dropped.reason)")
        #expect(dropped.figures.corruptBytes == 0)
        let power = cut(.power).withChunk(0, torn).judged
        #expect(power.reason.contains("integrity:"))
        #expect(power.figures.corruptBytes == 9)
    }

    /// Between the cut and signal 9 the worker gets errors, and may end; before, it fails.
    @Test(arguments: [Death.exited(74), .signaled(7), .signaled(9)])
    func howAWorkerThatWasCutOffEndsProvesNothingElse(death: Death) {
        let scene = Scene().with {
            $0.fault = .powerCut
            $0.policy = Policy(threshold: Self.threshold, durability: .power)
            $0.death = death
        }
        #expect(scene.judged.verdict == .pass)
        let uncut = scene.with { $0.killSent = false }
        // The sender of signal 9 is unknown here.
        let verdict = uncut.judged.verdict
        #expect(verdict == (death == .signaled(9) ? .inconclusive : .fail))
    }

    @Test func aListMayBeGoneAndMayNotBeTorn() {
        let process = Policy(threshold: Self.threshold, durability: .process)
        let gone = Scene.library.with {
            $0.fault = .powerCut
            $0.policy = process
            $0.library = .healthy.with(killed: .folder(.none, images: []))
        }
        #expect(!gone.judged.reason.contains("library:"))
        let killed = gone.with { $0.fault = .sigkill }
        #expect(killed.judged.reason.contains("library: there is no list"))
        let torn = gone.with { $0.library = .healthy.with(killed: .folder(.unlike("half of two"))) }
        #expect(torn.judged.reason.contains("library: the list is neither"))
    }

    // MARK: Stored rows

    private func check(
        _ durability: Durability, _ fault: Fault, bound: Int64?, verdict: Verdict
    ) -> String? {
        let policy = Policy(threshold: Self.threshold, durability: durability)
        let manifest = makeManifest(
            KillPlan(
                seed: 7, iterations: 1, policies: [policy], trigger: .random,
                videoLength: Scene.video), RunSpec(fault: fault))
        let rows = manifest.plan.schedule.map { planned -> IterationRow in
            var row = IterationRow(
                runID: "run", plan: planned, kill: 1, worker: "downloader", workload: "download",
                fault: fault, verdict: verdict, reason: verdict == .pass ? "" : "nothing yet")
            row.boundBytes = bound
            return row
        }
        return refusal { try PlanCheck.check(rows, against: manifest) }
    }

    /// Rows that claim a bound where none is promised, or pass without the promised one.
    @Test func aStoredBoundHasToFitThePlansDurability() {
        #expect(check(.power, .powerCut, bound: Scene.chunk, verdict: .pass) == nil)
        #expect(check(.process, .powerCut, bound: nil, verdict: .pass) == nil)
        #expect(check(.power, .powerCut, bound: nil, verdict: .inconclusive) == nil)
        let invented = check(.process, .powerCut, bound: Scene.chunk, verdict: .pass)
        #expect(invented?.contains("column bound_bytes") == true)
        let missing = check(.power, .powerCut, bound: nil, verdict: .pass)
        #expect(missing?.contains("column bound_bytes") == true)
    }
}
