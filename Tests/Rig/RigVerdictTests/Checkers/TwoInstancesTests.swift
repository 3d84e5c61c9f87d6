import RigModel
import RigVerdict
import Testing

/// A relaunch by two instances, which may both fetch the same.
@Suite struct TwoInstancesTests {
    private func judged(_ refetched: [Range<Int64>]) -> Judgement {
        var evidence = Scene().with { $0.refetched = refetched }.evidence
        evidence.relaunch = .twice
        return Judge.judge(evidence)
    }

    /// One has fetched what is missing, the other everything.
    @Test func bytesMayBeFetchedAgain() {
        #expect(judged([Scene.saved..<Scene.video, 0..<Scene.video]).findings.map(\.detail) == [])
    }

    /// What neither has fetched was not kept, so it came from elsewhere.
    @Test func whatWasMissingMustBeFetchedByOne() {
        let judgement = judged([Scene.saved + 100..<Scene.video])
        #expect(judgement.findings.map(\.checker).contains(.resumption))
        #expect(judgement.reason.contains("100 bytes neither recovered nor asked for"))
    }

    /// A refusal is no failure, and a crash is one.
    @Test(arguments: [(Death.exited(75), Verdict.pass), (.signaled(11), .fail)])
    func theOtherMayRefuse(death: Death, verdict: Verdict) {
        var evidence = Scene().evidence
        evidence.relaunch = .twice
        let expected: Death = if case .exited = death { death } else { .exited(0) }
        evidence.lives.append(LifeEnd(.beside, death, expectedDeath: expected))
        #expect(Judge.judge(evidence).verdict == verdict)
    }
}
