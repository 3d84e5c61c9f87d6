#if os(Linux)
    internal import CFileSystem
    internal import Glibc
    internal import SystemPackage

    extension FileCopy {
        /// Lets the kernel copy: XFS and Btrfs share the blocks, as cheaply as adding a name.
        ///
        /// - Parameters:
        ///   - from: a file at its beginning.
        ///   - into: an empty one.
        ///   - count: how many bytes there are.
        /// - Returns: false where the kernel cannot copy, or not all of it: both files are then
        ///   positioned after what it copied.
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
                // Bytes are read between file systems, and for files that report no length.
                guard copied > 0 else { return false }
                left -= Int64(copied)
            }
            // The file may have grown meanwhile: the caller reads the rest.
            return false
        }
    }
#endif
