package import RigModel

/// Which program to trace, where its calls count, and at which of them to kill it.
package struct TraceSettings: Sendable, Hashable {
    /// The program and its arguments; a program without a slash is searched for in `PATH`.
    package var command: [String]
    /// The counted call at which to kill, or with which failures begin, from 1; nil for none.
    package var killAt: Int?
    /// The name of the calls among which ``killAt`` counts; nil for all.
    package var killName: String?
    package var edge = CallMoment.Edge.before
    /// How calls fail, in the place of a kill; only calls that can fail so are counted then.
    package var failure: CallFailure?
    /// The folder below which calls count; nil for all files and folders.
    package var folder: String?
    package var moreFolders: [String] = []
    /// The path of the log of what was done below ``folder``; nil for none.
    package var record: String?
    /// The path of the text that says where the program made each recorded call; nil for none.
    package var stacks: String?
    /// Syncs that the tracer makes for the program; only with ``record``.
    package var placedSyncs: [PlacedSync] = []
    /// Where the report goes once a call has failed: a program that hangs then dies with its
    /// tracer.
    package var report: String?
    /// Whether the report names the files that the program reads as it found them.
    package var notesReads = false
    /// Whether mapped memory is looked at every few milliseconds, and not only before syncs.
    package var looksOften = true
    /// False to stop the program at each of its calls, as on a kernel without filters.
    package var isFiltered = true

    func watches(_ kind: SystemCallKind) -> Bool {
        if kind.effect == .read { return failure?.error == .shortRead }
        return record != nil || !kind.isOfRecorder
            || kind.effect == .close && failure?.error == .closeEIO
    }

    package init(command: [String]) { self.command = command }
}
