package import RigModel

/// The output of `rig workers check`: the points of the contract, and the worker's result for each.
package enum ContractTable {
    /// The whole text, each line including its line end.
    package static func text(_ report: ContractReport) -> String {
        let rows = report.points.map { [$0.name.rawValue, $0.verdict.rawValue, $0.detail] }
        let lines =
            TextGrid.lines(["contract", report.worker, ""], rows, numbers: [])
            + [
                "", "seed \(report.seed)",
                "\(StatusText.word(report.status)) (exit \(report.status.rawValue))",
            ]
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The output of `rig workers check --json`.
package enum ContractJSON {
    /// The version of the document.
    package static let schema = 1

    /// The whole document; keys always come in the same order.
    package static func text(_ report: ContractReport) -> String {
        JSONValue.object([
            ("schema", .integer(schema)), ("worker", .string(report.worker)),
            ("seed", .string(String(report.seed))),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            (
                "points",
                .array(
                    report.points.map { point in
                        .object([
                            ("point", .string(point.name.rawValue)),
                            ("verdict", .string(point.verdict.rawValue)),
                            ("detail", .string(point.detail)),
                        ])
                    })
            ),
        ]).document
    }
}
