import RigReport
import Testing

@Suite struct ProgressLineTests {
    static let state = ProgressState(
        done: 42, total: 100, policy: "512KB", violations: 0, rateBound: 0.0688, inconclusive: 0,
        elapsedSeconds: 2.1)

    @Test func tellsHowFarAndWhatIsProven() {
        #expect(
            ProgressLine.text(Self.state)
                == "42/100  512KB  violations 0 (rate < 6.9 %)  inconclusive 0  eta 3 s")
    }

    /// A program without thresholds was said to have "512KB  violations 0".
    @Test func theOnlyPolicyIsNotNamed() {
        var state = Self.state
        state.isOnlyPolicy = true
        #expect(
            ProgressLine.text(state)
                == "42/100  violations 0 (rate < 6.9 %)  inconclusive 0  eta 3 s")
    }

    @Test func beforeTheFirstIterationNothingIsKnown() {
        let state = ProgressState(
            done: 0, total: 100, policy: nil, violations: 0, rateBound: nil, inconclusive: 0,
            elapsedSeconds: 0)
        #expect(ProgressLine.text(state) == "0/100  violations 0  inconclusive 0")
    }

    @Test(arguments: [
        (1, 1.0, "eta 1 min 39 s"), (50, 100, "eta 1 min 40 s"), (99, 9_900, "eta 1 min 40 s"),
        (50, 59.9, "eta 1 min 0 s"), (50, 58.9, "eta 59 s"), (10, 0, "eta 0 s"),
    ])
    func theRestTakesAsLongAsWhatIsDone(done: Int, elapsed: Double, eta: String) {
        var state = Self.state
        state.done = done
        state.elapsedSeconds = elapsed
        #expect(ProgressLine.text(state).hasSuffix(eta))
    }

    @Test func atTheEndNothingIsLeft() {
        var state = Self.state
        state.done = 100
        #expect(!ProgressLine.text(state).contains("eta"))
    }
}
