#if os(Linux)
    internal import Glibc

    /// The processes of a worker: itself and those that it started, as far as they are in its group.
    struct ProcessGroup: Sendable {
        /// The group's id, which is its first process's.
        let id: pid_t

        /// Sends a signal to every process of the group.
        func send(_ signal: Int32) {
            Glibc.kill(-id, signal)
        }

        /// The processes that are in the group now, zombies among them.
        var members: [pid_t] {
            Self.numbers(in: "/proc").filter { getpgid($0) == id }
        }

        /// True when every thread of every one of some processes is stopped, or is no more.
        static func areStopped(_ members: [pid_t]) -> Bool {
            members.allSatisfy { process in
                numbers(in: "/proc/\(process)/task").allSatisfy { thread in
                    // Gone meanwhile, stopped, stopped by a tracer, or at its end.
                    state("/proc/\(process)/task/\(thread)/stat").map { "TtZX".contains($0) }
                        ?? true
                }
            }
        }

        /// The state of a thread, as its `stat` has it; nil when there is none.
        private static func state(_ path: String) -> Character? {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
                let count = read(file, buffer.baseAddress, buffer.count)
                guard count > 0 else { return nil }
                // A program's name may contain brackets: the state follows the last.
                let text = buffer[..<count]
                guard let name = text.lastIndex(of: UInt8(ascii: ")")), name + 2 < count else {
                    return nil
                }
                return Character(Unicode.Scalar(text[name + 2]))
            }
        }

        private static func numbers(in folder: String) -> [pid_t] {
            guard let entries = opendir(folder) else { return [] }
            defer { closedir(entries) }
            var numbers: [pid_t] = []
            while let entry = readdir(entries) {
                let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { strtol($0, nil, 10) }
                }
                if number > 0 { numbers.append(pid_t(number)) }
            }
            return numbers
        }
    }
#endif
