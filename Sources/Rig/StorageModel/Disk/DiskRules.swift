internal import RigModel

/// What the file systems do differently, each rule with its place in the kernel (Linux 6.18).
extension DiskModel {
    private var isExt4: Bool { self == .ext4 || self == .garbage }

    /// Changes of names and lengths are committed in order: a cut leaves a prefix of them.
    var hasJournal: Bool { self != .posix }

    /// The fsync of a folder commits everything: `ext4_fsync_journal` in fs/ext4/fsync.c calls
    /// `ext4_force_commit` for what is no regular file; `xfs_dir_fsync` in fs/xfs/xfs_file.c forces
    /// the log up to its own last change.
    var commitsAllWithFolder: Bool { isExt4 }

    /// An append inside a block that is allocated changes the length on the disk with the next
    /// commit, whatever became of its data (`ext4_da_should_update_i_disksize` and
    /// `ext4_da_do_write_end` in fs/ext4/inode.c).
    var growsBeforeData: Bool { isExt4 }

    /// Blocks are given to a file as unwritten, which read as zeros, when their writing begins, and
    /// the length with them (`mpage_map_and_submit_extent` in fs/ext4/inode.c, with
    /// `dioread_nolock`, the default); XFS sets the length when the data is there
    /// (`xfs_end_ioend` in fs/xfs/xfs_aops.c), btrfs too (`btrfs_finish_one_ordered` in
    /// fs/btrfs/inode.c).
    var showsUnwritten: Bool { isExt4 }

    /// Writing that came to the end of a file starts from its beginning the next time
    /// (`writeback_iter` in mm/page-writeback.c); ext4 and btrfs go on behind that end, and then
    /// from the start (`ext4_do_writepages` in fs/ext4/inode.c, `extent_write_cache_pages` in
    /// fs/btrfs/extent_io.c).
    var rewinds: Bool { self == .xfs }

    /// Delayed blocks are given to a file, and their writing begins, before it is renamed over
    /// another, and when it is closed after its length was set to 0: `auto_da_alloc`, by
    /// `ext4_alloc_da_blocks`, called by `ext4_rename` in fs/ext4/namei.c and `ext4_release_file`
    /// in fs/ext4/file.c.
    var writesOutReplacements: Bool { isExt4 }

    /// New data goes to new blocks, which a file has with the next commit after they are written.
    var copiesOnWrite: Bool { self == .btrfs }

    /// The fsync of a file writes it and its names to a log of its own, and commits nothing else
    /// (`btrfs_sync_file`, `btrfs_log_inode_parent` in fs/btrfs/tree-log.c).
    var logsFiles: Bool { self == .btrfs }

    /// fdatasync commits a change of a file's names: XFS counts every change of the inode's core
    /// but that of times alone (`xfs_fsync_seq`); ext4 only what the data needs
    /// (`ext4_update_inode_fsync_trans`, `i_datasync_tid`).
    var namesAreData: Bool { self == .xfs || self == .btrfs }

    /// A sector that the disk was writing when the power failed holds anything.
    var spoilsSectors: Bool { self == .garbage }
}
