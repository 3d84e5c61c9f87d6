/// The identity of a row: a plan and a file contain each identity only once.
package struct RowIdentity: Sendable, Hashable, CustomStringConvertible {
    package let policy: String
    package let iteration: Int
    package let kill: Int

    package init(policy: String, iteration: Int, kill: Int) {
        (self.policy, self.iteration, self.kill) = (policy, iteration, kill)
    }

    package init(_ row: IterationRow) {
        (policy, iteration, kill) = (row.policy, row.iteration, row.kill)
    }

    package var description: String { "kill \(kill) of iteration \(iteration) of \(policy)" }
}
