#if os(Linux)
    internal import Foundation
    internal import Glibc

    /// What `/proc` tells of a process (`proc_pid_stat(5)`).
    struct ProcessFacts: Sendable {
        let id: pid_t
        /// Its program's name, cut to 15 bytes.
        let name: String
        let group: pid_t
        /// When it was started, in the kernel's ticks since the machine's start.
        let started: UInt64
        /// True once it has ended; its parent has not asked about it yet.
        let hasEnded: Bool
        /// True for one that has ended, or has begun to: it only takes its memory along.
        let isDying: Bool

        /// Reads what is there now; nil where there is no such process.
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
            self.group = group
            self.started = started
            hasEnded = ["Z", "X"].contains(fields[0])
            let status = Self.read("/proc/\(process)/status").map {
                ProcessState(
                    stat: String(decoding: stat, as: UTF8.self),
                    status: String(decoding: $0, as: UTF8.self))
            }
            isDying = status.flatMap(\.self)?.isDying(of: SIGKILL) ?? true
        }

        /// Now, in the ticks of ``started``, which counts the time asleep as well.
        static var now: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            let perSecond = UInt64(sysconf(Int32(_SC_CLK_TCK)))
            return UInt64(time.tv_sec) * perSecond
                + UInt64(time.tv_nsec) * perSecond / 1_000_000_000
        }

        /// The children of a process; none where there is no such process.
        static func children(of process: pid_t) -> [pid_t] {
            let tasks = "/proc/\(process)/task"
            return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).flatMap {
                let list = read("\(tasks)/\($0)/children") ?? []
                return String(decoding: list, as: UTF8.self).split(separator: " ")
                    .compactMap { pid_t($0) }
            }
        }

        /// All that descend from a process.
        ///
        /// - Parameters:
        ///   - process: the one to begin with, which is not among them.
        ///   - isLeftOut: says of each whether it, and what is below it, is to be left out.
        /// - Returns: their ids.
        static func descendants(
            of process: pid_t, besides isLeftOut: (pid_t) -> Bool = { _ in false }
        ) -> [pid_t] {
            var found: [pid_t] = []
            var next = [process]
            while let parent = next.popLast() {
                let children = children(of: parent)
                    .filter { !isLeftOut($0) && !found.contains($0) }
                found += children
                next += children
            }
            return found
        }

        /// Reads a file of `/proc`, which does not tell its length; nil when it is gone or not to be
        /// read.
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
#endif
