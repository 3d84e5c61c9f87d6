/// What happens at the kill.
package enum Fault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The process dies, the kernel lives: nothing handed to the kernel is lost.
    case sigkill
}
