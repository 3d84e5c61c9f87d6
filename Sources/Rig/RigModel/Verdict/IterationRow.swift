/// One row of `iterations.csv`, for one kill; nil means "not known".
package struct IterationRow: Sendable, Hashable {
    package static let schema = 2
    /// The number of decimals of percentages; values are rounded to what the file holds.
    package static let percentDecimals = 3
    /// The number of decimals of a kill's position; bytes need none.
    package static let momentDecimals = 6
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
    /// Where the kill landed, in the unit of ``planned``; nil if unknown, or the worker is held.
    package var realised: Double?
    package var phase: Phase?
    package var killSeconds: Double?
    package var servedBytes: Int64?
    package var receivedBytes: Int64?
    package var acknowledgedBytes: Int64?
    package var recoveredBytes: Int64?
    package var lostBytes: Int64?
    package var lossPercent: Double?
    /// Nil when nothing is promised.
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
    /// For people (programs read ``checkers`` and ``notJudged``): `checker: detail; checker:
    /// detail` for a failure, empty or `not judged: …` for a pass.
    package var reason: String
    package var seed: UInt64
    /// The checkers with a finding; empty unless the row is a failure.
    package var checkers: Set<Checker> = []
    /// The checkers that lacked evidence; empty in an inconclusive row.
    package var notJudged: Set<Checker> = []
    package var attempts = 1
    /// Positions found after the kill that the relaunch did not fetch again; nil if unknown (B7).
    package var retrievedBytes: Int64?
    /// Stored chunks of which the relaunched worker fetched no byte again; nil likewise.
    package var chunksRetrieved: Int?
    /// How many states that a modelled power cut can leave were tried; nil for other faults.
    package var crashStates: Int?
    /// How many cases their sweep had (``SweepCoverage``); nil where the states were drawn.
    package var sweepCases: Int?
    package var sweepTried: Int?
    /// How long the worker had that was asked to end; nil for other faults.
    package var graceSeconds: Double?
    /// From the request to end to its end; nil also for one that was killed when its grace was over.
    package var endSeconds: Double?
    /// Positions received in the killed launch, whatever was there before it.
    package var launchBytes: Int64?
    /// What that launch handed to the kernel by calls that write, until its death.
    package var writtenBytes: Int64?
    package var writes: Int?
    /// Its calls that sync; nil unless it was traced.
    package var syncs: Int?
    /// Its entries into the phase `checkpointing`.
    package var checkpoints: Int?
    package var processorSeconds: Double?

    /// Creates a row with nothing but its identity; the kill must be one of the plan's.
    package init(
        runID: String, plan: PlannedIteration, kill: Int, worker: String, workload: String,
        fault: Fault, verdict: Verdict, reason: String
    ) {
        (self.runID, self.kill, self.worker, self.workload) = (runID, kill, worker, workload)
        (iteration, policy, seed) = (plan.iteration, plan.policy.name, plan.seed)
        (thresholdBytes, self.fault) = (plan.policy.threshold?.bytes, fault.rawValue)
        let moment = plan.kills[kill - 1].trigger
        (trigger, planned) = (moment.kind.rawValue, moment.planned)
        (self.verdict, self.reason) = (verdict, reason)
    }
}

/// Prefixes and separators in a row's reason.
package enum RowReason {
    /// In a pass: introduces what could not be judged, and why.
    package static let notJudged = "not judged: "
    /// In a row that did not fail, last: the file is a version that the origin no longer has.
    package static let stale = "stale: "
    /// In a row that did not fail: the work was done after errors that the origin had caused.
    package static let errors = "ended with an error "
    /// In a pass: no line had been said, so the check could hold the program to none.
    package static let unsaid = "nothing was promised: no line had been said"
    /// In a row that is judged: why a fault of the origin had no effect in it.
    package static let idleFault = "origin fault without effect: "
    /// Last in a row with a failing call: which call it was, and how the worker ended.
    package static let failed = "failed call: "
    /// Last in a row with a full disk: how the worker ended.
    package static let full = "full disk: "
    /// In an inconclusive row: the work was over before the kill.
    package static let workDone = "the work was done already: "
    /// In an inconclusive row: the kill came before the first byte.
    package static let nothingReceived = "nothing had been received yet"
    /// The same of a worker of which only the origin's record is known.
    package static let nothingServed = "nothing had been served yet"
    package static let separator = "; "
}

extension IterationRow {
    /// A pass's statement about what could not be judged, without its prefix; nil without one.
    package var whyNotJudged: String? { verdict == .pass ? told(RowReason.notJudged) : nil }

    /// True when the completed file was the whole earlier version, and that was not a finding.
    package var isStale: Bool { verdict != .fail && told(RowReason.stale) != nil }

    /// The errors that the origin had caused before the work was done; nil for none.
    package var errors: String? { verdict == .fail ? nil : told(RowReason.errors) }

    /// True for a pass of a program that had said no line yet, and is judged by its lines.
    package var hasNoPromise: Bool { verdict == .pass && told(RowReason.unsaid) != nil }
    package var idleFault: IdleFault? {
        told(RowReason.idleFault).flatMap { why in IdleFault.allCases.first { $0.words == why } }
    }

    /// The call that was made to fail, and how the worker ended, or that alone after a full disk;
    /// nil for other faults.
    package var failedCall: String? { told(RowReason.failed) ?? told(RowReason.full) }

    /// What a checker found, without its name; nil if it found nothing.
    package func finding(of checker: Checker) -> String? {
        checkers.contains(checker) ? told("\(checker.rawValue): ") : nil
    }

    private func told(_ what: String) -> String? {
        reason.split(separator: RowReason.separator).first { $0.hasPrefix(what) }
            .map { String($0.dropFirst(what.count)) }
    }

    package var keptNothing: Bool { recoveredBytes == 0 && (receivedBytes ?? 0) > 0 }

    /// The largest loss that the bound allows of the received bytes; nil if either is unknown.
    package var allowedLossBytes: Int64? {
        guard let boundBytes, let receivedBytes else { return nil }
        return min(boundBytes, receivedBytes)
    }

    /// The same in percent of the received bytes; nil also when nothing was received.
    package var allowedLossPercent: Double? {
        guard let allowed = allowedLossBytes, let received = receivedBytes, received > 0 else {
            return nil
        }
        return FixedPoint.rounded(
            100 * Double(allowed) / Double(received), decimals: Self.percentDecimals)
    }

    /// True for a row of the worker that the documented promises are about.
    package var isOfReference: Bool { worker == WorkerProfile.referenceName }

    /// True for a later kill of a chain that was planned before the first new byte.
    package var isPlannedInRecovery: Bool {
        kill > 1 && trigger == TriggerKind.phase.rawValue
            && planned.hasPrefix(Phase.recovering.rawValue)
    }

    /// True when the worker was spared: such a row is not a kill.
    package var isSpared: Bool {
        trigger == Trigger.never.kind.rawValue && planned == Trigger.never.planned
    }
}
