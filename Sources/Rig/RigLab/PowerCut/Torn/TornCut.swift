internal import Foundation
package import RigModel
package import StorageModel
internal import SyscallTracer

/// The power cut by a model that goes with a kill (``CrashImage``).
///
/// The worker runs under `rig trace`, which records its changes to its state. The kill is the same
/// as under any fault. Then the state is replaced by what a power cut at that moment can have left,
/// decided by the iteration's seed, and the rig continues as after any kill. Nothing has to be
/// mounted, so it needs no root.
///
/// What the witness page says when the worker is dead was true before the cut: a sync that the
/// worker could report has returned, and the log records it before the worker continues.
package enum TornCut {
    /// The states that a power cut at a kill can leave, in the order in which a run tries them.
    ///
    /// A log is completed from the folder as the dead worker left it; nil for the complete log that
    /// the evidence keeps. `stacks` has the places of its operations, if that is known. Exit code 65
    /// for a log that cannot be used.
    static func states(
        log: String, stacks: String? = nil, completedFrom folder: String? = nil,
        iterationSeed: UInt64, kill: Int, by model: CrashModel
    ) throws -> CrashStates {
        if folder != nil { try begin(log) }
        let replay = try replay(log: log, completedFrom: folder, on: model.disk)
        return CrashStates(
            after: replay, seed: seed(iterationSeed: iterationSeed, kill: kill), model.states,
            unseen: folder.map { replay.unseen(in: $0) } ?? replay.unseen,
            places: stacks.map { StackLog(path: $0).calls.mapValues(\.places) } ?? [:])
    }

    /// The cuts of a recorded life: `each` states at each operation and inside it; `told` is the
    /// path of the file in the recorded folder by which it tells what it has done.
    package static func cuts(
        log: String, on disk: DiskModel, told: String, each: Int
    ) throws -> CutsOfALife {
        CutsOfALife(try self.log(log), on: disk, told: told, each: each)
    }

    /// Begins the log of a launch that was killed before its tracer could.
    ///
    /// Its program had not begun either. If its folder has anything, that is not in the log, and is
    /// found to be unseen.
    private static func begin(_ log: String) throws(RigError) {
        guard !StorageLogFile.isBegun(log) else { return }
        try explained(.failure) { _ = try StorageLogWriter(path: log) }
    }

    /// Every state that a power cut can leave, as a text; nil when there are too many ways to them.
    package static func allStates(
        log: String, completedFrom folder: String?, on disk: DiskModel
    ) throws -> Set<String>? {
        AllCrashStates.texts(after: try replay(log: log, completedFrom: folder, on: disk))
    }

    /// Why a folder that a real power cut has left is no state of the model (not `posix`), in words;
    /// nil if it is one; throws exit code 65 when log or folder cannot be read.
    ///
    /// Of a long log the states are too many to list, but names and contents of each commit can be
    /// compared, and each file by itself; not modes, owners, times and attributes, and files that
    /// were mapped for writing: what was in memory at the cut is not known.
    package static func objection(
        to folder: String, after log: String, on disk: DiskModel
    ) throws -> String? {
        let replay = try replay(log: log, completedFrom: nil, on: disk)
        if let first = replay.unseen.first { throw RigError(.data, "the log lacks \(first)") }
        return replay.objection(to: try FoundFolder(reading: folder))
    }

    /// The operations of a recorded life; throws exit code 65 when the log cannot be used.
    static func log(_ path: String) throws(RigError) -> StorageLog {
        try explained(.data) { try StorageLog(path: path) }
    }

    /// A recorded life, replayed to its end; throws exit code 65 when the log cannot be used.
    private static func replay(
        log: String, completedFrom folder: String?, on disk: DiskModel
    ) throws(RigError) -> StorageReplay {
        try explained(.data) {
            let file = try StorageLogFile(path: log)
            var replay = try StorageReplay(of: file.log, on: disk)
            if let folder { try complete(file, from: folder, &replay) }
            return replay
        }
    }

    private static func explained<Value>(
        _ status: RigModel.ExitStatus, _ body: () throws -> Value
    ) throws(RigError) -> Value {
        do { return try body() } catch { throw RigError(status, "\(error)") }
    }

    /// Adds to a log and its replay what was stored through mapped memory since the last sync.
    private static func complete(
        _ log: StorageLogFile, from folder: String, _ replay: inout StorageReplay
    ) throws {
        guard !replay.mapped.isEmpty else { return }
        var writer = try StorageLogWriter(continuing: log)
        let paths = FolderScan.paths(below: folder)
        for (file, inode) in replay.mapped.sorted(by: { $0.key.number < $1.key.number }) {
            guard let path = paths[inode], let content = replay.content(of: file) else { continue }
            var mapping = MappedFile(knowing: content.pieces)
            for change in mapping.changes(of: path) ?? [] {
                // Any number but 0, which stands for what was there before the program.
                try replay.perform(writer.append(change, of: file, threadID: 1))
            }
        }
    }

    /// The seed of a kill's first state, which differs for each kill of an iteration.
    private static func seed(iterationSeed: UInt64, kill: Int) -> UInt64 {
        var random = SplitMix64(seed: iterationSeed &+ UInt64(kill) &* 0xA24B_AED4_963E_E407)
        return random.next()
    }
}

extension FoundFolder {
    /// Reads a folder; throws exit code 65 when a file cannot be read.
    fileprivate init(reading folder: String) throws {
        let items = FolderScan.items(below: folder)
        var contents: [String: SparseBytes] = [:]
        for case (let path, .file) in items {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
                throw RigError(.data, "cannot read \(folder)/\(path)")
            }
            var content = SparseBytes()
            content.write(Array(bytes), at: 0)
            contents[path] = content
        }
        self.init(items: items, contents: contents)
    }
}

/// A killed life whose operations are recorded, to ask which states a power cut can leave of it.
package struct RecordedLife {
    package let log: StorageLog
    package let disk: DiskModel
    /// The states that a run tries after its first.
    package let states: CrashStates
    /// The path of the text that says where each call was made; there may be none.
    let stacksPath: String
    /// Starts the program again on a state in the place of its folder, and gathers the evidence.
    package let judged: (CrashImage) async throws -> [IterationEvidence]

    /// The calls of the operations, by ordinal, with the places at which the program made them.
    package var calls: [Int: (name: String, places: [StackPlace])] {
        StackLog(path: stacksPath).calls
    }
}

/// Asks questions about a recorded life, while its iteration still has its files.
package protocol CrashExplorer: Sendable {
    func explore(_ life: RecordedLife) async throws
}
