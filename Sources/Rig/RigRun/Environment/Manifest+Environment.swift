internal import Foundation
internal import RigLab
package import RigModel
internal import RigProfiles

extension Manifest {
    /// Rejects an environment that would change the worker's behaviour.
    ///
    /// The worker inherits the rig's environment: a replay can set the run's variables again, but
    /// cannot remove a variable that the run did not have.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func checkEnvironment(of worker: WorkerProfile) throws(RigError) {
        let recorded = environment ?? [:]
        if let name = worker.variablesSetHere.keys.sorted().first(where: { recorded[$0] == nil }) {
            throw RigError(
                .usage,
                "\(name) is set, which changes what the worker does, and was not set in the run; "
                    + "unset it")
        }
    }
}

extension Manifest {
    /// The profile of the run's worker.
    ///
    /// - Throws: ``RigError`` when the built-in profile cannot be read.
    var storedProfile: WorkerProfile {
        get throws(RigError) {
            if let profile { return profile }
            return try Workers.named(WorkerProfile.referenceName)
        }
    }
}

extension Manifest {
    /// The folder in which the run was started; nil if that is the folder of this process, is not
    /// known, or does not exist here.
    var otherWorkingDirectory: String? {
        guard let workingDirectory,
            workingDirectory != FileManager.default.currentDirectoryPath,
            workingDirectory.isFolder
        else { return nil }
        return workingDirectory
    }
}

extension WorkerProfile {
    /// The worker's ``variables`` that are set in the rig's own environment, which the worker
    /// inherits.
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
