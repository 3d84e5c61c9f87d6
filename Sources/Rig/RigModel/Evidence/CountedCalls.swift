/// What the tracer counted in the life that was to be killed at a system call.
package struct CountedCalls: Sendable, Hashable, Codable {
    /// Calls that change or sync files below the worker's state, including the one at the kill.
    package let counted: Int
    /// Where the tracer killed the worker, as text; nil when it did not.
    package let last: String?

    package init(counted: Int, last: String?) {
        self.counted = counted
        self.last = last
    }
}
