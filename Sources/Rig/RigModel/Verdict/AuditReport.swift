package struct AuditFinding: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// Nothing is wrong after this many kills, in which what is tried had an effect.
        case sound(kills: Int)
        /// So many kills show a fault; the reason is the most frequent one of the worst.
        case fails(Int, of: Int, reason: String)
        /// Nothing could be judged, for this reason.
        case unknown(String)
        case notTried(String)
        /// What the origin does there had no effect in any kill, for this reason.
        case notReached(String)
        /// The program does not do what this is about: neither a pass nor a failure.
        case doesNotApply(String)
    }

    package let situation: AuditSituation
    package let outcome: Outcome
    /// The most bytes that a kill has taken; nil if unknown.
    package let mostLost: Int64?
    /// True if every kill has taken all bytes: the program starts over each time.
    package let startsOver: Bool
    /// The most frequent error after which it did its work when started again; nil for none.
    package let errors: String?
    package let command: String
    /// The share of kills that may still fail, with 95 % confidence; nil unless it is sound.
    package var rateBelow: Double?
    /// What is usually wrong with a program that fails so; nil where nothing is known.
    package var mistake: String?
    /// The command that repeats the kill of which the reason is; nil unless one failed.
    package var replay: String?
    /// Why its part cannot be relied on as a whole; nil where it ended regularly.
    package var failure: PartFailure?

    package init(
        _ situation: AuditSituation, _ outcome: Outcome, mostLost: Int64? = nil,
        startsOver: Bool = false, errors: String? = nil, command: String = ""
    ) {
        (self.situation, self.outcome, self.mostLost) = (situation, outcome, mostLost)
        (self.startsOver, self.errors, self.command) = (startsOver, errors, command)
    }

    /// What the situation makes the whole audit end with, if no other does worse.
    ///
    /// An honest error of the program, a missing permission and a time that was over decide nothing,
    /// except where nothing is known of the program without them. A failure of the rig does.
    package var status: ExitStatus {
        let own = [failure?.status].compactMap(\.self).filter(\.isOfTheRig)
        let shown: ExitStatus =
            switch outcome {
            case .fails: .gateFailed
            case .unknown, .notTried: situation.isEssential ? .inconclusive : .success
            case .sound, .notReached, .doesNotApply: .success
            }
        return ExitStatus.worst(own + [shown])
    }
}

package struct AuditReport: Sendable, Hashable {
    package let runID: String
    package let seed: UInt64
    package let worker: String
    package let findings: [AuditFinding]

    package init(runID: String, seed: UInt64, worker: String, findings: [AuditFinding]) {
        (self.runID, self.seed, self.worker, self.findings) = (runID, seed, worker, findings)
    }

    /// 70 or 65 if the rig failed in a situation, 99 if the program did, 98 if an essential one could
    /// not be judged, otherwise 0.
    package var status: ExitStatus { ExitStatus.worst(findings.map(\.status)) }
}
