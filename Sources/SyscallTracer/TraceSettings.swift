/// Which program to trace, what to count, and where to kill it.
package struct TraceSettings: Sendable, Hashable {
    /// Program and arguments; a program without a slash is looked for in `PATH`.
    package var command: [String]
    /// The counted call at which to kill, from 1; nil to let the program run to its end.
    package var killAt: Int?
    /// Before or after that call.
    package var edge = CallEdge.before
    /// What to count.
    package var classes = Set(CallClass.allCases)
    /// Only calls on files and folders below this one count; nil for all.
    package var folder: String?
    /// Where the log of what was done below ``folder`` goes; nil for none.
    package var record: String?
    /// False to stop the program at each of its calls, as where the kernel has no filters.
    package var isFiltered = true

    /// Settings that let the program run to its end.
    package init(command: [String]) {
        self.command = command
    }
}
