internal import RigModel
internal import Synchronization

/// What the disk shows of a worker whose transfer the rig cannot see: how its files grow.
///
/// It says when, never what: no figure is made of it.
final class StateWatch: WorkerWatch {
    private struct Look {
        var bytes: UInt64
        var taken: ContinuousClock.Instant
    }

    /// A look reads a whole folder, and a watch is asked thousands of times a second.
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

    /// What has come to the state stands for what was received.
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

    /// It says nothing of what it has.
    var knowsWhatItHas: Bool { false }

    var hasReachedHold: Bool { false }
}
