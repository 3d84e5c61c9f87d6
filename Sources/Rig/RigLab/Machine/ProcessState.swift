internal import Glibc

/// What `/proc` reports about the first thread of a process.
struct ProcessState {
    private let state: Character
    private let flags: UInt64
    private let pending: UInt64

    /// `PF_EXITING`, `PF_DUMPCORE` and `PF_SIGNALED` of the kernel's `sched.h`.
    private static let leaving: UInt64 = 0x4 | 0x200 | 0x400

    /// Asks the kernel; nil when the process no longer exists.
    init?(of process: pid_t) {
        guard let stat = ProcessFacts.text("/proc/\(process)/stat"),
            let status = ProcessFacts.text("/proc/\(process)/status")
        else { return nil }
        self.init(stat: stat, status: status)
    }

    /// Parses `/proc/PID/stat` and `/proc/PID/status`; nil when they are malformed.
    init?(stat: String, status: String) {
        // A program's name may contain spaces and brackets: the fields begin after the last.
        guard let name = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: name)...].split(separator: " ")
        guard fields.count > 6, let state = fields[0].first, let flags = UInt64(fields[6])
        else { return nil }
        let sets = status.split(separator: "\n").filter {
            $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
        }
        let masks = sets.compactMap {
            UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16)
        }
        guard masks.count == 2 else { return nil }
        (self.state, self.flags) = (state, flags)
        pending = masks[0] | masks[1]
    }

    /// True when the process has begun to exit, or is about to die of a pending signal.
    ///
    /// A thread that ends the whole process sends signal 9 to the first thread.
    func isDying(of signal: Int32) -> Bool {
        let deadly: UInt64 = 1 << UInt64(SIGKILL - 1) | 1 << UInt64(signal - 1)
        return "ZX".contains(state) || flags & Self.leaving != 0 || pending & deadly != 0
    }
}
