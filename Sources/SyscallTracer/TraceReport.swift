/// On which side of a call a kill lands.
package enum CallEdge: String, Sendable, Hashable, Codable, CaseIterable {
    /// The call does not happen.
    case before
    /// The call has happened; nobody has been told, and nothing later has happened.
    case after
}

/// One counted call.
package struct TracedCall: Sendable, Hashable, Codable {
    /// Position among the counted calls of all threads and processes, from 1.
    package let ordinal: Int
    /// The system call's name on Linux.
    package let name: String
    /// What it counts as.
    package let callClass: CallClass
    /// The thread that made it.
    package let threadID: Int32
    /// The file or folder; where the call names two, what it makes.
    ///
    /// Empty for `sync`.
    package let path: String
    /// Where in the file, in bytes; nil where the call has no place.
    package let offset: Int64?
    /// How many bytes; nil where the call has no length.
    package let length: Int64?

    /// A counted call.
    package init(
        ordinal: Int, name: String, callClass: CallClass, threadID: Int32, path: String,
        offset: Int64? = nil, length: Int64? = nil
    ) {
        self.ordinal = ordinal
        self.name = name
        self.callClass = callClass
        self.threadID = threadID
        self.path = path
        self.offset = offset
        self.length = length
    }
}

/// What the tracer saw of a program's life.
package struct TraceReport: Sendable, Hashable, Codable {
    /// The kill that the tracer carried out.
    package struct Kill: Sendable, Hashable, Codable {
        /// The last counted call.
        package let call: TracedCall
        /// Before or after it.
        package let edge: CallEdge

        /// A kill at a call.
        package init(call: TracedCall, edge: CallEdge) {
            self.call = call
            self.edge = edge
        }
    }

    /// How many calls were counted, the one of the kill included.
    package var counted = 0
    /// The same by the calls' names.
    package var countedByName: [String: Int] = [:]
    /// The same by what they count as: `write` and `sync`.
    package var countedByClass: [String: Int] = [:]
    /// Where the tracer killed the program; nil when it did not.
    package var kill: Kill?
    /// The exit code; nil when the program was ended by a signal.
    package var exitCode: Int32?
    /// The signal that ended the program; nil when it exited.
    package var signal: Int32?
    /// True when a filter in the kernel stopped the program at the calls looked at only; false when
    /// each of its calls was stopped, which is slow.
    package var isFiltered = true
    /// Ways to change files that the program has asked for and that are not counted.
    package var unseen: [String] = []

    /// An empty report.
    package init() {}

    mutating func count(_ kind: SystemCallKind, by step: Int) {
        guard let callClass = kind.callClass else { return }
        counted += step
        countedByName[kind.rawValue, default: 0] += step
        countedByClass[callClass.rawValue, default: 0] += step
    }
}
