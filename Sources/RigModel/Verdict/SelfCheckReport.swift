/// What became of one planted bug.
package struct Detection: Sendable, Hashable {
    /// Whether it was found.
    package enum Outcome: Sendable, Hashable {
        /// A checker that must catch it did.
        case caught
        /// None of them did.
        case missed
        /// It could not be tried, for this reason: an unknown, not a catch.
        case notRun(String)
    }

    /// The bug's name.
    package let bug: String
    /// Whether it was found.
    package let outcome: Outcome
    /// Iterations until it was caught, or all that were tried.
    package let iterations: Int
    /// The checkers that caught it, in the order of ``Checker``; of a missed one those that found
    /// something else.
    package let checkers: [Checker]
    /// The first row's reason.
    package let reason: String

    /// What became of a bug.
    package init(
        bug: String, outcome: Outcome, iterations: Int, checkers: [Checker], reason: String
    ) {
        self.bug = bug
        self.outcome = outcome
        self.iterations = iterations
        self.checkers = checkers
        self.reason = reason
    }
}

/// Iterations of a worker without a bug, of which nothing may be reported.
package struct ControlArm: Sendable, Hashable {
    /// What was done with the worker.
    package let name: String
    /// Iterations that there are.
    package let iterations: Int
    /// Of them, those that prove nothing.
    package let inconclusive: Int
    /// What was reported all the same: a defect of the rig, or a real bug; one line each.
    package let reports: [String]
    /// Why it is not all that was asked for; nil when it is.
    package let failure: PartFailure?

    /// An arm.
    package init(
        name: String, iterations: Int, inconclusive: Int, reports: [String],
        failure: PartFailure? = nil
    ) {
        self.name = name
        self.iterations = iterations
        self.inconclusive = inconclusive
        self.reports = reports
        self.failure = failure
    }

    /// True when iterations prove that nothing is reported, all of those that were asked for.
    package var isClean: Bool {
        failure == nil && reports.isEmpty && iterations > inconclusive
    }
}

/// What `rig kill-test --self-check` found out about the rig.
package struct SelfCheckReport: Sendable, Hashable {
    /// The run's name.
    package let runID: String
    /// The seed that every part's plan follows from.
    package let seed: UInt64
    /// Nobody is killed, then kills as the bugs meet them: nothing may be reported.
    package let clean: [ControlArm]
    /// `disabled`, which must lose everything (B2).
    package let nullControl: ControlArm
    /// The planted bugs.
    package let detections: [Detection]

    /// A report.
    package init(
        runID: String, seed: UInt64, clean: [ControlArm], nullControl: ControlArm,
        detections: [Detection]
    ) {
        self.runID = runID
        self.seed = seed
        self.clean = clean
        self.nullControl = nullControl
        self.detections = detections
    }

    /// Iterations without a bug.
    package var cleanIterations: Int { clean.reduce(0) { $0 + $1.iterations } }

    /// The exit code: 70 when the null control keeps what nobody saved, 99 when a bug was missed or
    /// something was reported without one, 98 when something could not be shown; an arm's own code
    /// when it failed in a way that is worse.
    package var status: ExitStatus {
        var statuses: [ExitStatus] = []
        if !nullControl.reports.isEmpty { statuses.append(.failure) }
        if clean.contains(where: { !$0.reports.isEmpty }) { statuses.append(.gateFailed) }
        if (clean + [nullControl]).contains(where: { !$0.isClean }) {
            statuses.append(.inconclusive)
        }
        statuses += (clean + [nullControl]).compactMap(\.failure?.status)
        for detection in detections {
            switch detection.outcome {
            case .caught: break
            case .missed: statuses.append(.gateFailed)
            case .notRun: statuses.append(.inconclusive)
            }
        }
        return ExitStatus.worst(statuses)
    }
}
