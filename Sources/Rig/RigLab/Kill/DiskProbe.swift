#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Tries whether a disk does its work.
enum DiskProbe {
    /// The seconds that the disk takes to store a small new file, which is removed again.
    ///
    /// - Parameter folder: a folder on the disk.
    /// - Returns: the seconds; few if the file cannot be written, as on a full disk.
    static func seconds(in folder: String) -> Double {
        let began = ContinuousClock.now
        let path = "\(folder)/disk-probe"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return 0 }
        defer {
            close(file)
            unlink(path)
        }
        // A new block, so that the file system has to update its own records as well.
        let block = [UInt8](repeating: 1, count: 4096)
        if write(file, block, block.count) == block.count { fsync(file) }
        return (ContinuousClock.now - began).seconds
    }
}
