#if os(Linux)
    internal import Foundation
    internal import Glibc

    extension RunProcess {
        /// Sends signal 9.
        func kill() { Glibc.kill(id, SIGKILL) }
    }

    extension RunProcesses {
        /// The processes of a run that are there now; those that have ended already are not.
        static func living(_ mark: RunMark) -> [RunProcess] {
            let entry = Array(mark.entry.utf8)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap(pid_t.init).compactMap { process in
                guard process != getpid(), let environment = read("/proc/\(process)/environ"),
                    belongs(process, environment: environment, to: mark, entry: entry),
                    let state = state(of: process)
                else { return nil }
                return state
            }
        }

        private static func belongs(
            _ process: pid_t, environment: [UInt8], to mark: RunMark, entry: [UInt8]
        ) -> Bool {
            // A kernel's thread has none at all, and no files.
            guard !environment.isEmpty else { return false }
            let (isMarked, isWhole) = look(for: entry, in: environment)
            guard !isMarked, !isWhole, let folder = mark.folder else { return isMarked }
            return holdsFile(process, below: folder)
        }

        /// Whether an entry is in an environment, and whether anything there looks like
        /// `NAME=value`; written for speed, because it is done for every process of the machine.
        private static func look(
            for entry: [UInt8], in environment: [UInt8]
        ) -> (isMarked: Bool, isWhole: Bool) {
            environment.withUnsafeBytes { text in
                var isWhole = false
                var start = 0
                while start < text.count, let here = text.baseAddress?.advanced(by: start) {
                    let rest = text.count - start
                    let length = memchr(here, 0, rest).map { here.distance(to: $0) } ?? rest
                    if length == entry.count, memcmp(here, entry, length) == 0 {
                        return (true, true)
                    }
                    isWhole =
                        isWhole || isEntry(UnsafeRawBufferPointer(start: here, count: length))
                    start += length + 1
                }
                return (false, isWhole)
            }
        }

        private static func isEntry(_ text: UnsafeRawBufferPointer) -> Bool {
            let name = text.prefix { $0 != UInt8(ascii: "=") }
            return !name.isEmpty && name.count < text.count
                && name.allSatisfy {
                    $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0)
                        || (0x41...0x5A).contains($0 & 0xDF)
                }
        }

        private static func holdsFile(_ process: pid_t, below folder: String) -> Bool {
            let files = FileManager.default
            let handles = "/proc/\(process)/fd"
            return ((try? files.contentsOfDirectory(atPath: handles)) ?? []).contains { handle in
                let target = try? files.destinationOfSymbolicLink(atPath: "\(handles)/\(handle)")
                return target?.hasPrefix("\(folder)/") ?? false
            }
        }

        /// Reads a file of `/proc`, which does not tell its length; nil when it is gone or not to be
        /// read.
        private static func read(_ path: String) -> [UInt8]? {
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

        /// Group and name of a process; nil when it has ended.
        private static func state(of process: pid_t) -> RunProcess? {
            guard let stat = read("/proc/\(process)/stat"),
                let begin = stat.firstIndex(of: UInt8(ascii: "(")),
                // A program's name may hold spaces and brackets: the fields begin after the last.
                let end = stat.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            let fields = String(decoding: stat[(end + 1)...], as: UTF8.self).split(separator: " ")
            guard fields.count > 2, !["Z", "X"].contains(fields[0]), let group = pid_t(fields[2])
            else { return nil }
            return RunProcess(
                id: process, group: group,
                name: String(decoding: stat[(begin + 1)..<end], as: UTF8.self))
        }
    }
#endif
