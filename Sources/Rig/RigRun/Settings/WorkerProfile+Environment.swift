internal import Foundation
package import RigModel

extension WorkerProfile {
    /// The worker's ``variables`` that are set here, and that it therefore inherits.
    package var variablesSetHere: [String: String] {
        ProcessInfo.processInfo.environment.filter { variables.contains($0.key) }
    }

    /// The worker that this environment asks for: the program with planted bugs if it plants one.
    ///
    /// The worker's own program refuses to be given a bug.
    package var asStartedHere: WorkerProfile {
        guard let bugs = plantedBugs, variablesSetHere[bugs.variable] != nil else { return self }
        return withPlantedBugs
    }
}
