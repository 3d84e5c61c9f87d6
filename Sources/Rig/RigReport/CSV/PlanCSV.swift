package import RigModel

/// One line per planned kill, as printed by `rig plan --rows`.
package enum PlanCSV {
    /// The header line, including its line end.
    package static let header = "iteration,kill,policy,trigger,planned,delay_seconds,seed\n"

    /// The lines of one iteration, each including its line end.
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
