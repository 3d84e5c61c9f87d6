package import RigModel

/// How large a run is, which decides which gates it can satisfy.
package struct RunSize: Sendable, Hashable {
    package let policies: [String]
    package let iterations: Int
    package let killsPerIteration: Int
    /// The phases that kills can land in, each once.
    package let phases: [Phase]
    package let sparesWorkers: Bool
    package var baseline: GateBaseline?

    package init(
        policies: [String], iterations: Int, killsPerIteration: Int = 1,
        phases: [Phase] = Phase.allCases, sparesWorkers: Bool = false
    ) {
        (self.policies, self.iterations) = (policies, iterations)
        self.killsPerIteration = max(1, killsPerIteration)
        (self.phases, self.sparesWorkers) = (phases, sparesWorkers)
    }

    /// Kills of one policy; `Int.max` on overflow.
    package var rowsPerPolicy: Int { iterations.saturated(times: killsPerIteration) }
}

extension Gate {
    /// Refuses, before the run and with exit code 64, gates that cannot hold whatever it shows.
    package static func check(_ gates: [Gate], size: RunSize) throws(RigError) {
        for gate in gates {
            try gate.checkPolicy(size.policies)
            if let objection = gate.reach(size).objection { throw RigError(.usage, objection) }
        }
    }

    func checkPolicy(_ policies: [String]) throws(RigError) {
        guard let policy, !policies.contains(policy) else { return }
        throw RigError.usage(
            "gate '\(text)': the run has no policy \(policy);"
                + " use one of \(policies.joined(separator: ", ")), or add it with --thresholds")
    }

    /// Whether the gate can hold in such a run if nothing goes wrong.
    package func reach(_ size: RunSize) -> GatePreview {
        guard !size.sparesWorkers || metric.facts.isAboutSpared else {
            return never(
                "gate '\(text)' is about kills, and no worker is killed; ask for violations == 0"
                    + " or corrupt_bytes == 0, or kill: leave out --at never")
        }
        let isOfAll = metric.facts.spansPolicies && policy == nil
        let scope = isOfAll ? max(1, size.policies.count) : 1
        if needsBaseline { return baselineReach(size, scope: scope) }
        if metric == .phasesHit { return phasesReach(size) }
        if let problem = rangeProblem(rows: size.rowsPerPolicy.saturated(times: scope)) {
            return never(problem)
        }
        guard let needed = rowsNeeded else { return never("gate '\(text)': \(neverAdvice)") }
        return reach(size, rows: needed, scope: scope) { shortfall(rows: $0) }
    }

    private func never(_ objection: String) -> GatePreview {
        GatePreview(gate: text, iterationsNeeded: nil, objection: objection)
    }

    private func reach(
        _ size: RunSize, rows needed: Int, scope: Int, shortfall: (Int) -> String
    ) -> GatePreview {
        let each = size.killsPerIteration.saturated(times: scope)
        let chains = size.killsPerIteration
        return reach(
            size, iterations: (needed - 1) / each + 1,
            of: (chains > 1 ? " of \(chains) kills" : "") + (scope > 1 ? " of each policy" : ""),
            shortfall(size.iterations.saturated(times: each)), or: relief)
    }

    private func reach(
        _ size: RunSize, iterations: Int, of kind: String = "",
        _ shortfall: @autoclosure () -> String, or relief: String
    ) -> GatePreview {
        let isEnough = iterations <= size.iterations
        return GatePreview(
            gate: text, iterationsNeeded: iterations,
            objection: isEnough
                ? nil
                : "gate '\(text)' needs >= \(iterations) iterations\(kind): \(shortfall());"
                    + " give --iterations \(iterations), or \(relief)")
    }

    private func baselineReach(_ size: RunSize, scope: Int) -> GatePreview {
        if let objection = baselineObjection(size.baseline, policies: size.policies) {
            return never(objection)
        }
        var most = 1
        for name in scopes(size.policies) {
            let runs = size.baseline?.runs(of: self, name, policies: size.policies) ?? []
            let rows = runs.flatMap { $0 }
            // Where a history has no such run yet, the gate is undecided, and the history grows.
            if reference == .history, exactFigure(rows) == nil { continue }
            if let problem = changeProblem(from: exactFigure(rows) ?? 0) { return never(problem) }
            let kills = rows.filter(\.isConclusive)
            guard
                let needed = rowsNeeded(baseline: (kills.count, kills.count(where: \.isViolation)))
            else {
                if reference == .history { continue }
                return never(
                    "gate '\(text)': the \(kills.count) conclusive rows of the baseline are too few"
                        + " to bound a change; name a longer run by --baseline, or ask for"
                        + " \(metric == .violationRate ? "violations" : "\(metric.rawValue).max"),"
                        + " which is known exactly")
            }
            most = max(most, needed)
        }
        return reach(size, rows: most, scope: scope) {
            "\($0.counted("row")) bound\($0 == 1 ? "s" : "") no such change"
        }
    }

    private func changeProblem(from base: Double) -> String? {
        let change = kind == .percent ? base * limit / 100 : limit
        guard !comparison.canHold(base + change, upTo: metric.facts.greatest) else { return nil }
        return "gate '\(text)' can never hold: \(metric.rawValue) is \(metric.unit.text(base)) in"
            + " the \(reference.rawValue); give a change that it can make"
    }

    private func phasesReach(_ size: RunSize) -> GatePreview {
        let inReach = size.phases.count
        guard inReach > 0 else {
            return never(
                "gate '\(text)': a worker without a witness page shows no phases; leave it out")
        }
        // A run with a known phase has hit at least one.
        guard let fewest = (1...inReach).first(where: { comparison.holds(Double($0), limit) })
        else {
            let there =
                inReach == Phase.allCases.count
                ? "there are \(inReach) phases" : "\(inReach) phases are in reach of this workload"
            return never("gate '\(text)': \(there); ask for fewer, and at least one")
        }
        return reach(
            size, iterations: (fewest - 1) / size.killsPerIteration + 1,
            "a kill lands in one phase", or: "ask for fewer phases")
    }

    private func rangeProblem(rows: Int) -> String? {
        let most = metric == .violations ? Double(rows) : metric.facts.greatest
        guard !comparison.canHold(limit, upTo: most) else { return nil }
        let range = most.isFinite ? "from 0 to \(metric.unit.text(most))" : "at least 0"
        return "gate '\(text)' can never hold: \(metric.rawValue) is \(range);"
            + " give a limit that it can meet"
    }
}

extension Int {
    fileprivate func saturated(times other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
