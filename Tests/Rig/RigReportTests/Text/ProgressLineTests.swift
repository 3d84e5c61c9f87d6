import RigReport
import Testing

@Suite struct ProgressLineTests {
    @Test(arguments: [
        (42, 2.1, "  eta 3 s"), (1, 1.0, "  eta 1 min 39 s"), (50, 100, "  eta 1 min 40 s"),
        (99, 9_900, "  eta 1 min 40 s"), (50, 59.9, "  eta 1 min 0 s"), (50, 58.9, "  eta 59 s"),
        (10, 0, "  eta 0 s"), (100, 2.1, ""),
    ])
    func tellsHowFarWhatIsProvenAndWhatIsLeft(done: Int, elapsed: Double, eta: String) {
        var state = ProgressState(
            done: done, total: 100, policy: "512KB", violations: 0, rateBound: 0.0688,
            inconclusive: 0, elapsedSeconds: elapsed)
        let rest = "violations 0 (rate < 6.9 %)  inconclusive 0\(eta)"
        #expect(ProgressLine.text(state) == "\(done)/100  512KB  \(rest)")
        // A program without thresholds was said to have "512KB  violations 0".
        state.isOnlyPolicy = true
        #expect(ProgressLine.text(state) == "\(done)/100  \(rest)")
    }

    @Test func beforeTheFirstIterationNothingIsKnown() {
        let state = ProgressState(
            done: 0, total: 100, policy: nil, violations: 0, rateBound: nil, inconclusive: 0,
            elapsedSeconds: 0)
        #expect(ProgressLine.text(state) == "0/100  violations 0  inconclusive 0")
    }
}
