internal import CFileSystem  // declares timespec where it is imported before Glibc
internal import Foundation
internal import Glibc

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

    /// The most characters of a command line that are kept.
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

    /// True while a process of a group has not ended.
    static func isAnyAlive(inGroup group: pid_t) -> Bool {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.lazy.compactMap { pid_t($0) }.contains { process in
            getpgid(process) == group && ProcessFacts(of: process)?.hasEnded == false
        }
    }

    /// The current time in the ticks of ``started``, which also count time in suspend.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let perSecond = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        return UInt64(time.tv_sec) * perSecond + UInt64(time.tv_nsec) * perSecond / 1_000_000_000
    }

    /// The children of a process; empty when there is no such process.
    static func children(of process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).flatMap {
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

    /// Reads a file of `/proc` as text; nil when it is gone or unreadable.
    static func text(_ path: String) -> String? {
        read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What follows a word at the beginning of one of the lines of such a file; nil without it.
    static func line(_ path: String, _ word: String) -> Substring? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix(word) }?.dropFirst(word.count)
    }

    /// Reads a file of `/proc`, whose length is not known beforehand; nil when it is gone or
    /// unreadable.
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
}
