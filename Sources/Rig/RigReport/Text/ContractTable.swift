package import RigModel

/// The output of `rig workers check`: the points of the contract, and the worker's result for each.
package enum ContractTable {
    /// The whole text, each line including its line end.
    package static func text(_ report: ContractReport) -> String {
        let table = report.points.table(
            columns.titled(["point": "contract", "verdict": report.worker, "detail": ""]))
        return table.text + "\nseed \(report.seed)\n\(StatusText.line(report.status))\n"
    }

    fileprivate static var columns: [Table.Column<ContractPoint>] {
        [
            .text("point") { .string($0.name.rawValue) },
            .text("verdict") { .string($0.verdict.rawValue) },
            .text("detail") { .string($0.detail) },
        ]
    }
}

/// The output of `rig workers check --json`.
package enum ContractJSON {
    package static func text(_ report: ContractReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)), ("worker", .string(report.worker)),
            ("seed", .string(String(report.seed))),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            ("points", report.points.table(ContractTable.columns).objects),
        ]).document
    }
}
