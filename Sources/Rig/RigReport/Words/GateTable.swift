import RigModel

enum GateTable {
    /// - Parameter onPage: the gate's expression comes first, and rows that are not known are told.
    static func table(_ results: [GateResult], onPage: Bool) -> Table {
        let gate: Table.Column<GateResult> = .text("gate") { .string($0.title) }.code
        let verdict: Table.Column<GateResult> = .text("verdict") {
            .string(StatusText.word($0.verdict))
        }.toned { Tone($0.verdict) }
        return results.table(
            (onPage ? [gate, verdict] : [verdict, gate]) + [
                .number("value") { .string($0.value.map($0.unit.text) ?? Figure.notKnown) },
                .number("limit") { .string($0.unit.text($0.limit)) },
                .number("n") { onPage ? .string(rows($0)) : .integer($0.n) },
                .number("95 % interval") { result in
                    .string(result.interval.map { Figure.interval($0, result.unit.text) })
                }.absent("–"),
            ]
        ).captioned("Every gate with what it was held to")
    }

    private static func rows(_ result: GateResult) -> String {
        let unknown = result.unknownRows > 0 ? " + \(result.unknownRows) not known" : ""
        return Figure.count(result.n) + unknown
    }
}
