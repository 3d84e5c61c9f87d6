#if os(Linux)
    internal import Foundation
    internal import Glibc

    extension Guardian {
        /// Kills every process that carries the mark, until two looks in a row find none.
        ///
        /// A second look is needed, because a worker that was being launched when the rig died
        /// shows its environment only once it runs its program.
        static func killEveryone(mark: String) {
            let entry = Data("\(markVariable)=\(mark)".utf8)
            var quietLooks = 0
            // A process that hangs in the kernel cannot die now: the guardian does not wait for it.
            for _ in 0..<500 where quietLooks < 2 {
                let found = processes(carrying: entry)
                for process in found { kill(process, SIGKILL) }
                quietLooks = found.isEmpty ? quietLooks + 1 : 0
                Pause.seconds(0.02)
            }
        }

        private static func processes(carrying entry: Data) -> [pid_t] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap(pid_t.init).filter { process in
                guard process != getpid(),
                    let environment = FileManager.default.contents(
                        atPath: "/proc/\(process)/environ")
                else { return false }
                return environment.split(separator: 0).contains(entry)
            }
        }
    }
#endif
