/// Where the runs lie that gates compare with, as the user names them.
package struct ReferencePaths: Sendable, Hashable {
    /// A run folder or a file of rows: the value of `--baseline`.
    package var baseline: String?
    /// A history: the value of `--history`.
    package var history: String?

    package init(baseline: String? = nil, history: String? = nil) {
        (self.baseline, self.history) = (baseline, history)
    }

    package var isEmpty: Bool { self == ReferencePaths() }

    /// The option that names one, without its dashes.
    var named: String {
        baseline.map { "baseline \($0)" } ?? history.map { "history \($0)" } ?? ""
    }
}
