import RigModel
import RigVerdict
import Testing

/// A complete old version is not a mixture: of a worker that was killed at a checkpoint with
/// everything, ten of ten rows were reported as stitched, though it rightly requests nothing then.
@Suite struct StaleTests {
    private func row(_ judgement: Judgement) -> IterationRow { judgement.row("curl") }

    private func completions(_ judgement: Judgement) -> [String] {
        judgement.findings.filter { $0.checker == .completion }.map(\.detail)
    }

    /// The reference worker, killed in a checkpoint with everything acknowledged.
    private static let checkpointing = Scene().with {
        $0.trigger = .phase(.checkpointing)
        $0.phase = .checkpointing
        $0.originChanged = true
        $0.commits = 20
        $0.witnessed[1] = .running(0, got: Scene.video, saved: Scene.video)
        $0.chunks = (0..<20).map { StoredChunk.sound($0 * Scene.chunk..<($0 + 1) * Scene.chunk) }
        $0.claimed = ByteRanges([0..<Scene.video])
        $0.refetched = []
        $0.differing = Scene.video
        $0.wrong = ByteRanges([0..<Scene.video])
        $0.stale = ByteRanges([0..<Scene.video])
        $0.isVersionBefore = true
    }

    @Test func aWholeOldVersionIsToldAndNoFinding() {
        let judgement = Self.checkpointing.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason == "stale: the completed file is the version before, whole")
        #expect(judgement.figures.corruptBytes == 0)
        let row = row(judgement)
        #expect(row.isStale)
        #expect(row.whyNotJudged == nil && row.contradiction == nil)
    }

    /// Bytes past the new version's end, 5 MB of 10, were "unlike the video's".
    @Test func ofAShorterVersionTheSurplusIsStaleToo() {
        let half = Scene.video / 2
        let scene = Self.checkpointing.with { $0.wrong = ByteRanges([0..<half]) }
        #expect(scene.judged.verdict == .pass)
        // The same for a mixture: two thirds of its old bytes are past the new one's end.
        let mixed = scene.with {
            $0.isVersionBefore = false
            $0.stale = ByteRanges([0..<half + 1000])
            $0.differing = half + 1000
        }
        #expect(mixed.found == [.stitched])
    }

    @Test func aKillThatProvesNothingTellsItToo() {
        let judgement = Scene.stale.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.hasPrefix("the work may have been done already"))
        let row = row(judgement)
        #expect(row.isStale)
        #expect(row.contradiction == nil)
    }

    @Test func whatWasNotJudgedIsToldBesideIt() {
        let scene = Scene.stale.with { $0.trigger = .phase(.committing) }
        let judgement = scene.with {
            $0.hasWitness = true
            $0.phase = .committing
            $0.witnessed = [.running(0, got: Scene.video)]
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        let row = row(judgement)
        #expect(row.isStale)
        #expect(row.whyNotJudged?.hasPrefix("bound (recovered is not known") == true)
        #expect(row.whyNotJudged?.contains("stale") == false)
    }

    @Test(arguments: [true, false])
    func aWorkerThatPromisesToAskAgainFailsByItWhateverTheKillDid(isConclusive: Bool) {
        let scene =
            isConclusive
            ? Self.checkpointing.with {
                $0.contract = WorkerContract(
                    hasWitness: true, hasInspection: true, bound: .threshold, revalidates: true)
            } : Scene.stale.with { $0.contract = Scene.revalidating }
        let judgement = scene.judged
        #expect(judgement.findings.map(\.checker) == [.stale], "\(judgement.reason)")
        #expect(row(judgement).isViolation)
        #expect(!row(judgement).isStale)
    }

    /// It revalidates as promised; the bytes of the answer do not make the file a mixture.
    @Test func bytesServedOnTheWayDoNotMakeItAMixture() {
        #expect(Self.checkpointing.with { $0.refetched = [0..<2] }.judged.verdict == .pass)
    }

    /// Stale bytes are forgiven only where the worker calls its file completed.
    @Test func aFailedRelaunchIsForgivenNoStaleByte() {
        let judgement = Scene.stale.with {
            $0.isVersionBefore = false
            $0.wrong = ByteRanges([0..<Scene.kept])
            $0.stale = ByteRanges([0..<Scene.kept])
            $0.differing = Scene.kept
            $0.resumptionDeath = .exited(1)
        }.judged
        #expect(judgement.verdict == .fail)
        #expect(
            completions(judgement).contains(
                "2996224 bytes of the completed file are unlike the video's"))
        #expect(judgement.figures.corruptBytes == Scene.kept)
        // The same if it is the whole old version.
        let whole = Scene.stale.with { $0.resumptionDeath = .exited(1) }.judged
        #expect(
            completions(whole).contains(
                "10485760 bytes of the completed file are unlike the video's"))
        #expect(Set(whole.findings.map(\.checker)) == [.completion, .exit])
        #expect(whole.figures.corruptBytes == Scene.video)
    }

    @Test func theSummaryCountsThem() throws {
        let rows =
            [Self.checkpointing, Scene()].enumerated().map { index, scene in
                row(scene.with { $0.iteration = index + 1 }.judged)
            }
        let sentences = try makeSummary(rows).sentences
        #expect(
            sentences.contains {
                $0.hasPrefix("stale after 1 of 2 kills: the completed file is the version before")
            }, "\(sentences)")
    }
}
