package import RigModel

extension RunComparison {
    /// Compares each run with the first, policy by policy, or a single run's policies with its
    /// first.
    ///
    /// Without a difference, the probability that anything is marked is at most 5 %, by Holm's
    /// correction over all tests that can become significant. Exit code 65 for nothing to compare.
    package init(
        of compared: [ComparableRun], resamples: Int = Bootstrap.resamples
    ) throws(RigError) {
        let sides = try Sides(compared)
        var comparisons = sides.pairs.map { base, other in
            SideComparison(base: base, other: other, in: compared, resamples: resamples)
        }
        let tests = SideComparison.conclude(&comparisons)
        let (runs, pairs) = (
            compared.map { ComparedRun($0, resamples: resamples) }, comparisons.map(\.result)
        )
        self.init(
            runs: runs, pairs: pairs, tests: tests,
            notes: Self.brokenPromises(pairs, in: runs) + Self.notes(compared, sides))
    }

    /// A line for each pair that broke promises unequally often, which a `~` must not hide.
    private static func brokenPromises(
        _ pairs: [ComparedPair], in runs: [ComparedRun]
    ) -> [String] {
        func found(_ side: ComparedSide) -> (figures: ComparedPolicy, name: String)? {
            let run = runs[side.run]
            let name = runs.count == 1 ? side.policy : "\(side.policy) of \(run.name)"
            return run.policies.first { $0.policy == side.policy }.map { ($0, name) }
        }
        func text(_ bytes: Int64?) -> String { bytes.map { "\($0)" } ?? "not known" }
        return pairs.flatMap { pair -> [String] in
            guard let (base, first) = found(pair.base), let (other, second) = found(pair.other)
            else { return [] }
            var lines: [String] = []
            if base.violations != other.violations {
                lines.append(
                    "violations differ: \(base.violations) in \(base.rows) rows of \(first),"
                        + " \(other.violations) in \(other.rows) of \(second)")
            }
            if base.corruptBytes != other.corruptBytes {
                lines.append(
                    "corrupt bytes differ: \(text(base.corruptBytes)) of \(first),"
                        + " \(text(other.corruptBytes)) of \(second)")
            }
            return lines
        }
    }

    private static func notes(_ runs: [ComparableRun], _ sides: Sides) -> [String] {
        var notes: [String] = []
        for run in runs.dropFirst() {
            notes += run.differences(from: runs[0]).map {
                runs.count > 2 ? "\(run.name): \($0)" : $0
            }
        }
        notes += sides.unmatched
        let unknown = runs.filter { $0.facts == nil }.map(\.name)
        if runs.count > 1, !unknown.isEmpty {
            notes.append(
                "no manifest beside \(unknown.joined(separator: ", ")): whether video and machine"
                    + " are the same is not known")
        }
        return notes
    }
}

private struct Sides {
    var pairs: [(base: ComparedSide, other: ComparedSide)] = []
    var unmatched: [String] = []

    init(_ runs: [ComparableRun]) throws(RigError) {
        if let empty = runs.first(where: \.rows.isEmpty) {
            throw RigError(.data, "\(empty.name) has no rows; compare runs that have some")
        }
        guard runs.count > 1, let first = runs.first else {
            pairs = try Self.within(runs)
            return
        }
        for policy in first.policies {
            for (index, run) in runs.enumerated().dropFirst() where run.policies.contains(policy) {
                let base = ComparedSide(run: 0, policy: policy)
                pairs.append((base, ComparedSide(run: index, policy: policy)))
            }
        }
        for run in runs.dropFirst() {
            unmatched += Set(first.policies).symmetricDifference(run.policies).sorted().map {
                let isOfFirst = first.policies.contains($0)
                let (owner, other) = isOfFirst ? (first.name, run.name) : (run.name, first.name)
                // With more than two runs, a third one may have the policy, too.
                return runs.count > 2
                    ? "\(owner) has the policy \($0), which \(other) has not: it is not compared"
                        + " there"
                    : "only \(owner) has the policy \($0): it is not compared"
            }
        }
        guard !pairs.isEmpty else {
            throw RigError.data(
                "no policy of \(first.name) is in another run; compare runs that have one in common"
            )
        }
    }

    private static func within(
        _ runs: [ComparableRun]
    ) throws(RigError) -> [(base: ComparedSide, other: ComparedSide)] {
        let policies = runs.first?.policies ?? []
        guard let base = policies.first, policies.count > 1 else {
            throw RigError.usage(
                "\(runs.first?.name ?? "the run") has one policy, and there is no other run; name a"
                    + " second run, or one of several policies")
        }
        return policies.dropFirst().map {
            (ComparedSide(run: 0, policy: base), ComparedSide(run: 0, policy: $0))
        }
    }
}

extension ComparedRun {
    init(_ run: ComparableRun, resamples: Int) {
        self.init(
            name: run.name, runID: Set(run.rows.map(\.runID)).sorted().joined(separator: "|"),
            rows: run.rows.count,
            policies: run.policies.map {
                ComparedPolicy($0, rows: run.rows(of: $0), resamples: resamples)
            })
    }
}

extension ComparedPolicy {
    fileprivate init(_ policy: String, rows: [IterationRow], resamples: Int) {
        let kills = rows.filter(\.isConclusiveKill)
        self.init(
            policy: policy, thresholdBytes: rows.first?.thresholdBytes, rows: rows.count,
            conclusive: kills.count, violations: rows.count(where: \.isViolation),
            corruptBytes: Summaries.total(of: \.corruptBytes, in: rows),
            figures: ComparedMetric.allCases.map { metric in
                let sample = ComparedSample(kills, metric)
                return ComparedFigure(
                    metric: metric, value: sample.figure.value,
                    interval: sample.figure.interval(resamples: resamples), n: sample.count)
            })
    }
}
