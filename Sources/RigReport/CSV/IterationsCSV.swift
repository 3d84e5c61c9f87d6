package import RigModel

/// What `iterations.csv` holds.
package struct IterationsFile: Sendable, Hashable {
    /// The complete rows, in the order of the file.
    package let rows: [IterationRow]
    /// The number of a last line that has no end, because its writer was killed.
    ///
    /// It is no row: what it would have said is not known. Nil when there is none.
    package let tornLine: Int?
}

/// `iterations.csv`: one row per kill (spec 2).
///
/// Seconds have six decimals, percentages three; an empty field means "not known".
package enum IterationsCSV {
    /// The header line with its end.
    package static let header = CSVWriter.line(columns.map(\.name))

    /// A row's line with its end.
    package static func line(_ row: IterationRow) -> String {
        CSVWriter.line(columns.map { $0.text(row) })
    }

    /// A whole file.
    package static func text(_ rows: [IterationRow]) -> String {
        rows.reduce(into: header) { $0 += line($1) }
    }

    /// A row's columns by name, for JSON: numbers as numbers, what is not known as null.
    ///
    /// The seed is a text, since it does not fit into the numbers that many readers have.
    static func members(_ row: IterationRow) -> [(String, JSONValue)] {
        columns.map { column in
            column.name == "seed"
                ? (column.name, .string(column.text(row))) : (column.name, column.json(row))
        }
    }

    /// Reads a file, strictly: a damaged one, or one that contradicts itself, is refused.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the rows, and whether a torn line follows them.
    /// - Throws: ``CSVError`` with the line.
    package static func read(_ bytes: some Sequence<UInt8>) throws(CSVError) -> IterationsFile {
        let contents = try CSVReader.read(bytes)
        guard let first = contents.records.first else { throw .noHeader }
        try checkHeader(first.fields)
        var rows: [IterationRow] = []
        var seen: [RowIdentity: Int] = [:]
        for record in contents.records.dropFirst() {
            let row = try row(record)
            if let problem = row.contradiction {
                throw .contradiction(line: record.line, problem: problem)
            }
            let identity = RowIdentity(row)
            if let earlier = seen.updateValue(record.line, forKey: identity) {
                throw .contradiction(
                    line: record.line, problem: "\(identity) is on line \(earlier) already")
            }
            rows.append(row)
        }
        return IterationsFile(rows: rows, tornLine: contents.tornLine)
    }

    private static func checkHeader(_ found: [String]) throws(CSVError) {
        let expected = columns.map(\.name)
        for index in 0..<max(expected.count, found.count) {
            let wanted = index < expected.count ? expected[index] : nil
            let name = index < found.count ? found[index] : nil
            guard wanted == name else {
                throw .wrongHeader(column: index + 1, expected: wanted, found: name)
            }
        }
    }

    private static func row(_ record: CSVRecord) throws(CSVError) -> IterationRow {
        guard record.fields.count == columns.count else {
            throw .wrongColumnCount(
                line: record.line, expected: columns.count, found: record.fields.count)
        }
        var row = blank
        for (column, field) in zip(columns, record.fields) where !column.set(&row, field) {
            throw .unreadable(
                line: record.line, column: column.name, text: field, expected: column.expected)
        }
        return row
    }

    /// A row whose every property the columns set.
    private static let blank = IterationRow(
        runID: "",
        plan: PlannedIteration(
            iteration: 0, policy: Policy(threshold: nil), trigger: .bytes(0), delaySeconds: 0,
            seed: 0),
        kill: 1, worker: "", workload: "", fault: .sigkill, verdict: .inconclusive, reason: "")

    private static let columns: [IterationColumn] = identity + moment + bytes + state + conclusion

    private static let identity: [IterationColumn] = [
        IterationColumn(
            name: "schema", text: { _ in String(IterationRow.schema) },
            set: { $1 == String(IterationRow.schema) },
            expected: "schema \(IterationRow.schema), the one that this version reads",
            kind: .integer),
        .string("run_id", \.runID),
        .required("iteration", \.iteration),
        .required("kill", \.kill),
        .string("policy", \.policy),
        .integer("threshold_bytes", \.thresholdBytes),
        .string("worker", \.worker),
        .string("workload", \.workload),
        .string("fault", \.fault),
    ]

    private static let moment: [IterationColumn] = [
        .string("trigger", \.trigger),
        .string("planned", \.planned),
        .optional(
            "phase", \.phase, expected: "a phase or empty", text: { $0.rawValue },
            value: { Phase(rawValue: $0) }),
        .decimal("kill_seconds", \.killSeconds, decimals: IterationRow.secondsDecimals),
    ]

    private static let bytes: [IterationColumn] = [
        .count("served_bytes", \.servedBytes),
        .count("received_bytes", \.receivedBytes),
        .count("acknowledged_bytes", \.acknowledgedBytes),
        .count("recovered_bytes", \.recoveredBytes),
        .count("lost_bytes", \.lostBytes),
        .decimal("loss_percent", \.lossPercent, decimals: IterationRow.percentDecimals),
        .integer("bound_bytes", \.boundBytes),
        .flag("bound_ok", \.boundOK),
        .count("corrupt_bytes", \.corruptBytes),
    ]

    private static let state: [IterationColumn] = [
        .flag("integrity", \.integrity),
        .count("chunks", \.chunks),
        .count("commits", \.commits),
        .count("active_requests", \.activeRequests),
        .count("refetched_bytes", \.refetchedBytes),
        .decimal("recovery_seconds", \.recoverySeconds, decimals: IterationRow.secondsDecimals),
        .decimal("resume_seconds", \.resumeSeconds, decimals: IterationRow.secondsDecimals),
    ]

    private static let conclusion: [IterationColumn] = [
        IterationColumn(
            name: "verdict", text: { $0.verdict.rawValue },
            set: { row, text in
                guard let verdict = Verdict(rawValue: text) else { return false }
                row.verdict = verdict
                return true
            }, expected: "pass, fail or inconclusive"),
        .string("reason", \.reason),
        .required("seed", \.seed),
    ]
}
