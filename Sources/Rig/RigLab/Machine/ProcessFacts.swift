internal import CFileSystem  // declares timespec where it is imported before Glibc
internal import Foundation
internal import Glibc
internal import SystemPackage

/// What `/proc` reports about a process (`proc_pid_stat(5)`).
struct ProcessFacts: Sendable {
    let id: pid_t
    /// The program's name, cut to 15 bytes.
    let name: String
    let group: pid_t
    /// When it was started, in kernel ticks since boot.
    let started: UInt64
    /// True once it has ended, as a zombie that its parent has not reaped yet.
    let hasEnded: Bool
    /// True once it has ended or has begun to: only its memory is still being freed.
    let isDying: Bool
    /// Its command line, on one line and cut; nil where it was not asked for, or has gone.
    var command: String?

    private static let mostOfCommand = 80

    /// The same, with the command line that it has now.
    var withCommand: ProcessFacts {
        var facts = self
        let words = (Self.text("/proc/\(id)/cmdline") ?? "")
            .split(whereSeparator: { $0 == "\0" || $0.isNewline })
        // A semicolon separates the findings of a row.
        let line = words.joined(separator: " ").replacing(";", with: ",")
        guard !line.isEmpty else { return facts }
        let isCut = line.count > Self.mostOfCommand
        facts.command = isCut ? "\(line.prefix(Self.mostOfCommand - 1))…" : line
        return facts
    }

    /// `http (process 1403, python3 /usr/bin/http --download)`.
    var words: String { "\(name) (process \(id)\(command.map { ", \($0)" } ?? ""))" }
}

extension ProcessFacts {
    /// Reads the current facts; nil when there is no such process.
    init?(of process: pid_t) {
        guard let stat = Self.read("/proc/\(process)/stat"),
            let begin = stat.firstIndex(of: UInt8(ascii: "(")),
            // A program's name may hold spaces and brackets: the fields begin after the last.
            let end = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: stat[(end + 1)...], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, let group = pid_t(fields[2]), let started = UInt64(fields[19])
        else { return nil }
        id = process
        name = String(decoding: stat[(begin + 1)..<end], as: UTF8.self)
        (self.group, self.started) = (group, started)
        hasEnded = ["Z", "X"].contains(fields[0])
        let state = Self.text("/proc/\(process)/status").flatMap {
            ProcessState(stat: String(decoding: stat, as: UTF8.self), status: $0)
        }
        isDying = state?.isDying(of: SIGKILL) ?? true
    }

    func kill() { Glibc.kill(id, SIGKILL) }
    func askToEnd() { Glibc.kill(id, SIGTERM) }

    static var all: [pid_t] { "/proc".names.compactMap { pid_t($0) } }

    static func isAnyAlive(inGroup group: pid_t) -> Bool {
        all.contains { getpgid($0) == group && ProcessFacts(of: $0)?.hasEnded == false }
    }

    /// The current time in the ticks of ``started``, which also count time in suspend.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let perSecond = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        return UInt64(time.tv_sec) * perSecond + UInt64(time.tv_nsec) * perSecond / 1_000_000_000
    }

    static func children(of process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        return tasks.names.flatMap {
            (text("\(tasks)/\($0)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// All descendants of a process, except those left out and the descendants of these.
    static func descendants(
        of process: pid_t, besides isLeftOut: (pid_t) -> Bool = { _ in false }
    ) -> [pid_t] {
        var found: [pid_t] = []
        var next = [process]
        while let parent = next.popLast() {
            let children = children(of: parent).filter { !isLeftOut($0) && !found.contains($0) }
            found += children
            next += children
        }
        return found
    }

    static func text(_ path: String) -> String? {
        read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What follows a word at the beginning of one of the lines of such a file; nil without it.
    static func line(_ path: String, _ word: String) -> Substring? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix(word) }?.dropFirst(word.count)
    }

    /// Reads a file of `/proc`, whose length is not known; nil when it is gone or unreadable.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
            }
            if piece.isEmpty { return text }
            text += piece
        }
    }

    /// Writes a text to a file of the kernel; false if that refuses it.
    static func write(_ text: String, to path: String) -> Bool {
        guard let file = try? path.opened(.writeOnly) else { return false }
        defer { try? file.close() }
        return (try? file.writeAll(text.utf8)) != nil
    }
}

/// What `/proc` reports about the first thread of a process.
struct ProcessState {
    private let state: Character
    private let flags: UInt64
    private let pending: UInt64

    /// `PF_EXITING`, `PF_DUMPCORE` and `PF_SIGNALED` of the kernel's `sched.h`.
    private static let leaving: UInt64 = 0x4 | 0x200 | 0x400

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

/// The end of a child that has not been reaped yet, as a file descriptor to wait on.
struct ProcessEnding: ~Copyable {
    /// Negative where the kernel provided none, as before Linux 5.3.
    private let descriptor: Int32

    init(of process: pid_t) { descriptor = process_open(process) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sleeps for that many seconds, at least 0, or until the process has ended.
    func wait(atMost seconds: Double) {
        guard descriptor >= 0 else { return Pause.seconds(seconds) }
        descriptor_wait(descriptor, Int(seconds * 1e9))
    }
}

/// Identifies a process even when another one later gets its process id.
struct ProcessIdentity: Sendable, Hashable {
    let process: Int32
    let started: UInt64
    /// The PID namespace to which the process id belongs, such as a container's.
    let namespace: UInt64
}

extension ProcessIdentity {
    /// The identity as text, as in a file's name: `123-4567-4026531836`.
    var text: String { "\(process)-\(started)-\(namespace)" }

    init?(_ text: String) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, let process = Int32(numbers[0]),
            let started = UInt64(numbers[1]), let namespace = UInt64(numbers[2])
        else { return nil }
        self.init(process: process, started: started, namespace: namespace)
    }

    static var own: ProcessIdentity? { of(ProcessInfo.processInfo.processIdentifier) }

    static func of(_ process: Int32) -> ProcessIdentity? {
        guard let started = ProcessFacts(of: process)?.started, let namespace = ownNamespace else {
            return nil
        }
        return ProcessIdentity(process: process, started: started, namespace: namespace)
    }

    /// True when it is certain that the process has ended.
    ///
    /// Nothing is certain about a process in another PID namespace, such as another container's.
    var isDead: Bool {
        guard namespace == Self.ownNamespace else { return false }
        guard let facts = ProcessFacts(of: process), facts.started == started else { return true }
        return facts.hasEnded
    }

    private static var ownNamespace: UInt64? {
        "/proc/self/ns/pid".linkTarget.flatMap { UInt64($0.filter(\.isNumber)) }
    }
}
