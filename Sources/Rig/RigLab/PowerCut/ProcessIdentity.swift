/// Identifies a process even when another one later gets its process id.
struct ProcessIdentity: Sendable, Hashable {
    /// The process id.
    let process: Int32
    /// When it was started, in kernel ticks.
    let started: UInt64
    /// The PID namespace to which the process id belongs, such as a container's.
    let namespace: UInt64

    /// The identity as text, as in a file's name: `123-4567-4026531836`.
    var text: String { "\(process)-\(started)-\(namespace)" }

    init(process: Int32, started: UInt64, namespace: UInt64) {
        self.process = process
        self.started = started
        self.namespace = namespace
    }

    /// Parses ``text``; nil for any other text.
    init?(_ text: String) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, let process = Int32(numbers[0]),
            let started = UInt64(numbers[1]), let namespace = UInt64(numbers[2])
        else { return nil }
        self.init(process: process, started: started, namespace: namespace)
    }
}
