/// What a power cut may leave of what was not synced, real (``Fault/powerCut``) or modelled
/// (``Fault/powerCutTorn``).
package struct CrashModel: Sendable, Hashable, Codable {
    /// What the disk and its file system may do with what was not synced.
    package var disk: DiskModel
    /// The most crash states that are tried per kill; 1 by default, and 1 of a real power cut.
    package var states: Int

    /// The model in words, such as `posix, 10 states`, or only the disk of a real power cut.
    package var words: String {
        disk.isModelled
            ? "\(disk.rawValue), \(states == 1 ? "1 state" : "\(states) states")" : disk.rawValue
    }

    /// The most that can be asked for.
    package static let mostStates = 10_000

    /// Creates a model.
    package init(disk: DiskModel = .journal, states: Int = 1) {
        self.disk = disk
        self.states = states
    }
}

/// What a disk and its file system may do with what was not synced.
package enum DiskModel: String, Sendable, Hashable, Codable, CaseIterable {
    /// Names and lengths change in order, and data in any order.
    case journal
    /// As ext4 with its defaults, which promises more: an fsync also makes all earlier names
    /// durable, a length comes with its data, and a rename over a file with the data of the new one
    /// (`data=ordered` and `auto_da_alloc` in the kernel's `admin-guide/ext4.rst`).
    case ext4
    /// No more than POSIX promises: each change of a name or a length is there or not, whatever
    /// became of the others, and a rename may leave both names or neither.
    case posix
    /// As `journal`, on a disk that was writing when the power failed: a torn sector may hold
    /// garbage, and so may the part of a file that grew without its data
    /// (`SQLITE_IOCAP_POWERSAFE_OVERWRITE` in SQLite's documentation describes disks that do not).
    case garbage
    /// No model, but a real XFS.
    case xfs

    /// Whether the modelled power cut has it.
    package var isModelled: Bool { self != .xfs }

    /// Whether a real power cut has it; that of ext4 is the default.
    package var isReal: Bool { self == .ext4 || self == .xfs }
}
