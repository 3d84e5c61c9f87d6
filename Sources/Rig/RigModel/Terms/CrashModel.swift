/// What a power cut may leave of what was not synced, real (``Fault/powerCut``) or modelled
/// (``Fault/powerCutTorn``).
package struct CrashModel: Sendable, Hashable, Codable {
    /// What the disk and its file system may do with what was not synced.
    package var disk: DiskModel
    /// The most crash states that are tried per kill; 1 by default, and 1 of a real power cut.
    package var states: Int

    /// The model in words, such as `posix` or `posix, 10 states`.
    package var words: String {
        states == 1 ? disk.rawValue : "\(disk.rawValue), \(states) states"
    }

    /// The most that can be asked for.
    package static let mostStates = 10_000

    package init(disk: DiskModel = .ext4, states: Int = 1) {
        self.disk = disk
        self.states = states
    }
}

/// What a disk and its file system may do with what was not synced.
package enum DiskModel: String, Sendable, Hashable, Codable, CaseIterable {
    /// As ext4 does with the kernel's defaults: ordered data, delayed allocation,
    /// `auto_da_alloc`, `dioread_nolock`.
    case ext4
    /// As XFS does: a length comes with its data, and an fsync commits as far as what it syncs has
    /// changed.
    case xfs
    /// As btrfs does: data goes to new blocks, and an fsync writes a log of the one file.
    case btrfs
    /// No more than POSIX promises: each change of a name or a length is there or not, whatever
    /// became of the others; the sync of a file makes its name certain only with that of its folder.
    case posix
    /// As `ext4`, on a disk that spoils the physical sector of 4096 bytes that it was writing when
    /// the power failed, with what lies beside the write (`SQLITE_IOCAP_POWERSAFE_OVERWRITE` in
    /// SQLite's documentation describes disks that do not).
    case garbage

    /// Whether a real power cut has it: btrfs has no shutdown.
    package var isReal: Bool { self == .ext4 || self == .xfs }
}
