package import RigModel

extension Gate {
    /// Applies gates to the rows of a run.
    ///
    /// - Parameters:
    ///   - gates: the gates.
    ///   - rows: every row of the run.
    ///   - policies: the policies that were asked for; those that occur in the rows only are added.
    ///   - baseline: the run that gates `vs baseline` compare with.
    /// - Returns: one result per gate and policy it was applied to, in the order of the gates.
    /// - Throws: ``RigModel/RigError`` with exit code 64 for a policy that the run does not have,
    ///   for a metric that no row knows, unless a default gate is about it, and for a baseline that a
    ///   gate cannot be compared with.
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
                let base = baseline?.rows(scope, of: names) ?? []
                results.append(try gate.result(covered, scope: scope, base: base))
            }
        }
        return results
    }

    private func result(
        _ rows: [IterationRow], scope: String?, base: [IterationRow]
    ) throws(RigError) -> GateResult {
        var measure = measured(rows)
        if needsBaseline {
            let change = compared(rows, with: base, isOnePolicy: scope != nil)
            // Where the run itself shows nothing, that is what there is to say.
            if measure.value != nil, change.value == nil { measure.hasRows = false }
            measure.value = measure.value == nil ? nil : change.value
            measure.n = change.n
            measure.interval = change.interval
        }
        return GateResult(
            gate: text, policy: scope, value: measure.value, limit: limit, unit: limitUnit,
            n: measure.n, interval: measure.interval, verdict: try verdict(measure, scope: scope),
            unknownRows: measure.unknownRows)
    }

    private func verdict(_ measure: Measure, scope: String?) throws(RigError) -> GateVerdict {
        guard let value = measure.value else {
            // Where no worker completed its file there are no wrong bytes to count, and the rows are
            // failures; and nobody asked for a default gate: that nothing is known of it is no mistake
            // of theirs.
            guard measure.hasRows, metric != .corruptBytes, !Self.defaults.contains(self) else {
                return .unknown
            }
            let place = scope.map { " of \($0)" } ?? ""
            throw RigError(
                .usage,
                "gate '\(text)': no conclusive row\(place) knows \(metric.rawValue);"
                    + " leave the gate out, or use a worker that shows it")
        }
        let decided = decision(value, measure.interval)
        // Rows that prove nothing break no promise: too many of them leave the run inconclusive.
        if decided == .fails, metric == .inconclusivePercent { return .unknown }
        // An unknown is never a pass: what these rows lost may lie beyond any limit, and what could
        // not be judged in them may be a violation.
        return decided == .holds && measure.unknownRows > 0 ? .unknown : decided
    }

    struct Measure {
        var value: Double?
        var n: Int
        var interval: ConfidenceInterval?
        /// True when there was something to measure.
        var hasRows: Bool
        /// Rows that should know their figure and do not.
        var unknownRows = 0
    }

    /// What the rows show, without regard to any baseline.
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
        case (.inconclusivePercent, _):
            return share(rows.count - conclusive.count, of: rows.count)
        case (.violations, _):
            let (events, trials) = violations(conclusive)
            return total(Double(events), of: trials)
        case (.phasesHit, _):
            let kills = conclusive.filter { !$0.isSpared }
            let phases = kills.compactMap(\.phase)
            let known: Double? = phases.isEmpty ? nil : Double(Set(phases).count)
            return Measure(
                value: known, n: phases.count, interval: nil, hasRows: !kills.isEmpty)
        case (.lossPercent, nil):
            let ratio = LossRatio(conclusive)
            return Measure(
                value: ratio.percent, n: ratio.lost.count, interval: ratio.interval,
                hasRows: !conclusive.isEmpty)
        case (_, let statistic):
            return perRow(conclusive, statistic)
        }
    }

    private func perRow(_ rows: [IterationRow], _ statistic: Statistic?) -> Measure {
        let sample = SortedSample(rows.compactMap(metric.value))
        guard let statistic else {
            let sum: Double? = sample.count > 0 ? sample.values.reduce(0, +) : nil
            return Measure(value: sum, n: sample.count, interval: nil, hasRows: !rows.isEmpty)
        }
        let (value, interval) = statistic.measure(sample)
        return Measure(
            value: value, n: sample.count, interval: interval, hasRows: !rows.isEmpty)
    }

    private func total(_ value: Double, of count: Int) -> Measure {
        Measure(value: count > 0 ? value : nil, n: count, interval: nil, hasRows: count > 0)
    }

    /// A rate; of what is known exactly, without an interval.
    private func share(_ events: Int, of count: Int) -> Measure {
        guard let rate = rate(events, of: count) else { return total(0, of: 0) }
        return Measure(
            value: rate.value, n: count, interval: isEstimate ? rate.interval : nil, hasRows: true)
    }
}
