/// How one of the runs that make up an audit, `rig verify-claims` or `rig self-check` ended.
package struct RunPart: Sendable, Hashable {
    package let name: String
    package let exitCode: Int32
    /// The number of rows of a complete part; nil when it ended before it began.
    package let expectedRows: Int?
    /// The length of its video in bytes; nil when it ended before it began.
    package let videoLength: Int64?
    /// How fast its origin sent so that kills were spread, in bytes per second; nil if it did not.
    package let pace: Int64?
    package let rows: [IterationRow]
    /// The calls that an unharmed worker makes, where kinds of them were counted; nil elsewhere.
    package var calls: Set<String>?
    /// True if it was told to end because its time was over.
    package var wasCutOff = false
    /// Its error message; its last output line when there is none.
    package let complaint: String

    package init(
        name: String, exitCode: Int32, expectedRows: Int?, videoLength: Int64?,
        pace: Int64? = nil, rows: [IterationRow], complaint: String
    ) {
        (self.name, self.exitCode, self.expectedRows) = (name, exitCode, expectedRows)
        (self.videoLength, self.pace, self.rows) = (videoLength, pace, rows)
        self.complaint = complaint
    }

    /// The part with the rows of another run of the same kind.
    package func joined(_ more: RunPart) -> RunPart {
        let isWorse = more.exitCode != ExitStatus.success.rawValue
        return RunPart(
            name: name, exitCode: isWorse ? more.exitCode : exitCode,
            expectedRows: expectedRows.flatMap { own in more.expectedRows.map { own + $0 } },
            videoLength: videoLength == more.videoLength ? videoLength : nil,
            rows: rows + more.rows, complaint: isWorse ? more.complaint : complaint)
    }

    package var hasAllRows: Bool { expectedRows == rows.count }

    /// Why the part cannot be relied on; nil when all rows are there and it ended regularly.
    package var failure: PartFailure? { failure(seeking: []) }

    /// The same of a part that these checkers are to fail: a failed null control ends it with 70.
    package func failure(seeking checkers: [Checker]) -> PartFailure? {
        var ended: [ExitStatus] = [.success, .inconclusive, .gateFailed]
        if checkers.contains(.nullControl), hasAllRows,
            rows.contains(where: { $0.checkers.contains(.nullControl) })
        {
            ended.append(.failure)
        }
        let isRegular = ended.map(\.rawValue).contains(exitCode)
        if isRegular, hasAllRows { return nil }
        let status = PartFailure.status(of: exitCode)
        let reason: String
        if wasCutOff, !status.isOfTheRig {
            reason = "\(cut), then its time was over; give --minutes"
        } else if isRegular {
            let found = expectedRows.map { "\(rows.count) of \($0) rows" } ?? "no run"
            reason = "exit \(exitCode), and \(found) there: \(complaint)"
        } else {
            reason = "exit \(exitCode): \(complaint)"
        }
        return PartFailure(part: name, reason: reason, status: status)
    }

    private var cut: String {
        expectedRows.map { "\(rows.count) of \($0) kills made" } ?? "no kill made"
    }
}

/// Why a run made up of parts cannot rely on one of them.
package struct PartFailure: Sendable, Hashable {
    package let part: String
    package let reason: String
    /// The exit status of the whole unless a worse one applies; never ``ExitStatus/success``.
    package let status: ExitStatus

    package init(part: String, reason: String, status: ExitStatus) {
        (self.part, self.reason, self.status) = (part, reason, status)
    }

    package var line: String { "\(part): \(reason)" }

    /// The status of the whole after a part ended with this code: at least 98 (spec 2).
    package static func status(of exitCode: Int32) -> ExitStatus {
        ExitStatus.worst([ExitStatus(rawValue: exitCode) ?? .inconclusive, .inconclusive])
    }
}
