internal import Foundation
internal import RigLab
internal import RigModel
internal import RigProfiles

extension Manifest {
    /// Rejects variables that would change the worker's behaviour, with exit code 64: a replay can set
    /// those of the run again, but cannot remove one that the run did not have.
    func checkEnvironment(of worker: WorkerProfile) throws(RigError) {
        let recorded = record.environment ?? [:]
        if let name = worker.variablesSetHere.keys.sorted().first(where: { recorded[$0] == nil }) {
            throw RigError.usage(
                "\(name) is set, which changes what the worker does, and was not set in the run; "
                    + "unset it")
        }
    }

    var storedProfile: WorkerProfile {
        get throws(RigError) {
            if let profile = spec.profile { return profile }
            return try Workers.named(WorkerProfile.referenceName)
        }
    }

    /// The folder in which the run was started; nil if that is here, unknown, or gone.
    var otherWorkingDirectory: String? {
        guard let workingDirectory = record.workingDirectory,
            workingDirectory != FileManager.default.currentDirectoryPath,
            workingDirectory.isFolder
        else { return nil }
        return workingDirectory
    }
}
