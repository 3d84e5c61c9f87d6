#if os(Linux)
    internal import Foundation
    internal import Glibc

    extension RunProcess {
        /// A process as the kernel reports it.
        init(_ facts: ProcessFacts) {
            self.init(
                id: facts.id, group: facts.group, name: facts.name, isDying: facts.isDying)
        }

        /// Sends signal 9.
        func kill() { Glibc.kill(id, SIGKILL) }
    }

    extension RunProcesses {
        /// The processes of a run that are alive now, without zombies.
        static func living(_ mark: RunMark) -> [RunProcess] {
            let entry = Array(mark.entry.utf8)
            let marked: [RunProcess] = all.compactMap { process, environment in
                guard belongs(process, environment: environment, to: mark, entry: entry),
                    let facts = ProcessFacts(of: process), !facts.hasEnded
                else { return nil }
                return RunProcess(facts)
            }
            return marked
                + Orphans.living(mark).filter { orphan in !marked.contains { $0.id == orphan.id } }
        }

        /// All processes except this one whose environment is readable, with that environment.
        static var all: [(process: pid_t, environment: [UInt8])] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap(pid_t.init).compactMap { process in
                guard process != getpid(),
                    let environment = ProcessFacts.read("/proc/\(process)/environ")
                else { return nil }
                return (process, environment)
            }
        }

        private static func belongs(
            _ process: pid_t, environment: [UInt8], to mark: RunMark, entry: [UInt8]
        ) -> Bool {
            // A kernel thread has no environment, and no files.
            guard !environment.isEmpty else { return false }
            let (isMarked, isWhole) = look(for: entry, in: environment)
            guard !isMarked, !isWhole, let folder = mark.folder else { return isMarked }
            return holdsFile(process, below: folder)
        }

        /// Whether an entry is in an environment, and whether any entry there looks like
        /// `NAME=value`.
        ///
        /// It is written for speed, because it runs for every process of the machine.
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
    }
#endif
