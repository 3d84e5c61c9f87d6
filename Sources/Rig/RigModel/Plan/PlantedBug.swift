/// The bugs that a worker can be started with, to test that the rig catches them.
package struct PlantedBugs: Sendable, Hashable, Codable {
    /// The program that has them, started in the place of the worker's own; nil if that has them.
    package let program: String?
    package let variable: String
    package let bugs: [PlantedBug]

    package init(program: String?, variable: String, bugs: [PlantedBug]) {
        (self.program, self.variable, self.bugs) = (program, variable, bugs)
    }
}

/// A bug that a worker has on request.
package struct PlantedBug: Sendable, Hashable, Codable {
    package let name: String
    /// Options of `rig kill-test` for a run in which the bug shows.
    package let options: [String]
    /// The checkers of which at least one must catch it.
    package let checkers: [Checker]
    package let iterations: Int

    package init(name: String, options: [String], checkers: [Checker], iterations: Int) {
        (self.name, self.options, self.checkers) = (name, options, checkers)
        self.iterations = iterations
    }
}

extension WorkerProfile {
    /// The worker with its program replaced by the one that has the planted bugs.
    package var withPlantedBugs: WorkerProfile {
        guard let program = plantedBugs?.program else { return self }
        let own = (server?.command ?? command).first
        return changingPrograms { $0 == own ? program : $0 }
    }

    /// The environment variables that plant one of its bugs.
    package func environment(planting bug: PlantedBug) -> [String: String] {
        plantedBugs.map { [$0.variable: bug.name] } ?? [:]
    }
}
