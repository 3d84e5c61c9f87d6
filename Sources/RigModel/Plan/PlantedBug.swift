/// A bug that a worker can be told to have, so that a rig can be seen to catch it.
package struct PlantedBug: Sendable, Hashable, Codable {
    /// The bug's name.
    package let name: String
    /// Environment variables that plant it.
    package let environment: [String: String]
    /// The run in which it shows, as options of `rig kill-test`.
    package let options: [String]
    /// Who must catch it: at least one of these.
    package let checkers: [Checker]
    /// The most iterations that it may take.
    package let iterations: Int

    /// A bug.
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
