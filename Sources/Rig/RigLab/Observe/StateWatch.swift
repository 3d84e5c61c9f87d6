internal import RigModel
internal import Synchronization

/// Watches how a worker's files grow, for a worker whose transfer the rig cannot see.
///
/// It shows when something changes, but not what: no reported figure is computed from it.
final class StateWatch: WorkerWatch {
    private struct Look {
        var bytes: UInt64
        var taken: ContinuousClock.Instant
    }

    /// A look reads a whole folder, and a watch is polled thousands of times a second.
    private static let pause = Duration.milliseconds(5)

    private let folder: IterationFolder
    private let before: UInt64
    private let last: Mutex<Look>

    /// Watches a worker that is about to be launched.
    init(_ folder: IterationFolder) {
        self.folder = folder
        before = folder.bytesOfState
        last = Mutex(Look(bytes: before, taken: .now))
    }

    /// The growth of the state stands for the bytes received.
    var glance: Glance {
        let bytes = last.withLock { look in
            if ContinuousClock.now - look.taken > Self.pause {
                look = Look(bytes: folder.bytesOfState, taken: .now)
            }
            return look.bytes
        }
        let grown = bytes > before ? bytes - before : 0
        return Glance(received: ByteRanges([0..<Int64(clamping: grown)]), progress: bytes)
    }

    /// True where the state is not as large as before the launch.
    var hasChanged: Bool { glance.progress != before }

    /// Looks once more, so that what was written since the last look counts.
    func settle() {
        let bytes = folder.bytesOfState
        last.withLock { $0 = Look(bytes: bytes, taken: .now) }
    }
}
