import Foundation
package import RigModel

extension Gate {
    /// Refuses gates that cannot hold whatever the run shows, before anything runs.
    ///
    /// - Parameters:
    ///   - gates: the run's gates.
    ///   - policies: the names of the policies that are going to run.
    ///   - iterations: iterations per policy.
    /// - Throws: ``RigModel/RigError`` with exit code 64.
    package static func check(
        _ gates: [Gate], policies: [String], iterations: Int
    ) throws(RigError) {
        for gate in gates {
            try gate.checkPolicy(policies)
            try gate.checkBound(policies: policies, iterations: iterations)
            try gate.checkRange(policies: policies, iterations: iterations)
            if gate.metric == .phasesHit,
                !(0...Phase.allCases.count).contains(where: {
                    gate.comparison.holds(Double($0), gate.limit)
                })
            {
                throw RigError(
                    .usage,
                    "gate '\(gate.text)': there are \(Phase.allCases.count) phases; ask for fewer")
            }
        }
    }

    /// Refuses a gate on a policy that the run does not have.
    func checkPolicy(_ policies: [String]) throws(RigError) {
        guard let policy, !policies.contains(policy) else { return }
        throw RigError(
            .usage,
            "gate '\(text)': the run has no policy \(policy);"
                + " use one of \(policies.joined(separator: ", ")), or add it with --thresholds")
    }

    /// True when a rate's upper bound is asked to lie below the limit.
    var asksForLowBound: Bool {
        statistic == .ucb95 && (comparison == .below || comparison == .atMost)
    }

    /// Refuses a limit that no value of the metric can satisfy.
    private func checkRange(policies: [String], iterations: Int) throws(RigError) {
        let rows = iterations * (policy == nil ? max(1, policies.count) : 1)
        let most: Double
        switch metric {
        case .violations: most = Double(rows)
        case .violationRate: most = 1
        case .lossPercent, .inconclusivePercent: most = 100
        case .corruptBytes, .lostBytes, .refetchedBytes, .recoverySeconds, .resumeSeconds:
            most = .infinity
        case .phasesHit: return
        }
        let canHold =
            switch comparison {
            case .below: limit > 0
            case .atMost: limit >= 0
            case .equal: (0...most).contains(limit)
            case .notEqual: true
            case .atLeast: limit <= most
            case .above: limit < most
            }
        guard !canHold else { return }
        let range = most.isFinite ? "from 0 to \(metric.unit.text(most))" : "at least 0"
        throw RigError(
            .usage,
            "gate '\(text)' can never hold: \(metric.rawValue) is \(range);"
                + " give a limit that it can meet")
    }

    private func checkBound(policies: [String], iterations: Int) throws(RigError) {
        guard asksForLowBound else { return }
        let rate = metric.unit == .percent ? limit / 100 : limit
        let covered = policy == nil ? max(1, policies.count) : 1
        let trials = iterations * covered
        let best = Binomial.upperBound(events: 0, trials: trials) ?? 1
        guard !comparison.holds(best, rate) else { return }
        guard let needed = Binomial.trialsNeeded(toBoundBelow: rate) else {
            throw RigError(
                .usage,
                "gate '\(text)': no number of iterations bounds a rate so low; raise the limit")
        }
        let each = (needed + covered - 1) / covered
        let percent = MetricUnit.fraction.text(best)
        throw RigError(
            .usage,
            "gate '\(text)' needs >= \(each) iterations\(covered > 1 ? " of each policy" : ""):"
                + " \(trials) rows bound a rate at \(percent) at best;"
                + " give --iterations \(each), or raise the limit")
    }
}
