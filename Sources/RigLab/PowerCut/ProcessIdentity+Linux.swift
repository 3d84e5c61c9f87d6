#if os(Linux)
    internal import Foundation

    extension ProcessIdentity {
        /// This process; nil where `/proc` does not tell.
        static var own: ProcessIdentity? { of(ProcessInfo.processInfo.processIdentifier) }

        /// The process that has a number now; nil where there is none.
        static func of(_ process: Int32) -> ProcessIdentity? {
            guard let started = life(of: process)?.started, let namespace = ownNamespace else {
                return nil
            }
            return ProcessIdentity(process: process, started: started, namespace: namespace)
        }

        /// True when it is certain that the process has ended.
        ///
        /// Of a process in another name space, such as another container's, nothing is certain.
        var isDead: Bool {
            guard namespace == Self.ownNamespace else { return false }
            guard let life = Self.life(of: process), life.started == started else { return true }
            // One that has ended and that its parent has not asked about yet runs no more.
            return ["Z", "X"].contains(life.state)
        }

        private static var ownNamespace: UInt64? {
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/ns/pid")
            return link.flatMap { UInt64($0.filter(\.isNumber)) }
        }

        private static func life(of process: Int32) -> (state: String, started: UInt64)? {
            guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat"),
                // The program's own name, in parentheses, may hold anything.
                let end = data.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            let fields = String(decoding: data[(end + 1)...], as: UTF8.self)
                .split(separator: " ")
            guard fields.count > 19, let started = UInt64(fields[19]) else { return nil }
            return (String(fields[0]), started)
        }
    }
#endif
