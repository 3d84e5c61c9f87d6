internal import RigModel

extension Manifest {
    /// Refuses an environment that would change what the worker does.
    ///
    /// The worker inherits the rig's environment: what the run set can be set again, what it did not
    /// set cannot be taken away here.
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
