internal import Foundation
internal import RigModel
internal import Synchronization

/// The free space that iterations need on the rig's own disk: a worker that fails on a full disk is
/// not to blame, unless it has filled it itself.
package final class DiskRoom: Sendable {
    private let served: Int64
    /// The free bytes below a folder for the user of this process; nil where that is not known.
    private let free: @Sendable (String) -> Int64?
    /// How many files can still be made there; nil where that is not known.
    private let freeFiles: @Sendable (String) -> Int64?
    private let underWay = Mutex(0)

    /// What an iteration takes whatever it downloads: witness pages, logs, journals.
    private static let beside: Int64 = 16 << 20
    /// The files that an iteration may make: the state, the copies of it, logs.
    private static let files: Int64 = 100

    package convenience init(served: Int64) {
        self.init(served: served, free: Self.free, freeFiles: Self.freeFiles)
    }

    init(
        served: Int64, free: @escaping @Sendable (String) -> Int64?,
        freeFiles: @escaping @Sendable (String) -> Int64? = { _ in nil }
    ) { (self.served, self.free, self.freeFiles) = (served, free, freeFiles) }

    /// The bytes of the state, the completed file, and a copy of the state for every kill.
    func needed(kills: Int) -> Int64 { (2 + Int64(kills)) * served + Self.beside }

    /// Checks that there is room for an iteration beside those in progress, and then watches it.
    func take(in folder: String, kills: Int) throws(RigError) -> Watch {
        if let shortage = OwnLimits.ofThisProcess.shortage(needed: served + Self.beside) {
            throw shortage
        }
        let needed = needed(kills: kills)
        let others = Int64(underWay.withLock { $0 })
        if let free = free(folder), free < needed * (1 + others) {
            throw shortage(in: folder, free: free, needed: needed * (1 + others))
        }
        if let shortage = shortageOfFiles(in: folder) { throw shortage }
        return Watch(self, folder: folder, needed: needed)
    }

    private func shortage(in folder: String, free: Int64, needed: Int64) -> RigError {
        let (there, wanted) = (
            MetricUnit.readableBytes(Double(free)), MetricUnit.readableBytes(Double(needed))
        )
        return shortage(
            "\(folder) has \(there) free, and what goes on there may need \(wanted)",
            "free some space")
    }

    private func shortageOfFiles(in folder: String) -> RigError? {
        guard let left = freeFiles(folder), (0..<Self.files).contains(left) else { return nil }
        return shortage(
            "\(folder) has room for \(left) more files (inodes), and what goes on there may need"
                + " \(Self.files)", "remove some files")
    }

    private func shortage(_ what: String, _ remedy: String) -> RigError {
        RigError.failure(
            "\(what): what a worker does without room shows nothing; \(remedy) and go on with rig"
                + " resume, or use --out on another disk")
    }

    private static func free(_ folder: String) -> Int64? {
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (facts?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    private static func freeFiles(_ folder: String) -> Int64? {
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        // File systems without a limit say that they have 0 in all, or -1 free.
        guard let most = facts?[.systemNodes] as? NSNumber, most.int64Value > 0 else { return nil }
        return (facts?[.systemFreeNodes] as? NSNumber)?.int64Value
    }

    final class Watch: Sendable {
        private let room: DiskRoom
        private let folder: String
        private let needed: Int64
        private let lowest = Mutex(Int64.max)
        private let looking = Mutex<Task<Void, Never>?>(nil)

        fileprivate init(_ room: DiskRoom, folder: String, needed: Int64) {
            (self.room, self.folder, self.needed) = (room, folder, needed)
            room.underWay.withLock { $0 += 1 }
            let task = Task { [weak self] in
                while !Task.isCancelled {
                    self?.look()
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            looking.withLock { $0 = task }
        }

        deinit {
            looking.withLock { $0?.cancel() }
            room.underWay.withLock { $0 -= 1 }
        }

        private func look() {
            guard let free = room.free(folder) else { return }
            lowest.withLock { $0 = min($0, free) }
        }

        /// The error that ends the run where a failure may be due to lack of space on the rig's own
        /// disk; nil where there was room, or the worker has filled the disk itself.
        func shortage(used: Int64) -> RigError? {
            look()
            let lowest = lowest.withLock { $0 }
            guard used <= needed else { return nil }
            if let shortage = room.shortageOfFiles(in: folder) { return shortage }
            // The largest write that can have failed is the whole download.
            guard lowest < room.served + DiskRoom.beside else { return nil }
            return room.shortage(in: folder, free: lowest, needed: needed)
        }
    }
}
