import Foundation
import GRDBSQLite
import Synchronization

/// Refuses calls of SQLite's for one file, as a failing disk or another file system does.
///
/// It uses SQLite's own test interface: `xSetSystemCall` replaces a system call by a function.
enum RefusedCalls {
    // C functions capture nothing, so these are globals.
    private static let unreadable = Mutex<Set<String>>([])
    private static let unshared = Mutex<Set<String>>([])

    /// Runs the body while no byte of the file at a path can be read (EIO).
    static func whileUnreadable(_ path: String, _ body: () throws -> Void) rethrows {
        let atOffset: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
            file, bytes, count, offset in
            guard RefusedCalls.mayRead(file) else { return RefusedCalls.refuse(EIO) }
            return pread(file, bytes, count, offset)
        }
        let plain: @convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
            file, bytes, count in
            guard RefusedCalls.mayRead(file) else { return RefusedCalls.refuse(EIO) }
            return read(file, bytes, count)
        }
        for name in ["pread", "pread64"] {
            replace(name, with: unsafeBitCast(atOffset, to: sqlite3_syscall_ptr.self))
        }
        replace("read", with: unsafeBitCast(plain, to: sqlite3_syscall_ptr.self))
        unreadable.withLock { _ = $0.insert(path) }
        defer { unreadable.withLock { _ = $0.remove(path) } }
        try body()
    }

    /// Runs the body while the file at a path cannot be mapped into memory (ENODEV).
    static func whileUnshared(_ path: String, _ body: () throws -> Void) rethrows {
        let map:
            @convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t)
                -> UnsafeMutableRawPointer? = { address, length, access, flags, file, offset in
                    guard RefusedCalls.mayShare(file) else {
                        return UnsafeMutableRawPointer(bitPattern: RefusedCalls.refuse(ENODEV))
                    }
                    return mmap(address, length, access, flags, file, offset)
                }
        replace("mmap", with: unsafeBitCast(map, to: sqlite3_syscall_ptr.self))
        unshared.withLock { _ = $0.insert(path) }
        defer { unshared.withLock { _ = $0.remove(path) } }
        try body()
    }

    static func replace(_ name: String, with function: @escaping sqlite3_syscall_ptr) {
        guard let system = sqlite3_vfs_find(nil) else { return }
        _ = system.pointee.xSetSystemCall(system, name, function)
    }

    /// What a failed call returns; also the number of the address that a failed `mmap` returns.
    private static func refuse(_ code: Int32) -> Int {
        errno = code
        return -1
    }

    private static func mayRead(_ file: Int32) -> Bool {
        unreadable.withLock { $0.isEmpty || !$0.contains(path(of: file)) }
    }

    private static func mayShare(_ file: Int32) -> Bool {
        unshared.withLock { $0.isEmpty || !$0.contains(path(of: file)) }
    }

    private static func path(of file: Int32) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")) ?? ""
    }
}
