/// A bug that a worker has on request, to test that the rig catches it.
package struct PlantedBug: Sendable, Hashable, Codable {
    /// The bug's name.
    package let name: String
    /// Environment variables that plant it.
    package let environment: [String: String]
    /// Options of `rig kill-test` for a run in which the bug shows.
    package let options: [String]
    /// The checkers of which at least one must catch it.
    package let checkers: [Checker]
    /// The maximum number of iterations to catch it.
    package let iterations: Int

    /// Creates a planted bug.
    package init(
        name: String, environment: [String: String], options: [String], checkers: [Checker],
        iterations: Int
    ) {
        self.name = name
        self.environment = environment
        self.options = options
        self.checkers = checkers
        self.iterations = iterations
    }
}
