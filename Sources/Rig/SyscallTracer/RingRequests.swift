internal import CPtrace
internal import Glibc
internal import RigModel

/// What a program asks of io_uring, which happens without a system call of its own.
///
/// It is not recorded: only the kernel knows when a request is carried out. But reads and
/// networking change nothing; so the requests are looked at, as the kernel lists them in
/// `/proc/PID/fdinfo` (`io_uring_show_fdinfo` in io_uring/fdinfo.c).
enum RingRequests {
    /// Requests that change no file, whatever they are about.
    private static let harmless: Set<Substring> = [
        "NOP", "READ", "READV", "READ_FIXED", "READ_MULTISHOT", "STATX", "FADVISE", "MADVISE",
        "POLL_ADD", "POLL_REMOVE", "EPOLL_CTL", "EPOLL_WAIT", "TIMEOUT", "TIMEOUT_REMOVE",
        "LINK_TIMEOUT", "ASYNC_CANCEL", "ACCEPT", "CONNECT", "SOCKET", "BIND", "LISTEN", "SHUTDOWN",
        "SEND", "SEND_ZC", "SENDMSG", "SENDMSG_ZC", "RECV", "RECVMSG", "RECV_ZC", "FILES_UPDATE",
        "PROVIDE_BUFFERS", "REMOVE_BUFFERS", "TEE", "MSG_RING", "GETXATTR", "FGETXATTR", "WAITID",
        "FUTEX_WAIT", "FUTEX_WAKE", "FUTEX_WAITV", "CLOSE", "FIXED_FD_INSTALL", "SYNC_FILE_RANGE",
    ]
    private static let onDescriptor: Set<Substring> = [
        "WRITE", "WRITEV", "WRITE_FIXED", "FSYNC", "FALLOCATE", "FTRUNCATE", "SPLICE", "FSETXATTR",
        "URING_CMD",
    ]
    /// So often the kernel is asked for the list, which it leaves out while a ring is busy.
    private static let tries = 100

    /// True for a request that changes nothing, and whose like among the calls is to fail.
    private static func isToFail(_ name: Substring, by error: CallError?) -> Bool {
        switch error {
        case .shortRead: name.hasPrefix("READ")
        case .closeEIO: name == "CLOSE"
        case .eio, .fsyncEIO, .slow: name == "SYNC_FILE_RANGE"
        default: false
        }
    }

    /// What `io_uring_setup`, or `io_uring_enter` at its entry, asks for that may change or sync
    /// files in scope, or that is to fail by an error, in words; nil for nothing.
    static func unseen(
        in call: SystemCall, _ scope: Scope, failing error: CallError? = nil
    ) -> String? {
        guard call.effect == .ringEnter else {
            // With IORING_SETUP_SQPOLL, 2, a thread of the kernel takes requests without any call.
            let flags = Tracee.bytes(at: call.arguments[1] &+ 8, count: 4, in: call.thread)
            return flags.first.map { $0 & 2 == 0 } ?? false ? nil : "requests to io_uring"
        }
        // With IORING_ENTER_REGISTERED_RING, 16, the ring has no descriptor.
        guard call.word(3) & 16 == 0, let lines = requests(in: call) else {
            return "requests to io_uring"
        }
        let unseen = lines.compactMap { name(of: $0, in: call.thread, scope, failing: error) }
        return unseen.first.map { "\($0) by io_uring" }
    }

    /// The kernel's lines about what is to be submitted; nil where it does not tell.
    private static func requests(in call: SystemCall) -> [Substring]? {
        for _ in 0..<tries {
            let path = "/proc/\(call.thread)/fdinfo/\(call.word(0))"
            let text = Tracee.file(path, atMost: 1 << 22)
            if text.contains("SQEs:") {
                return text.split(separator: "\n").filter { $0.contains("opcode:") }
            }
            sched_yield()
        }
        return nil
    }

    /// The name of a request that may change a file, by its line, such as
    /// `0: opcode:WRITE, fd:4, flags:0, off:0, addr:0x55, rw_flags:0x0, buf_index:0`.
    private static func name(
        of line: Substring, in thread: pid_t, _ scope: Scope, failing error: CallError?
    ) -> String? {
        func field(_ name: String) -> Substring? {
            line.split(whereSeparator: { $0 == "," || $0 == " " })
                .first { $0.hasPrefix("\(name):") }?.dropFirst(name.count + 1)
        }
        guard let name = field("opcode") else { return "a request" }
        let isToFail = isToFail(name, by: error)
        if harmless.contains(name), !isToFail { return nil }
        if name == "OPENAT",
            let flags = field("rw_flags").flatMap({ Int32($0.dropFirst(2), radix: 16) }),
            flags & (O_CREAT | O_TRUNC | 0o20_000_000) == 0
        {
            return nil
        }
        // IOSQE_FIXED_FILE, 1: the number is none of a descriptor.
        if isToFail || onDescriptor.contains(name),
            let flags = field("flags").flatMap({ Int32($0, radix: 16) }),
            flags & 1 == 0, let descriptor = field("fd").flatMap({ Int32($0) }),
            !scope.contains(descriptor: descriptor, in: thread)
        {
            return nil
        }
        return String(name)
    }
}
