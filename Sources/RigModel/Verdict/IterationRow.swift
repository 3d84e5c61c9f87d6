/// One row of `iterations.csv`: one kill.
///
/// Absent values mean "not known".
package struct IterationRow: Sendable, Hashable {
    /// The version of the columns.
    package static let schema = 2
    /// How many decimals percentages have; a row holds no more than its line.
    package static let percentDecimals = 3
    /// How many decimals the place of a kill has: none are needed of bytes.
    package static let momentDecimals = 6
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
    /// Where the kill landed, in the unit of ``planned``: bytes received, or the fraction of an
    /// uninterrupted run; nil where that is not known, and for a phase or a call, where it is held.
    package var realised: Double?
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
    ///
    /// For people: which checkers it speaks of, ``checkers`` and ``notJudged`` say.
    package var reason: String
    package var seed: UInt64
    /// The checkers that found something; none unless the row is a failure.
    package var checkers: Set<Checker> = []
    /// The checkers that could not look for want of evidence; none in a row that proves nothing.
    package var notJudged: Set<Checker> = []
    /// How many lives were begun for the row.
    package var attempts = 1

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
    /// In a row that did not fail, last: the completed file is a version that the origin has no more.
    package static let stale = "stale: "
    /// Between what is told of one row.
    package static let separator = "; "
}

extension IterationRow {
    /// What a pass says of what could not be judged, without its beginning; nil where it says nothing.
    package var whyNotJudged: String? {
        verdict == .pass ? told(RowReason.notJudged) : nil
    }

    /// True where the completed file was the whole version before, and that was no finding.
    package var isStale: Bool { verdict != .fail && told(RowReason.stale) != nil }

    private func told(_ what: String) -> String? {
        reason.split(separator: RowReason.separator).first { $0.hasPrefix(what) }
            .map { String($0.dropFirst(what.count)) }
    }

    /// True when nothing at all was kept, although something had been received.
    package var keptNothing: Bool { recoveredBytes == 0 && (receivedBytes ?? 0) > 0 }

    /// The most that this kill may lose by the bound, in bytes: no more than was received; nil where
    /// either is not known.
    package var allowedLossBytes: Int64? {
        guard let boundBytes, let receivedBytes else { return nil }
        return min(boundBytes, receivedBytes)
    }

    /// The same in percent of what was received; nil where nothing was, too.
    package var allowedLossPercent: Double? {
        guard let allowed = allowedLossBytes, let received = receivedBytes, received > 0 else {
            return nil
        }
        return FixedPoint.rounded(
            100 * Double(allowed) / Double(received), decimals: Self.percentDecimals)
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
