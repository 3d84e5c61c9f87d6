internal import Foundation
internal import Glibc
internal import RigLab
package import RigModel

/// The programs of a run: the running `rig`, and the worker's, found beside it or in the `PATH`.
package struct Programs {
    let rig: String
    /// The folders searched, in order, with `sbin` for servers, which is not in every path.
    private let folders: [String]
    /// The folder that a worker's relative paths are about; nil for the folder of this process.
    private let base: String?

    /// Finds the running `rig`; exit code 70 when its own path is unknown.
    package static func find(from base: String? = nil) throws -> Programs {
        guard let rig = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw RigError(.failure, "the path of rig is not known; start it by its path")
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return Programs(
            rig: rig.path,
            folders: [rig.deletingLastPathComponent().path]
                + path.split(separator: ":").map(String.init)
                + ["/usr/local/sbin", "/usr/sbin"],
            base: base)
    }

    /// The folder in which a worker's programs are started; nil for that of this process.
    private func directory(of worker: WorkerProfile) -> String? {
        guard let own = worker.workingDirectory else { return base }
        if own.hasPrefix("/") || own.hasPrefix(Placeholders.text("dir")) { return own }
        return Self.place(of: own, in: base ?? FileManager.default.currentDirectoryPath)
    }

    private static func place(of path: String, in directory: String?) -> String {
        guard let directory, !path.hasPrefix("/") else { return path }
        return "\(directory)/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
    }

    private func path(of name: String, from directory: String?) -> String? {
        let candidates =
            name.contains("/")
            ? [Self.place(of: name, in: directory)] : folders.map { "\($0)/\(name)" }
        return candidates.first { $0.isFile && FileManager.default.isExecutableFile(atPath: $0) }
    }

    package func missing(of worker: WorkerProfile) -> [String] {
        let directory = directory(of: worker)
        return (worker.needs + worker.programs).unique.filter {
            path(of: $0, from: directory) == nil
        }
    }

    func installed(_ worker: WorkerProfile) throws(RigError) -> WorkerProfile {
        // The library that starts programs ends the process without it.
        try RigError.require(
            access("/dev/null", R_OK | W_OK) == 0, .unavailable,
            "no program can be started without /dev/null: \(String(cString: strerror(errno)));"
                + " make it (mknod -m 666 /dev/null c 1 3)")
        let directory = directory(of: worker)
        if let directory, Placeholders.names(in: directory).isEmpty, !directory.isFolder {
            throw RigError.unavailable(
                "\(worker.name) is to be started in '\(directory)', which is no folder; make it, or "
                    + "correct 'cwd' in its profile")
        }
        if let name = missing(of: worker).first {
            throw RigError(.unavailable, complaint(of: worker, missing: name))
        }
        return worker.changingPrograms { path(of: $0, from: directory) ?? $0 }
            .started(in: directory)
    }

    func provenance(of worker: WorkerProfile) async -> Provenance {
        await ProvenanceFacts.read(rig: rig, worker: files(of: worker))
    }

    /// True for a file where the worker may write itself, also where its command names it.
    func isOwn(_ name: String, of worker: WorkerProfile) -> Bool {
        // "/" would excuse the programs themselves.
        RealPath.isIn((worker.writable ?? []).filter { $0 != "/" }, files(of: worker)[name] ?? name)
    }

    func digests(of worker: WorkerProfile) -> [String: String] {
        ProvenanceFacts.digests(rig: rig, worker: files(of: worker))
    }

    /// A worker's files by the words that name them: its programs, and scripts in its command.
    private func files(of worker: WorkerProfile) -> [String: String] {
        let directory = directory(of: worker)
        var files: [String: String] = [:]
        for name in worker.programs + worker.needs {
            files[name] = path(of: name, from: directory) ?? name
        }
        let words = worker.command.dropFirst() + (worker.server?.command.dropFirst() ?? [])
        for word in words {
            let path = Self.place(of: word, in: directory)
            if path.isFile { files[word] = path }
        }
        return files
    }

    private func complaint(of worker: WorkerProfile, missing name: String) -> String {
        if let first = name.split(whereSeparator: \.isWhitespace).first, first.count < name.count,
            path(of: String(first), from: directory(of: worker)) != nil
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
