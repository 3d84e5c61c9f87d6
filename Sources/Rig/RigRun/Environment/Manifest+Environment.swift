internal import Foundation
internal import RigLab
internal import RigModel
internal import RigProfiles

extension Manifest {
    /// Rejects an environment that would change the worker's behaviour, with exit code 64.
    ///
    /// The worker inherits the rig's environment: a replay can set the run's variables again, but
    /// cannot remove a variable that the run did not have.
    func checkEnvironment(of worker: WorkerProfile) throws(RigError) {
        let recorded = record.environment ?? [:]
        if let name = worker.variablesSetHere.keys.sorted().first(where: { recorded[$0] == nil }) {
            throw RigError.usage(
                "\(name) is set, which changes what the worker does, and was not set in the run; "
                    + "unset it")
        }
    }
}

extension Manifest {
    /// The profile of the run's worker; throws when the built-in profile cannot be read.
    var storedProfile: WorkerProfile {
        get throws(RigError) {
            if let profile = spec.profile { return profile }
            return try Workers.named(WorkerProfile.referenceName)
        }
    }
}

extension Manifest {
    /// The folder in which the run was started; nil if that is here, unknown, or gone.
    var otherWorkingDirectory: String? {
        guard let workingDirectory = record.workingDirectory,
            workingDirectory != FileManager.default.currentDirectoryPath,
            workingDirectory.isFolder
        else { return nil }
        return workingDirectory
    }
}
