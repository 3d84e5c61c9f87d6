#if os(Linux)
    internal import Foundation

    extension ProcessIdentity {
        /// This process; nil where `/proc` does not identify it.
        static var own: ProcessIdentity? { of(ProcessInfo.processInfo.processIdentifier) }

        /// The process that has an id now; nil when there is none.
        static func of(_ process: Int32) -> ProcessIdentity? {
            guard let started = ProcessFacts(of: process)?.started, let namespace = ownNamespace
            else {
                return nil
            }
            return ProcessIdentity(process: process, started: started, namespace: namespace)
        }

        /// True when it is certain that the process has ended.
        ///
        /// Nothing is certain about a process in another PID namespace, such as another
        /// container's.
        var isDead: Bool {
            guard namespace == Self.ownNamespace else { return false }
            guard let facts = ProcessFacts(of: process), facts.started == started else {
                return true
            }
            return facts.hasEnded
        }

        private static var ownNamespace: UInt64? {
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/ns/pid")
            return link.flatMap { UInt64($0.filter(\.isNumber)) }
        }
    }
#endif
