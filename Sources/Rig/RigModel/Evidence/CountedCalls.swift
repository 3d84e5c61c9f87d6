/// What the tracer counted in the life that was to be killed at a system call.
package struct CountedCalls: Sendable, Hashable, Codable {
    /// Calls that change or sync files below the worker's state, including the one at the kill; of
    /// calls that fail, those that can fail so.
    package let counted: Int
    /// Where the tracer killed the worker, as text; nil when it did not.
    package let last: String?
    /// The first call that was made to fail; nil for none.
    package let failed: FailedCall?
    /// What the worker did to its files by other means, in words, which was neither counted nor
    /// made to fail; nil for nothing.
    package let unseen: [String]?

    package init(
        counted: Int, last: String?, failed: FailedCall? = nil, unseen: [String] = []
    ) {
        self.counted = counted
        self.last = last
        self.failed = failed
        self.unseen = unseen.isEmpty ? nil : unseen
    }
}
