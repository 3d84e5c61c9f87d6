internal import CFileSystem
internal import Foundation
internal import Glibc
internal import RigModel

/// Where one iteration's files lie: its own folder, so that iterations do not share files.
package struct IterationFolder: Sendable {
    private let path: String
    private let place: HeldPlace
    let port = FreePort()
    let realPath: String
    let state: String
    /// The `HOME` of programs: what they leave there loses its power with the state.
    private let home: String
    private let temporary: String
    /// The folder of a completed video that is kept apart from the state; nil where it is not.
    let outputFolder: String?
    /// Where programs may write: all that a kill loses or the rig inspects, and the witness page.
    var writable: [String] {
        [state, home, temporary, witness] + [outputFolder].compactMap(\.self)
    }
    var environment: [String: String] {
        [
            "HOME": home, "TMPDIR": temporary, "XDG_CACHE_HOME": "\(home)/.cache",
            "XDG_CONFIG_HOME": "\(home)/.config", "XDG_DATA_HOME": "\(home)/.local/share",
            "XDG_STATE_HOME": "\(home)/.local/state", "XDG_RUNTIME_DIR": temporary,
        ].merging(Self.software) { $1 }
    }
    /// Where the user's Python modules are installed: they are programs, not state.
    private static let software: [String: String] = {
        let rigs = ProcessInfo.processInfo.environment
        guard let home = rigs["HOME"], rigs["PYTHONUSERBASE"] == nil else { return [:] }
        return ["PYTHONUSERBASE": "\(home)/.local"]
    }()
    /// Where the worker's standard output goes; nil for the log, in which its errors are as well.
    var standardOutput: String?
    private var instance = ""
    private(set) var launches: LaunchLog
    var ofSecondInstance: IterationFolder { shared(with: "-2") }
    var ofCheck: IterationFolder { shared(with: "-check") }

    /// The same folder for other programs, with a log and a witness page of their own.
    private func shared(with instance: String) -> IterationFolder {
        var other = self
        other.instance = instance
        other.launches = LaunchLog(path: "\(path)/worker\(instance).log")
        other.standardOutput = nil
        return other
    }

    var said: String { "\(path)/said" }
    func said(beforeKill kill: Int) -> String { "\(path)/said-\(kill)" }
    var witness: String { "\(path)/witness\(instance)" }
    /// What a worker's own source serves, `{source}`.
    var source: String { "\(path)/source" }
    /// The completed video, `{output}`, in the state of a worker that completes it in place.
    let output: String
    package var log: String { launches.path }
    var traceReport: String { "\(path)/trace.json" }
    /// The state as a kill of the iteration left it, read but not changed by the autopsy.
    package func stateCopy(ofKill kill: Int) -> String { "\(path)/as-kill-\(kill)-left-it" }
    /// The log of changes to the state in the life before a kill, where they were recorded.
    package func storageLog(ofKill kill: Int) -> String { "\(path)/storage-\(kill).log" }
    /// Where the program made the calls of that log, if that was asked for.
    func stacks(ofKill kill: Int) -> String { "\(path)/stacks-\(kill).txt" }
    /// The state as a first life left it, which was not killed.
    var copyBefore: String { "\(path)/as-the-first-life-left-it" }
    /// The state after the relaunch, where inspecting it needs a copy.
    var copyAfterwards: String { "\(path)/as-the-relaunch-left-it" }

    /// Creates the folders; the completed video is apart from the state unless its name is given.
    init(creating path: String, state: String? = nil, outputInState: String? = nil) throws {
        let beside = state?.parentFolder ?? path
        home = "\(beside)/home"
        temporary = "\(beside)/tmp"
        let state = state ?? "\(path)/state"
        self.path = path
        self.state = state
        launches = LaunchLog(path: "\(path)/worker.log")
        outputFolder = outputInState == nil ? "\(path)/out" : nil
        output = "\(outputFolder ?? state)/\(outputInState ?? "output")"
        do {
            for folder in [path, state, outputFolder].compactMap(\.self) {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            }
            for folder in [home, temporary] {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw RigError(.failure, "cannot create \(path): \(SystemFailure(error))")
        }
        place = try HeldPlace(path)
        realPath = RealPath.of(path)
    }

    /// The error (70) for a folder that was removed under the rig, not by the worker; nil for none.
    var loss: RigError? { place.loss }

    /// Removes an earlier launch's completed video, and everything beside it.
    func removeOutput() {
        guard place.isThere else { return }
        Self.empty(outputFolder)
        try? Removal.remove(output)
    }

    func removeBelongings() {
        guard place.isThere else { return }
        for folder in [home, temporary] { Self.empty(folder) }
    }

    private static func empty(_ folder: String?) {
        guard let folder else { return }
        for name in folder.names { try? Removal.remove("\(folder)/\(name)") }
    }

    /// The bytes of the worker's state and of the completed video, as far as they exist.
    var bytesOnDisk: UInt64 { written.reduce(0) { $0 &+ UInt64($1.fileSize ?? 0) } }

    var lastChanges: [String: FileChange] {
        Dictionary(
            uniqueKeysWithValues: written.compactMap { path in
                DiskProbe.isProbe(path) ? nil : FileChange(of: path).map { (path, $0) }
            })
    }

    func fileChanged(since before: [String: FileChange]) -> String? {
        let now = lastChanges
        return Set(before.keys).union(now.keys).sorted().first { before[$0] != now[$0] }
    }

    struct FileChange: Hashable {
        private let length: Int64
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init?(of path: String) {
            guard let facts = path.fileFacts, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            length = Int64(facts.st_size)
            // Unlike the time of the last write, a program cannot set it.
            (seconds, nanoseconds) = (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec)
        }
    }

    private var written: Set<String> {
        let folders = [state, outputFolder].compactMap(\.self)
        return Set(path.names.map { "\(path)/\($0)" } + folders.flatMap(\.allBelow))
    }

    static let markVariable = "RIG_ITERATION"

    var mark: RunMark { RunMark(entry: "\(Self.markVariable)=\(realPath)", folder: realPath) }
    var doesDiskAnswer: Bool { DiskProbe.answers(in: path, within: StallDetector.longestStep) }

    var bytesOfState: UInt64 {
        state.allBelow.reduce(0) { $0 &+ UInt64($1.fileSize ?? 0) }
    }

    /// The disk space of everything here, including what a file's length does not show.
    var bytesOfDisk: Int64 {
        path.allBelow.reduce(0) { $0 + Int64($1.fileFacts?.st_blocks ?? 0) * 512 }
    }

    func remove() {
        guard place.isThere else { return }
        try? Removal.remove(path)
    }
}
