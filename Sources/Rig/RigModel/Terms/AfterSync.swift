/// What becomes of a file when its sync fails (`--after-fsync`): all file systems take its pages
/// for clean, so that a second sync succeeds and saves nothing of them (Rebello et al., "Can
/// Applications Recover from fsync Failures?", USENIX ATC 2020).
package enum AfterSync: String, Sendable, Hashable, Codable, CaseIterable {
    /// The content in memory stays the new one; the length is that of the new content.
    case ext4
    /// The content in memory stays the new one; the length on the disk is the old one.
    case xfs
    /// The content in memory is the old one again.
    case btrfs
    /// With `data=journal` the sync succeeds, and the next one of the file reports the failure.
    case ext4Data = "ext4-data"

    /// What the disk does at the power cut that follows.
    package var disk: DiskModel {
        switch self {
        case .ext4, .ext4Data: .ext4
        case .xfs: .xfs
        case .btrfs: .btrfs
        }
    }
}
