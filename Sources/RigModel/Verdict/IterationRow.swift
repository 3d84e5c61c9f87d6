/// One row of `iterations.csv`: one kill.
///
/// Absent values mean "not known".
package struct IterationRow: Sendable, Hashable {
    /// The version of the columns.
    package static let schema = 1
    /// How many decimals percentages have; a row holds no more than its line.
    package static let percentDecimals = 3
    /// How many decimals times have.
    package static let secondsDecimals = 6

    package var runID: String
    package var iteration: Int
    package var kill: Int
    package var policy: String
    /// Nil for `disabled`.
    package var thresholdBytes: Int64?
    package var worker: String
    package var workload: String
    package var fault: String
    package var trigger: String
    package var planned: String
    package var phase: Phase?
    package var killSeconds: Double?
    package var servedBytes: Int64?
    package var receivedBytes: Int64?
    package var acknowledgedBytes: Int64?
    package var recoveredBytes: Int64?
    package var lostBytes: Int64?
    package var lossPercent: Double?
    /// Nil where nothing is promised.
    package var boundBytes: Int64?
    package var boundOK: Bool?
    package var corruptBytes: Int64?
    package var integrity: Bool?
    package var chunks: Int?
    package var commits: Int?
    package var activeRequests: Int?
    package var refetchedBytes: Int64?
    package var recoverySeconds: Double?
    package var resumeSeconds: Double?
    package var verdict: Verdict
    /// Empty for a pass, or `not judged: …`; `checker: detail; checker: detail` for a failure; the
    /// reason otherwise.
    package var reason: String
    package var seed: UInt64

    /// A row of which only the identity is known so far; its kill is one of the plan's.
    package init(
        runID: String, plan: PlannedIteration, kill: Int, worker: String, workload: String,
        fault: Fault, verdict: Verdict, reason: String
    ) {
        self.runID = runID
        self.iteration = plan.iteration
        self.kill = kill
        self.policy = plan.policy.name
        self.thresholdBytes = plan.policy.threshold?.bytes
        self.worker = worker
        self.workload = workload
        self.fault = fault.rawValue
        self.trigger = plan.kills[kill - 1].trigger.kind.rawValue
        self.planned = plan.kills[kill - 1].trigger.planned
        self.verdict = verdict
        self.reason = reason
        self.seed = plan.seed
    }
}

/// What the reason of a row begins with.
package enum RowReason {
    /// In a pass: what of the promise could not be judged follows, with why.
    package static let notJudged = "not judged: "
}

extension IterationRow {
    /// What could not be judged although the row passed; nil where nothing was left out.
    package var notJudged: String? {
        guard verdict == .pass, reason.hasPrefix(RowReason.notJudged) else { return nil }
        return String(reason.dropFirst(RowReason.notJudged.count))
    }

    /// True for a row of the worker that the documents' promises are about.
    package var isOfReference: Bool { worker == WorkerProfile.referenceName }
}

extension IterationRow {
    /// True when nobody was killed: the worker was let live, and its row is no kill.
    package var isSpared: Bool {
        trigger == Trigger.never.kind.rawValue && planned == Trigger.never.planned
    }
}
