/// What the tracer counted in the life that was to be killed at a system call.
package struct CountedCalls: Sendable, Hashable, Codable {
    /// Calls that change or sync files below the state, or that can fail as planned.
    package let counted: Int
    /// Where the tracer killed the worker, as text; nil when it did not.
    package let last: String?
    package let failed: FailedCall?
    /// What it did to its files by means that are not counted, in words; nil for nothing.
    package let unseen: [String]?

    package init(counted: Int, last: String?, failed: FailedCall? = nil, unseen: [String] = []) {
        (self.counted, self.last, self.failed) = (counted, last, failed)
        self.unseen = unseen.isEmpty ? nil : unseen
    }
}
