internal import Foundation

/// Identifies a process even when another one later gets its process id.
struct ProcessIdentity: Sendable, Hashable {
    let process: Int32
    /// When it was started, in kernel ticks.
    let started: UInt64
    /// The PID namespace to which the process id belongs, such as a container's.
    let namespace: UInt64
}

extension ProcessIdentity {
    /// The identity as text, as in a file's name: `123-4567-4026531836`.
    var text: String { "\(process)-\(started)-\(namespace)" }

    /// Parses ``text``; nil for any other text.
    init?(_ text: String) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, let process = Int32(numbers[0]),
            let started = UInt64(numbers[1]), let namespace = UInt64(numbers[2])
        else { return nil }
        self.init(process: process, started: started, namespace: namespace)
    }

    /// This process; nil where `/proc` does not identify it.
    static var own: ProcessIdentity? { of(ProcessInfo.processInfo.processIdentifier) }

    /// The process that has an id now; nil when there is none.
    static func of(_ process: Int32) -> ProcessIdentity? {
        guard let started = ProcessFacts(of: process)?.started, let namespace = ownNamespace else {
            return nil
        }
        return ProcessIdentity(process: process, started: started, namespace: namespace)
    }

    /// True when it is certain that the process has ended.
    ///
    /// Nothing is certain about a process in another PID namespace, such as another container's.
    var isDead: Bool {
        guard namespace == Self.ownNamespace else { return false }
        guard let facts = ProcessFacts(of: process), facts.started == started else { return true }
        return facts.hasEnded
    }

    private static var ownNamespace: UInt64? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        return link.flatMap { UInt64($0.filter(\.isNumber)) }
    }
}
