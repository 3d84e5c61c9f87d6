package import RigModel

/// `iterations.csv`: one row per kill (spec 2); an empty field means unknown.
package enum IterationsCSV {
    package static let header = CSVWriter.line(columns.map(\.name))

    package static func line(_ row: IterationRow) -> String {
        CSVWriter.line(columns.map { $0.text(row) })
    }

    package static func text(_ rows: [IterationRow]) -> String {
        rows.reduce(into: header) { $0 += line($1) }
    }

    static func members(_ row: IterationRow) -> [(String, JSONValue)] {
        columns.map { ($0.name, $0.value(row)) }
    }

    package static func read(
        _ bytes: some Sequence<UInt8>
    ) throws(CSVError) -> (rows: [IterationRow], tornLine: Int?) {
        let contents = try CSVReader.read(bytes)
        guard let first = contents.records.first else { throw .noHeader }
        try checkHeader(first.fields)
        var rows: [IterationRow] = []
        var seen: [RowIdentity: Int] = [:]
        for record in contents.records.dropFirst() {
            let row = try row(record)
            if let problem = row.contradiction ?? contradiction(of: row, record) {
                throw .contradiction(line: record.line, problem: problem)
            }
            let identity = RowIdentity(row)
            if let earlier = seen.updateValue(record.line, forKey: identity) {
                throw .contradiction(
                    line: record.line, problem: "\(identity) is on line \(earlier) already")
            }
            rows.append(row)
        }
        return (rows, contents.tornLine)
    }

    /// The column that differs from the value implied by the row's other columns; nil for none.
    private static func contradiction(of row: IterationRow, _ record: CSVRecord) -> String? {
        for (column, field) in zip(columns, record.fields) {
            guard let formula = column.formula, column.text(row) != field else { continue }
            return "\(column.name) is not \(formula)"
        }
        return nil
    }

    private static func checkHeader(_ found: [String]) throws(CSVError) {
        let expected = columns.map(\.name)
        guard found != expected else { return }
        let same = zip(expected, found).prefix { $0 == $1 }.count
        throw .wrongHeader(
            column: same + 1, expected: expected.dropFirst(same).first,
            found: found.dropFirst(same).first)
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

    private static let blank = IterationRow(
        runID: "",
        plan: PlannedIteration(
            iteration: 0, policy: Policy(threshold: nil), trigger: .bytes(0), delaySeconds: 0,
            seed: 0),
        kill: 1, worker: "", workload: "", fault: .sigkill, verdict: .inconclusive, reason: "")

    private static let columns: [IterationColumn] = [
        IterationColumn(
            name: "schema", value: { _ in .integer(IterationRow.schema) },
            set: { $1 == String(IterationRow.schema) }, expected: "schema \(IterationRow.schema)"),
        .string("run_id", \.runID), .required("iteration", \.iteration), .required("kill", \.kill),
        .string("policy", \.policy), .integer("threshold_bytes", \.thresholdBytes),
        .string("worker", \.worker), .string("workload", \.workload), .string("fault", \.fault),
        .string("trigger", \.trigger), .string("planned", \.planned),
        .optional(
            "phase", \.phase, expected: "a phase", value: { .string($0.rawValue) },
            parse: { Phase(rawValue: $0) }),
        .seconds("kill_seconds", \.killSeconds), .count("served_bytes", \.servedBytes),
        .count("received_bytes", \.receivedBytes),
        .count("acknowledged_bytes", \.acknowledgedBytes),
        .count("recovered_bytes", \.recoveredBytes), .count("lost_bytes", \.lostBytes),
        .decimal("loss_percent", \.lossPercent, decimals: IterationRow.percentDecimals),
        .integer("bound_bytes", \.boundBytes), .flag("bound_ok", \.boundOK),
        .count("corrupt_bytes", \.corruptBytes), .flag("integrity", \.integrity),
        .count("chunks", \.chunks), .count("commits", \.commits),
        .count("active_requests", \.activeRequests), .count("refetched_bytes", \.refetchedBytes),
        .seconds("recovery_seconds", \.recoverySeconds),
        .seconds("resume_seconds", \.resumeSeconds),
        .required(
            "verdict", \.verdict, expected: "pass, fail or inconclusive",
            value: { .string($0.rawValue) }, parse: { Verdict(rawValue: $0) }),
        .string("reason", \.reason),
        // As text, because a seed exceeds the number range of many JSON readers.
        .required(
            "seed", \.seed, expected: "a whole number", value: { .string(String($0)) },
            parse: { FieldText.integer($0) }),
        .checkers("checkers", \.checkers), .checkers("not_judged", \.notJudged),
        .required("attempts", \.attempts),
        IterationColumn(
            name: "allowed_loss_percent",
            value: { .decimal($0.allowedLossPercent, IterationRow.percentDecimals) },
            set: { $1.isEmpty || FieldText.decimal($1) != nil }, expected: "a number or empty",
            formula: "100 × min(bound_bytes, received_bytes) ÷ received_bytes"),
        .decimal("realised", \.realised, decimals: IterationRow.momentDecimals),
        .count("crash_states", \.crashStates), .seconds("grace_seconds", \.graceSeconds),
        .seconds("end_seconds", \.endSeconds), .count("retrieved_bytes", \.retrievedBytes),
        .count("chunks_retrieved", \.chunksRetrieved), .count("launch_bytes", \.launchBytes),
        .count("written_bytes", \.writtenBytes), .count("writes", \.writes),
        .count("syncs", \.syncs), .count("checkpoints", \.checkpoints),
        .seconds("cpu_seconds", \.processorSeconds), .count("sweep_cases", \.sweepCases),
        .count("sweep_tried", \.sweepTried),
    ]
}
