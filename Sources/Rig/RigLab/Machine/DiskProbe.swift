internal import Dispatch
internal import Foundation

enum DiskProbe {
    /// Whether the disk stores a small new file within a time, also where it is full; it is removed
    /// again.
    ///
    /// The rig's own disk is tried: a volume's file is there, and a sync of the volume would save
    /// what the worker has not synced. A late attempt goes on.
    static func answers(
        in folder: String, within seconds: Double,
        storing store: @escaping @Sendable (String) -> Void = Self.store
    ) -> Bool {
        let path = "\(folder)/\(prefix)\(DispatchTime.now().uptimeNanoseconds)"
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store(path)
            done.signal()
        }
        return done.wait(timeout: .now() + seconds) == .success
    }

    /// True for the path of such a file: the attempt goes on when nothing waits for it any more.
    static func isProbe(_ path: String) -> Bool {
        path.split(separator: "/").last?.hasPrefix(prefix) ?? false
    }

    private static let prefix = "disk-probe-"

    static func store(_ path: String) {
        // Nothing that a worker has put there is followed or waited for.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = open(path, flags, 0o600)
        guard file >= 0 else { return }
        defer {
            close(file)
            unlink(path)
        }
        // A new block, so that the file system has to update its own records as well.
        let block = [UInt8](repeating: 1, count: 4096)
        if write(file, block, block.count) == block.count { fsync(file) }
    }
}
