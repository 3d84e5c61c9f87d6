package struct Detection: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// A checker that must catch it did.
        case caught
        case missed
        /// It could not be tried, for this reason: an unknown, not a catch.
        case notRun(String)
    }

    package let bug: String
    package let state: State
    /// The iterations until it was caught, or all that were tried.
    package let iterations: Int
    /// The checkers that caught it, in their order; for a missed bug, those that found another.
    package let checkers: [Checker]
    package let reason: String
    /// Why a run of it cannot be relied on; nil where all ended regularly.
    package var failure: PartFailure?

    package init(bug: String, state: State, iterations: Int, checkers: [Checker], reason: String) {
        (self.bug, self.state, self.iterations, self.checkers) = (bug, state, iterations, checkers)
        self.reason = reason
    }
}

/// Iterations of a worker without a planted bug, in which nothing may be reported.
package struct ControlArm: Sendable, Hashable {
    package let name: String
    package let iterations: Int
    package let inconclusive: Int
    /// What was reported nevertheless, one line each: a defect of the rig, or a real bug.
    package let reports: [String]
    package let failure: PartFailure?

    package init(
        name: String, iterations: Int, inconclusive: Int, reports: [String],
        failure: PartFailure? = nil
    ) {
        (self.name, self.iterations, self.inconclusive) = (name, iterations, inconclusive)
        (self.reports, self.failure) = (reports, failure)
    }

    /// True when all iterations were run without a report, and at least one is conclusive.
    package var isClean: Bool { failure == nil && reports.isEmpty && iterations > inconclusive }
}

package struct SelfCheckReport: Sendable, Hashable {
    package let runID: String
    /// The seed from which every part's plan is drawn.
    package let seed: UInt64
    /// First without kills, then with the kills of the planted bugs: nothing may be reported.
    package let clean: [ControlArm]
    /// `disabled`, which must lose everything (B2).
    package let nullControl: ControlArm
    package let detections: [Detection]

    package init(
        runID: String, seed: UInt64, clean: [ControlArm], nullControl: ControlArm,
        detections: [Detection]
    ) {
        (self.runID, self.seed, self.clean, self.nullControl) = (runID, seed, clean, nullControl)
        self.detections = detections
    }

    package var cleanIterations: Int { clean.reduce(0) { $0 + $1.iterations } }

    /// 70 if the null control keeps what was never saved, or the rig failed with a bug, 99 if a bug
    /// was missed or something reported without one, 98 if something is unknown; an arm's own code
    /// if that is worse.
    package var status: ExitStatus {
        var statuses: [ExitStatus] = []
        if !nullControl.reports.isEmpty { statuses.append(.failure) }
        if clean.contains(where: { !$0.reports.isEmpty }) { statuses.append(.gateFailed) }
        if (clean + [nullControl]).contains(where: { !$0.isClean }) {
            statuses.append(.inconclusive)
        }
        statuses += (clean + [nullControl]).compactMap(\.failure?.status)
        statuses += detections.compactMap(\.failure?.status).filter(\.isOfTheRig)
        statuses += detections.compactMap { detection -> ExitStatus? in
            switch detection.state {
            case .caught: nil
            case .missed: .gateFailed
            case .notRun: .inconclusive
            }
        }
        return ExitStatus.worst(statuses)
    }
}
