internal import RigModel

/// What the disk shows of a worker whose transfer the rig cannot see: how its files grow.
///
/// It says when, never what: no figure is made of it.
struct StateWatch: WorkerWatch {
    private let folder: IterationFolder
    private let before: UInt64

    /// Watches a worker that is about to be launched.
    init(_ folder: IterationFolder) {
        self.folder = folder
        before = folder.bytesOfState
    }

    /// What has come to the state stands for what was received.
    var glance: Glance {
        let bytes = folder.bytesOfState
        let grown = bytes > before ? bytes - before : 0
        return Glance(received: ByteRanges([0..<Int64(clamping: grown)]), progress: bytes)
    }

    /// It says nothing of what it has.
    var knowsWhatItHas: Bool { false }

    var hasReachedHold: Bool { false }
}
