package import RigModel

/// The output of `rig workers check`: the points of the contract, and the worker's result for each.
package enum ContractTable {
    package static func text(_ report: ContractReport) -> String {
        let table = report.points.table([
            .text("contract") { .string($0.name.rawValue) },
            .text(report.worker) { .string($0.verdict.rawValue) },
            .text("") { .string($0.detail) },
        ])
        return table.text + "\nseed \(report.seed)\n\(StatusText.line(report.status))\n"
    }
}

/// The output of `rig workers check --json`.
package enum ContractJSON {
    package static func text(_ report: ContractReport) -> String {
        JSONValue([
            "schema": 1, "worker": report.worker, "seed": "\(report.seed)",
            "result": StatusText.word(report.status), "exit_code": report.status.rawValue,
            "points": report.points.map { point in
                JSONValue([
                    "point": point.name.rawValue, "verdict": point.verdict.rawValue,
                    "detail": point.detail,
                ])
            },
        ]).document
    }
}
