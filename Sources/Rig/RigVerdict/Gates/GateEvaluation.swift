package import RigModel

extension Gate {
    /// A result per gate and scope, in the order of the gates.
    ///
    /// Exit code 64 for a policy that the run does not have, a metric that no row knows (but for a
    /// default gate), and an unsuitable baseline.
    package static func evaluate(
        _ gates: [Gate], rows: [IterationRow], policies: [String] = [],
        baseline: GateBaseline? = nil
    ) throws(RigError) -> [GateResult] {
        let names = Summaries.names(rows, policies: policies)
        var results: [GateResult] = []
        for gate in gates {
            try gate.checkPolicy(names)
            if let objection = gate.baselineObjection(baseline, policies: names) {
                throw RigError(.usage, objection)
            }
            for scope in gate.scopes(names) {
                let covered = scope.map { name in rows.filter { $0.policy == name } } ?? rows
                let base = baseline?.runs(of: gate, scope, policies: names) ?? []
                results.append(try gate.result(covered, scope: scope, base: base))
            }
        }
        return results
    }

    private func result(
        _ rows: [IterationRow], scope: String?, base: [[IterationRow]]
    ) throws(RigError) -> GateResult {
        var measure = measured(rows)
        if needsBaseline {
            var change = compared(rows, with: base, isOnePolicy: scope != nil)
            // Only a run without the figure is refused; without the change the gate is unknown.
            change.hasRows = measure.hasRows && (measure.value == nil || change.value != nil)
            if measure.value == nil { change.value = nil }
            change.unknownRows = measure.unknownRows
            measure = change
        }
        return GateResult(
            gate: text, policy: scope, value: measure.value, limit: limit, unit: limitUnit,
            n: measure.n, interval: measure.interval, verdict: try verdict(measure, scope: scope),
            unknownRows: measure.unknownRows)
    }

    private func verdict(_ measure: Measure, scope: String?) throws(RigError) -> GateVerdict {
        guard let value = measure.value else {
            // No completed file means no wrong bytes to count, and such rows are failures already.
            // A default gate was not requested by the user, so an unknown value is no usage error.
            guard measure.hasRows, metric != .corruptBytes, !Self.defaults.contains(self) else {
                return .unknown
            }
            let place = scope.map { " of \($0)" } ?? ""
            throw RigError.usage(
                "gate '\(text)': \(metric.rawValue) is unknown in every conclusive row\(place);"
                    + " leave the gate out, or use a worker that shows it")
        }
        let decided = decision(value, measure.interval)
        // Inconclusive rows break no promise: too many of them leave the run inconclusive.
        if decided == .fails, metric == .inconclusivePercent { return .unknown }
        // Unknown losses may exceed any limit, and unjudged rows may be violations.
        return decided == .holds && measure.unknownRows > 0 ? .unknown : decided
    }

    struct Measure {
        var value: Double?
        var n: Int
        /// The 95 % interval; nil for exact values.
        var interval: ConfidenceInterval?
        var hasRows = true
        /// Rows that should have the figure but do not.
        var unknownRows = 0
    }

    func measured(_ rows: [IterationRow]) -> Measure {
        let conclusive = rows.filter(\.isConclusive)
        var measure = measured(rows, conclusive)
        measure.unknownRows =
            switch metric {
            case .violations, .violationRate: conclusive.count(where: \.isUndecided)
            case .lossPercent, .lostBytes, .corruptBytes: conclusive.count - measure.n
            case .refetchedBytes, .recoverySeconds, .resumeSeconds, .inconclusivePercent,
                .phasesHit:
                0
            }
        return measure
    }

    private func measured(_ rows: [IterationRow], _ conclusive: [IterationRow]) -> Measure {
        switch (metric, statistic) {
        case (.violationRate, _):
            let (events, trials) = violations(conclusive)
            return share(events, of: trials)
        case (.inconclusivePercent, _): return share(rows.count - conclusive.count, of: rows.count)
        case (.violations, _):
            let (events, trials) = violations(conclusive)
            return Measure(value: trials > 0 ? Double(events) : nil, n: trials, hasRows: trials > 0)
        case (.phasesHit, _):
            let kills = conclusive.filter { !$0.isSpared }
            let phases = kills.compactMap(\.phase)
            let known: Double? = phases.isEmpty ? nil : Double(Set(phases).count)
            return Measure(value: known, n: phases.count, hasRows: !kills.isEmpty)
        case (.lossPercent, nil):
            return estimate(
                SampleFigure(percentOfReceived: \.lostBytes, in: conclusive),
                hasRows: !conclusive.isEmpty)
        case (_, let statistic): return perRow(conclusive, statistic)
        }
    }

    private func estimate(_ figure: SampleFigure, hasRows: Bool) -> Measure {
        Measure(
            value: figure.value, n: figure.count, interval: figure.interval(), hasRows: hasRows)
    }

    private func perRow(_ rows: [IterationRow], _ statistic: Statistic?) -> Measure {
        let sample = SortedSample(rows.compactMap(metric.facts.value))
        if let kind = statistic?.estimate {
            return estimate(SampleFigure(kind, of: sample.values), hasRows: !rows.isEmpty)
        }
        let sum: Double? = sample.count > 0 ? sample.values.reduce(0, +) : nil
        let value = statistic == nil ? sum : statistic == .min ? sample.min : sample.max
        return Measure(value: value, n: sample.count, hasRows: !rows.isEmpty)
    }

    /// A rate; without an interval if it is exact.
    private func share(_ events: Int, of count: Int) -> Measure {
        guard let rate = rate(events, of: count) else {
            return Measure(value: nil, n: 0, hasRows: false)
        }
        return Measure(value: rate.value, n: count, interval: isEstimate ? rate.interval : nil)
    }
}
