package struct ReplaySummary: Sendable, Hashable {
    package let kill: StoredKill
    package let tally: ReplayTally
    /// Differences from the original run, such as the machine; one line each.
    package let notes: [String]
    package let shrunk: ShrunkKill?
    package let wasInterrupted: Bool

    package init(
        kill: StoredKill, tally: ReplayTally, notes: [String], shrunk: ShrunkKill? = nil,
        wasInterrupted: Bool = false
    ) {
        (self.kill, self.tally, self.notes, self.shrunk) = (kill, tally, notes, shrunk)
        self.wasInterrupted = wasInterrupted
    }

    package var status: ExitStatus { wasInterrupted ? .interrupted : tally.status }
}

/// The smallest case found that fails by the same checkers.
package struct ShrunkKill: Sendable, Hashable {
    package struct Change: Sendable, Hashable {
        /// The number's name, such as `threshold`.
        package let name: String
        package let before: String
        package let after: String

        package init(name: String, before: String, after: String) {
            (self.name, self.before, self.after) = (name, before, after)
        }
    }

    package let changes: [Change]
    package let candidates: Int
    /// The maximum number of tries per case before it counted as not failing.
    package let tries: Int
    /// False when the search ended before every smaller case was excluded.
    package let isMinimal: Bool
    package let command: String

    package init(changes: [Change], candidates: Int, tries: Int, isMinimal: Bool, command: String) {
        (self.changes, self.candidates, self.tries) = (changes, candidates, tries)
        (self.isMinimal, self.command) = (isMinimal, command)
    }
}
