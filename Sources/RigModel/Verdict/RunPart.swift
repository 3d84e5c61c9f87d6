/// How one of the runs ended that `--documented` and `--self-check` are made of.
package struct RunPart: Sendable, Hashable {
    /// The part's name, and its folder's.
    package let name: String
    /// Its exit code.
    package let exitCode: Int32
    /// How many rows it has when it is complete; nil when it ended before it began.
    package let expectedRows: Int?
    /// The length of its video in bytes; nil when it ended before it began.
    package let videoLength: Int64?
    /// The rows that there are.
    package let rows: [IterationRow]
    /// What it said is wrong; its last line where it said nothing of the kind.
    package let complaint: String

    /// How a part ended.
    package init(
        name: String, exitCode: Int32, expectedRows: Int?, videoLength: Int64?,
        rows: [IterationRow], complaint: String
    ) {
        self.name = name
        self.exitCode = exitCode
        self.expectedRows = expectedRows
        self.videoLength = videoLength
        self.rows = rows
        self.complaint = complaint
    }

    /// True when every row that was planned is there.
    package var hasAllRows: Bool { expectedRows == rows.count }

    /// Why it cannot be relied on; nil when its rows are all there, and it ended as one does that
    /// has come to its end: with 0, 98 or 99.
    package var failure: PartFailure? {
        let ended: [ExitStatus] = [.success, .inconclusive, .gateFailed]
        guard ended.map(\.rawValue).contains(exitCode) else {
            return PartFailure(
                part: name, reason: "exit \(exitCode): \(complaint)",
                status: PartFailure.status(of: exitCode))
        }
        guard !hasAllRows else { return nil }
        let found = expectedRows.map { "\(rows.count) of \($0) rows" } ?? "no run"
        return PartFailure(
            part: name, reason: "exit \(exitCode), and \(found) there: \(complaint)",
            status: PartFailure.status(of: exitCode))
    }
}

/// Why a run that is made of others cannot rely on one of them.
package struct PartFailure: Sendable, Hashable {
    /// The part's name.
    package let part: String
    /// What is wrong with it.
    package let reason: String
    /// What the whole ends with if nothing worse applies; never ``ExitStatus/success``.
    package let status: ExitStatus

    /// A failure.
    package init(part: String, reason: String, status: ExitStatus) {
        self.part = part
        self.reason = reason
        self.status = status
    }

    /// The failure in one line.
    package var line: String { "\(part): \(reason)" }

    /// What a part's exit code makes of the whole, of which it leaves something unknown: the code
    /// itself where that is worse than an unknown (spec 2), 98 otherwise.
    package static func status(of exitCode: Int32) -> ExitStatus {
        ExitStatus.worst([ExitStatus(rawValue: exitCode) ?? .inconclusive, .inconclusive])
    }
}
