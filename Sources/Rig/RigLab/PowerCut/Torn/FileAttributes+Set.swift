internal import CFileSystem
internal import Foundation
internal import StorageModel

extension FileAttributes {
    /// Gives them to a file or a folder of this process.
    func set(on path: String) throws {
        for (name, value) in extended {
            try check(file_set_attribute(path, name, value, value.count))
        }
        if owner != geteuid() || group != getegid() { try check(chown(path, owner, group)) }
        // After the owner, whose change takes the bits for set-user-id.
        try check(chmod(path, mode_t(mode)))
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        try check(utimensat(AT_FDCWD, path, [time, time], 0))
    }

    private func check(_ result: Int32) throws {
        if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
