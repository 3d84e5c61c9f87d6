/// What the tracer counted in the life that a kill by system calls was to end.
package struct CountedCalls: Sendable, Hashable, Codable {
    /// The calls that change or sync files below the worker's state, the one of the kill included.
    package let counted: Int
    /// Where the tracer killed the worker, in words; nil when it did not.
    package let last: String?

    /// What was counted.
    package init(counted: Int, last: String?) {
        self.counted = counted
        self.last = last
    }
}
