internal import RigModel

extension IterationContext {
    /// A life of the worker under test.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - folder: the iteration's folder.
    ///   - policy: the commit policy.
    /// - Returns: the life, which has not begun.
    /// - Throws: ``RigError`` with exit code 70 when there is no free port for a server.
    func life(_ url: String, in folder: IterationFolder, policy: Policy) throws -> WorkerRun {
        let worker = settings.worker
        let needsPort = (worker.server ?? worker.source) != nil
        let values = WorkerPlaceholders(
            url: url, directory: folder.state, output: folder.output, policy: policy,
            port: needsPort ? try folder.port.pick() : nil,
            source: worker.source == nil ? nil : folder.source)
        return WorkerRun(context: self, folder: folder, values: values)
    }
}
