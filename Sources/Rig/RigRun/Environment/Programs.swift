internal import Foundation
internal import RigLab
package import RigModel

/// The programs of a run: the running `rig`, and the worker's, found beside it or in the `PATH`.
package struct Programs {
    /// The running `rig` itself.
    let rig: String
    /// The folders searched, in order; they include `sbin`, which holds servers and is not in every
    /// user's path.
    private let folders: [String]

    /// Finds the running `rig`.
    ///
    /// - Throws: ``RigError`` with exit code 70 when its own path is unknown.
    package static func find() throws -> Programs {
        guard let rig = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw RigError(.failure, "the rig does not know its own path; start it by its path")
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return Programs(
            rig: rig.path,
            folders: [rig.deletingLastPathComponent().path]
                + path.split(separator: ":").map(String.init)
                + ["/usr/local/sbin", "/usr/sbin"])
    }

    /// The path of a program.
    ///
    /// - Parameter name: a name to search, or a path, which contains `/`.
    /// - Returns: the path; nil when there is no executable program.
    func path(of name: String) -> String? {
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        return candidates.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }

    /// The required programs that are missing, in the order in which a worker names them.
    package func missing(of worker: WorkerProfile) -> [String] {
        var seen: Set<String> = []
        return (worker.needs + worker.programs).filter {
            seen.insert($0).inserted && path(of: $0) == nil
        }
    }

    /// The worker with its programs replaced by their paths.
    ///
    /// - Throws: ``RigError`` with exit code 69 when a program is missing.
    func installed(_ worker: WorkerProfile) throws(RigError) -> WorkerProfile {
        if let name = missing(of: worker).first {
            throw RigError(.unavailable, complaint(of: worker, missing: name))
        }
        return worker.changingPrograms { path(of: $0) ?? $0 }
    }

    /// The provenance of a run's figures with a worker.
    func provenance(of worker: WorkerProfile) async -> Provenance {
        await ProvenanceFacts.read(rig: rig, worker: files(of: worker))
    }

    /// The digests of the rig and of a worker's files, by name.
    func digests(of worker: WorkerProfile) -> [String: String] {
        ProvenanceFacts.digests(rig: rig, worker: files(of: worker))
    }

    /// A worker's files, by the words that name them: its programs, and files among the words of
    /// its command, such as a script.
    private func files(of worker: WorkerProfile) -> [String: String] {
        var files: [String: String] = [:]
        for name in worker.programs + worker.needs { files[name] = path(of: name) ?? name }
        let words = worker.command.dropFirst() + (worker.server?.command.dropFirst() ?? [])
        var isFolder: ObjCBool = false
        for word in words
        where FileManager.default.fileExists(atPath: word, isDirectory: &isFolder)
            && !isFolder.boolValue
        {
            files[word] = word
        }
        return files
    }

    /// The error message for a missing program, and what to do.
    private func complaint(of worker: WorkerProfile, missing name: String) -> String {
        if let first = name.split(whereSeparator: \.isWhitespace).first, first.count < name.count,
            path(of: String(first)) != nil
        {
            return
                "there is no program '\(name)': the program and each of its arguments are words of "
                + "their own, and no shell reads them; leave out the quotes, or write sh -c '…'"
        }
        if name.contains("/") {
            return "\(worker.name) needs '\(name)', which is no program that can be run; check its "
                + "path, and make it executable"
        }
        if let package = worker.packages[name] {
            return "\(worker.name) needs '\(name)', which is not installed; install it (Debian: "
                + "apt-get install \(package))"
        }
        if name == worker.plantedBugs?.program {
            return "the planted bugs of \(worker.name) are in '\(name)', which is neither beside "
                + "\(rig) nor in the PATH; it is not installed, so use harness/rig in a checkout"
        }
        return "\(worker.name) needs '\(name)', which is neither beside \(rig) nor in the PATH; "
            + "install it, or give its path"
    }
}
