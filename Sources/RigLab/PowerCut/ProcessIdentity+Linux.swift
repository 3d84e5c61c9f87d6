#if os(Linux)
    internal import Foundation

    extension ProcessIdentity {
        /// This process; nil where `/proc` does not tell.
        static var own: ProcessIdentity? { of(ProcessInfo.processInfo.processIdentifier) }

        /// The process that has a number now; nil where there is none.
        static func of(_ process: Int32) -> ProcessIdentity? {
            guard let started = ProcessFacts(of: process)?.started, let namespace = ownNamespace
            else {
                return nil
            }
            return ProcessIdentity(process: process, started: started, namespace: namespace)
        }

        /// True when it is certain that the process has ended.
        ///
        /// Of a process in another name space, such as another container's, nothing is certain.
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
