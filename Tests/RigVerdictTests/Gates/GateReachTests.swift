import RigModel
import RigVerdict
import Testing

@Suite struct GateReachTests {
    private func message(
        _ gate: String, _ policies: [String] = ["512KB"], iterations: Int
    ) -> String? {
        do {
            try Gate.check([Gate(gate)], policies: policies, iterations: iterations)
            return nil
        } catch {
            #expect(error.status == .usage)
            return error.message
        }
    }

    @Test(arguments: [
        ("violation_rate.ucb95 < 1%", 298, "needs >= 299 iterations"),
        ("violation_rate.ucb95 <= 1%", 100, "needs >= 299 iterations"),
        ("512KB:violation_rate.ucb95 < 0.1%", 100, "needs >= 2995 iterations"),
        ("inconclusive_percent.ucb95 < 1", 100, "needs >= 299 iterations"),
        ("violation_rate.ucb95 < 0", 1_000_000, "no number of iterations"),
        ("phases_hit >= 11", 100, "there are 10 phases"),
        ("phases_hit > 10", 100, "there are 10 phases"),
        ("violations < 0", 100, "can never hold: violations is from 0 to 100"),
        ("violations > 100", 100, "can never hold"),
        ("violations >= 101", 100, "can never hold"),
        ("corrupt_bytes < 0", 100, "can never hold: corrupt_bytes is at least 0"),
        ("lost_bytes.max < 0", 100, "can never hold: lost_bytes is at least 0"),
        ("lost_bytes < 0", 100, "can never hold"),
        ("refetched_bytes.median < 0", 100, "can never hold"),
        ("recovery_seconds.p99 < 0", 100, "can never hold: recovery_seconds is at least 0;"),
        ("resume_seconds.max < 0", 100, "can never hold"),
        ("violation_rate < 0", 100, "can never hold"),
        ("violation_rate > 1", 100, "can never hold: violation_rate is from 0 to 100.000 %;"),
        ("violation_rate.ucb95 > 100%", 100, "can never hold"),
        ("loss_percent > 100", 100, "can never hold: loss_percent is from 0 to 100.000 %;"),
        ("loss_percent < 0", 100, "can never hold"),
        ("loss_percent.max == 101", 100, "can never hold"),
        ("inconclusive_percent >= 101", 100, "can never hold"),
        ("1MB:violations == 0", 100, "the run has no policy 1MB; use one of 512KB"),
    ])
    func refusesWhatCannotHold(gate: String, iterations: Int, why: String) {
        #expect(message(gate, iterations: iterations)?.contains(why) ?? false)
    }

    @Test(arguments: [
        ("violation_rate.ucb95 < 1%", 299), ("violation_rate.ucb95 > 1%", 10),
        ("violations <= 0", 1), ("violations >= 100", 100), ("violations != 0", 1),
        ("loss_percent >= 100", 1), ("loss_percent <= 0", 1),
        ("corrupt_bytes <= 0", 1), ("lost_bytes.max > 100MB", 1), ("loss_percent <= 200", 1),
        ("violation_rate < 1%", 1), ("phases_hit >= 10", 1), ("512KB:violations == 0", 1),
    ])
    func acceptsWhatMayHold(gate: String, iterations: Int) {
        #expect(message(gate, iterations: iterations) == nil)
    }

    @Test func aGateWithoutAPolicyCountsTheRowsOfAll() {
        let policies = ["256KB", "512KB", "1MB", "disabled"]
        #expect(message("violation_rate.ucb95 < 1%", policies, iterations: 75) == nil)
        let short = message("violation_rate.ucb95 < 1%", policies, iterations: 74)
        #expect(short?.contains("needs >= 75 iterations of each policy") ?? false)
        let one = message("1MB:violation_rate.ucb95 < 1%", policies, iterations: 75)
        #expect(one?.contains("needs >= 299 iterations: 75 rows") ?? false)
    }

    @Test func theRefusalSaysWhatTheRunWouldShow() {
        let text = message("violation_rate.ucb95 < 1%", iterations: 100)
        #expect(
            text
                == "gate 'violation_rate.ucb95 < 1%' needs >= 299 iterations: 100 rows bound a rate"
                + " at 2.951 % at best; give --iterations 299, or raise the limit")
    }
}
