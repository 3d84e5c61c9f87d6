#if os(Linux)
    internal import CFileSystem
    internal import Glibc
    internal import SystemPackage

    extension FileCopy {
        /// Has the kernel copy: XFS and Btrfs share the blocks, which costs no more than a name.
        ///
        /// - Parameters:
        ///   - from: a file at its beginning.
        ///   - into: an empty one.
        ///   - count: how many bytes there are.
        /// - Returns: false where the kernel cannot, or not all of it: both files are then positioned
        ///   behind what it did.
        /// - Throws: the system's error, such as that of a full disk.
        static func share(
            _ from: FileDescriptor, with into: FileDescriptor, count: Int64
        ) throws -> Bool {
            if filesystem_clone(into.rawValue, from.rawValue) == 0 { return true }
            var left = count
            while left > 0 {
                let copied = filesystem_copy_range(from.rawValue, into.rawValue, Int(left))
                if copied < 0, errno == EINTR { continue }
                if copied < 0, [ENOSPC, EDQUOT, EIO, EFBIG].contains(errno) {
                    throw Errno(rawValue: errno)
                }
                // Between file systems, or of one whose files have no length, bytes are read.
                guard copied > 0 else { return false }
                left -= Int64(copied)
            }
            // A file that grew meanwhile has more.
            return false
        }
    }
#endif
