package struct HistoryRun: Sendable, Hashable {
    /// What tells the run from every other: its id, its plan, its machine and its command.
    package let identity: String
    package let runID: String
    /// ISO 8601, UTC; runs are ordered by it.
    package let startedAt: String
    /// The commit of what was tested, or another name for it; nil where none is known.
    package let commit: String?
    package let job: HistoryJob
    /// Where it ran: times of two machines are not compared.
    package let machine: String
    /// The version of the rig and of its judge: another judge may judge the same kill otherwise.
    package let judgedBy: String
    package let status: ExitStatus
    package let policies: [HistoryFigures]

    package init(
        identity: String, runID: String, startedAt: String, commit: String?, job: HistoryJob,
        machine: String, judgedBy: String, status: ExitStatus, policies: [HistoryFigures]
    ) {
        (self.identity, self.runID, self.startedAt) = (identity, runID, startedAt)
        (self.commit, self.job, self.machine, self.judgedBy) = (commit, job, machine, judgedBy)
        (self.status, self.policies) = (status, policies)
    }
}

/// What a run tests, and how, without seed, iterations, versions and machine: runs of equal jobs
/// are points of one line.
package struct HistoryJob: Sendable, Hashable, Codable {
    package struct Fact: Sendable, Hashable, Codable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The properties that are not as usual, always in the same order.
    package let facts: [Fact]

    package init(_ facts: [Fact]) { self.facts = facts }
    package subscript(name: String) -> String { facts.first { $0.name == name }?.value ?? "" }

    /// What it is called: worker, workload, fault and trigger.
    package var title: String {
        ["worker", "workload", "fault", "trigger"].map { self[$0] }.filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}

/// The figures of one policy of a run; nil for one that is not known.
package struct HistoryFigures: Sendable, Hashable {
    package let policy: String
    /// Rows, including inconclusive ones.
    package let rows: Int
    package let leftOut: Int
    package let violations: Int
    /// Rows that show whether a promise was broken.
    package let decided: Int
    /// 100 × Σ lost ÷ Σ received.
    package let lossPercent: Double?
    package let lostBytesMax: Int64?
    package let recoverySecondsMedian: Double?

    package init(
        policy: String, rows: Int, leftOut: Int, violations: Int, decided: Int,
        lossPercent: Double?, lostBytesMax: Int64?, recoverySecondsMedian: Double?
    ) {
        (self.policy, self.rows, self.leftOut) = (policy, rows, leftOut)
        (self.violations, self.decided, self.lossPercent) = (violations, decided, lossPercent)
        (self.lostBytesMax, self.recoverySecondsMedian) = (lostBytesMax, recoverySecondsMedian)
    }
}

/// The figures that a history follows; of each, less is better.
package enum HistoryMetric: String, Sendable, Hashable, CaseIterable {
    case lossPercent = "loss_percent"
    /// 100 × violations ÷ decided rows.
    case violationPercent = "violation_percent"
    case recoverySeconds = "recovery_seconds"
    /// 100 × inconclusive rows ÷ rows.
    case leftOutPercent = "inconclusive_percent"

    package var title: String {
        switch self {
        case .lossPercent: "loss"
        case .violationPercent: "violations"
        case .recoverySeconds: "recovery"
        case .leftOutPercent: "left out"
        }
    }

    package var isOfTime: Bool { self == .recoverySeconds }

    package func value(of figures: HistoryFigures) -> Double? {
        switch self {
        case .lossPercent: figures.lossPercent
        case .violationPercent:
            figures.decided > 0 ? 100 * Double(figures.violations) / Double(figures.decided) : nil
        case .recoverySeconds: figures.recoverySecondsMedian
        case .leftOutPercent:
            figures.rows > 0 ? 100 * Double(figures.leftOut) / Double(figures.rows) : nil
        }
    }

    package func text(_ value: Double) -> String {
        isOfTime ? MetricUnit.readableSeconds(value) : "\(FixedPoint.text(value, decimals: 2)) %"
    }
}

/// A history as its page shows it: the lines of figures, and where they change.
package struct HistoryReport: Sendable, Hashable {
    package let runs: [HistoryRun]
    package let total: Int
    /// One line per job, policy and metric that has a figure; of a time, one per machine.
    package let series: [HistorySeries]

    package init(runs: [HistoryRun], total: Int, series: [HistorySeries]) {
        (self.runs, self.total, self.series) = (runs, total, series)
    }

    package var changes: Int { series.reduce(0) { $0 + $1.changes.count } }
}

/// One metric of one policy of a job, run by run.
package struct HistorySeries: Sendable, Hashable {
    package let job: HistoryJob
    package let policy: String
    package let metric: HistoryMetric
    /// Where the figures were measured; nil if that is not told apart.
    package let machine: String?
    package let points: [HistoryPoint]
    package var changes: [HistoryChange]

    package init(
        job: HistoryJob, policy: String, metric: HistoryMetric, machine: String? = nil,
        points: [HistoryPoint], changes: [HistoryChange] = []
    ) {
        (self.job, self.policy, self.metric, self.machine) = (job, policy, metric, machine)
        (self.points, self.changes) = (points, changes)
    }
}

package struct HistoryPoint: Sendable, Hashable {
    /// The run's place among the job's runs, from 1.
    package let place: Int
    /// The run's index in ``HistoryReport/runs``.
    package let run: Int
    package let value: Double

    package init(place: Int, run: Int, value: Double) {
        (self.place, self.run, self.value) = (place, run, value)
    }
}

/// A place from which on a figure is another.
package struct HistoryChange: Sendable, Hashable {
    /// The index of the first point that is on the new level.
    package let point: Int
    /// The medians of the figures since the change before, and until the next one.
    package let before: Double
    package let after: Double
    /// The probability of so clear a change anywhere in the stretch that was searched, by chance.
    package let pValue: Double
    /// What else is another from this run on, such as the machine.
    package let company: [String]

    package init(
        point: Int, before: Double, after: Double, pValue: Double, company: [String] = []
    ) {
        (self.point, self.before, self.after, self.pValue) = (point, before, after, pValue)
        self.company = company
    }

    package var isWorse: Bool { after > before }
}
