/// A file of a storage log, numbered from 1 by the recorder: not a path, as a descriptor stays
/// valid after a rename, and not an inode, which another file can get.
package struct FileID: Sendable, Hashable, Codable {
    package let number: UInt32

    package init(_ number: UInt32) { self.number = number }
}

/// What a traced program did to the files below a folder, in the order in which it took effect.
package struct StorageLog: Sendable, Hashable {
    /// The operations, without those that failed.
    package let operations: [StorageOperation]

    package init(operations: [StorageOperation]) { self.operations = operations }
}

package struct StorageOperation: Sendable, Hashable {
    /// Position in the log, from 1; operations that failed leave gaps.
    package let ordinal: Int
    /// The calling thread; 0 for what existed before the program started.
    package let threadID: Int32
    /// False for a call in flight when the log ended: it may have been done fully, partly or not.
    package let returned: Bool
    /// The number of the tracer's counted call, which can be two operations; nil for none.
    package let call: Int?
    package let kind: Kind

    package init(
        ordinal: Int, threadID: Int32 = 0, returned: Bool = true, call: Int? = nil, kind: Kind
    ) {
        (self.ordinal, self.threadID, self.returned) = (ordinal, threadID, returned)
        (self.call, self.kind) = (call, kind)
    }

    /// What an operation does; paths are relative to the recorded folder, `.` is the folder itself.
    package enum Kind: Sendable, Hashable {
        /// A file that was there before the program, or that a rename moved in from elsewhere.
        case existing(path: String, file: FileID, bytes: [UInt8])
        case existingDirectory(path: String)
        /// A new, empty file; the path is empty for a file without a name (O_TMPFILE).
        case create(path: String, file: FileID)
        case openTruncate(file: FileID)
        /// Appended bytes have the offset at which they were written.
        case write(file: FileID, offset: Int64, bytes: [UInt8])
        case truncate(file: FileID, length: Int64)
        /// Space was allocated, which reads as zeros; the file grows unless `keepsSize`.
        case allocate(file: FileID, offset: Int64, length: Int64, keepsSize: Bool)
        /// A range was deallocated or set to zeros; the file's length does not change.
        case punchHole(file: FileID, offset: Int64, length: Int64)
        case syncFile(file: FileID, dataOnly: Bool)
        case syncDirectory(path: String)
        case syncAll
        case rename(from: String, to: String)
        case exchange(String, String)
        /// A name of a file was removed, or a file was moved out of the folder.
        case remove(path: String)
        case makeDirectory(path: String)
        case removeDirectory(path: String)
        case link(file: FileID, path: String)
        case symbolicLink(path: String, target: String)
        /// A part of a file was synced: a range of msync, or a write with O_DSYNC.
        case syncRange(file: FileID, offset: Int64, length: Int64)
        /// The sync of a part of a file failed: what it was to write counts as clean from then on.
        case syncFailed(file: FileID, offset: Int64, length: Int64, FailedSync)
        /// A file was mapped for writing: what is written to it through memory is in the log as
        /// writes, each before the sync that follows, or at the end. The inode tells which file it
        /// is when the program is dead, whatever its name is then.
        case mapped(file: FileID, inode: UInt64)
        /// A file whose length had been set to 0 was closed.
        case closed(file: FileID)
        /// What becomes of a file from now on is not in the log.
        case unrecorded(file: FileID)
        /// A file got other attributes; or, for `isInitial`, has them since it is there.
        case attributes(file: FileID, FileAttributes, isInitial: Bool)
        case folderAttributes(path: String, FileAttributes)
        /// The program did something to files that is not in the log, in words.
        case unseen(String)
    }
}

/// What a failed sync leaves of what it was to write.
package enum FailedSync: UInt8, Sendable, Hashable, CaseIterable {
    /// A reader goes on seeing it, and the disk has it no more than before.
    case seen = 1
    case reverted
    /// It has reached the journal, and nothing is reported.
    case journalled
    /// What the last journalled sync had written did not reach its place, which is reported; what
    /// was written since has reached the journal.
    case late
}
