package import RigModel

/// Every planned kill, a line each: what `rig plan --rows` prints.
package enum PlanCSV {
    /// The names of the columns, with the line's end.
    package static let header = "iteration,kill,policy,trigger,planned,delay_seconds,seed\n"

    /// The lines of one iteration, each with its end.
    package static func lines(_ planned: PlannedIteration) -> String {
        planned.kills.map { kill in
            let fields = [
                String(planned.iteration), String(kill.kill), planned.policy.name,
                kill.trigger.kind.rawValue, kill.trigger.planned,
                FixedPoint.text(kill.delaySeconds, decimals: 9), String(planned.seed),
            ]
            return CSVWriter.line(fields)
        }.joined()
    }
}
