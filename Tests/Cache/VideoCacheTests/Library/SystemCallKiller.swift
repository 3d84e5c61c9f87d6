import Foundation
import GRDBSQLite
import Synchronization

/// Kills the process at a chosen write of SQLite's, without the library's knowledge.
///
/// It uses SQLite's own test interface: `xSetSystemCall` replaces a system call by a function.
enum SystemCallKiller {
    // C functions capture nothing, so these are globals; one process is killed only once.
    private static let writes = Atomic(0)
    private static let deadlyWrite = Atomic(0)
    private static let isTearing = Atomic(false)

    static func die() { kill(getpid(), SIGKILL) }

    /// Plans the kill before the write of that number, counted from 1, or after half of its bytes.
    static func arm(atWrite number: Int, tearing: Bool) {
        deadlyWrite.store(number, ordering: .relaxed)
        isTearing.store(tearing, ordering: .relaxed)
        let atOffset: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
            file, bytes, count, offset in
            let count = SystemCallKiller.allowed(count) { pwrite(file, bytes, $0, offset) }
            return pwrite(file, bytes, count, offset)
        }
        let plain: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
            let count = SystemCallKiller.allowed(count) { write(file, bytes, $0) }
            return write(file, bytes, count)
        }
        for name in ["pwrite", "pwrite64"] {
            RefusedCalls.replace(name, with: unsafeBitCast(atOffset, to: sqlite3_syscall_ptr.self))
        }
        RefusedCalls.replace("write", with: unsafeBitCast(plain, to: sqlite3_syscall_ptr.self))
    }

    /// Counts a write, and kills the process instead if it is the chosen one.
    private static func allowed(_ count: Int, tear: (Int) -> Int) -> Int {
        let number = writes.add(1, ordering: .relaxed).newValue
        guard number == deadlyWrite.load(ordering: .relaxed) else { return count }
        if isTearing.load(ordering: .relaxed) { _ = tear(count / 2) }
        die()
        return count
    }
}
