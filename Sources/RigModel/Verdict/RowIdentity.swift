/// What tells the rows of a run apart: a plan and a file hold each only once.
package struct RowIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The policy's name.
    package let policy: String
    /// Counted from 1.
    package let iteration: Int
    /// Counted from 1: the kill within the iteration.
    package let kill: Int

    /// The identity of a kill of an iteration.
    package init(policy: String, iteration: Int, kill: Int) {
        self.policy = policy
        self.iteration = iteration
        self.kill = kill
    }

    /// The identity of a row.
    package init(_ row: IterationRow) {
        policy = row.policy
        iteration = row.iteration
        kill = row.kill
    }

    /// The row in words.
    package var description: String { "kill \(kill) of iteration \(iteration) of \(policy)" }
}
