/// What a replay shows: everything that its report says.
package struct ReplaySummary: Sendable, Hashable {
    /// The kill that was repeated.
    package let kill: StoredKill
    /// What came of it.
    package let tally: ReplayTally
    /// What is not as it was in the run, such as the machine; one line each.
    package let notes: [String]
    /// The smallest case that still fails; nil when none was looked for.
    package let shrunk: ShrunkKill?
    /// True when the user ended it before its time.
    package let wasInterrupted: Bool

    /// A replay's summary.
    package init(
        kill: StoredKill, tally: ReplayTally, notes: [String], shrunk: ShrunkKill? = nil,
        wasInterrupted: Bool = false
    ) {
        self.kill = kill
        self.tally = tally
        self.notes = notes
        self.shrunk = shrunk
        self.wasInterrupted = wasInterrupted
    }

    /// The exit code.
    package var status: ExitStatus { wasInterrupted ? .interrupted : tally.status }
}

/// The smallest case found that fails by the same checkers.
package struct ShrunkKill: Sendable, Hashable {
    /// One number that was to become smaller.
    package struct Change: Sendable, Hashable {
        /// What the number is, such as `threshold`.
        package let name: String
        /// What it was in the run, as people write it.
        package let before: String
        /// What it is in the smallest case.
        package let after: String

        /// A number before and after.
        package init(name: String, before: String, after: String) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// Every number, changed or not.
    package let changes: [Change]
    /// How many cases were tried.
    package let candidates: Int
    /// How often each was tried at most before it counted as one that does not fail.
    package let tries: Int
    /// False when the search ended before it could find nothing smaller.
    package let isMinimal: Bool
    /// The command that carries out the smallest case.
    package let command: String

    /// A smallest case.
    package init(
        changes: [Change], candidates: Int, tries: Int, isMinimal: Bool, command: String
    ) {
        self.changes = changes
        self.candidates = candidates
        self.tries = tries
        self.isMinimal = isMinimal
        self.command = command
    }
}
