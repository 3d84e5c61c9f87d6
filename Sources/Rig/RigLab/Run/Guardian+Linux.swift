#if os(Linux)
    internal import CFileSystem
    internal import Foundation
    internal import Glibc

    extension Guardian {
        /// Blocks until the rig has ended, or has dismissed this guardian.
        ///
        /// - Parameter rig: the rig's process.
        /// - Returns: the rig's descendants at the last look: once the rig has ended, a process
        ///   that has dropped the mark cannot be told from any other.
        static func waitForEnd(of rig: pid_t) -> [ProcessFacts] {
            // Processes older than this guardian existed before the run.
            let began = ProcessFacts(of: getpid())?.started ?? .max
            var seen: [ProcessFacts] = []
            var byte: UInt8 = 0
            while true {
                if descriptor_wait(STDIN_FILENO, 50_000_000) > 0, read(STDIN_FILENO, &byte, 1) < 1 {
                    return seen
                }
                seen = ProcessFacts.descendants(of: rig, besides: isGuardian)
                    .compactMap(ProcessFacts.init).filter { $0.started >= began }
            }
        }

        /// Kills processes that still exist, and their descendants, until none is left.
        static func killAll(_ seen: [ProcessFacts]) {
            for _ in 0..<500 {
                let there = seen.filter { facts in
                    ProcessFacts(of: facts.id).map { $0.started == facts.started && !$0.hasEnded }
                        ?? false
                }
                if there.isEmpty { return }
                for facts in there {
                    let below = ProcessFacts.descendants(of: facts.id, besides: isGuardian)
                    for process in below { kill(process, SIGKILL) }
                    kill(facts.id, SIGKILL)
                }
                Pause.seconds(0.02)
            }
        }

        /// True for a guardian, also that of a run inside this one: each cleans up its own run.
        private static func isGuardian(_ process: pid_t) -> Bool {
            func program(_ process: String) -> String? {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
            }
            let words = (ProcessFacts.read("/proc/\(process)/cmdline") ?? []).split(separator: 0)
            return words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
                == commandName && program("\(process)") == program("self")
        }

        /// Kills every process of a run, until two looks in a row find none.
        ///
        /// The second look is needed because a worker that was being launched when the rig died
        /// shows its environment only once it runs its program.
        static func killEveryone(_ mark: RunMark) {
            var quietLooks = 0
            // A process that hangs in the kernel cannot die now, so the wait is limited.
            for _ in 0..<500 where quietLooks < 2 {
                let found = RunProcesses.living(mark)
                for process in found { process.kill() }
                quietLooks = found.isEmpty ? quietLooks + 1 : 0
                Pause.seconds(0.02)
            }
        }
    }
#endif
