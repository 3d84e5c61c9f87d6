package import RigModel

/// How far an interrupted run came, and what remains of its plan.
package struct ResumePoint: Sendable, Hashable {
    /// The rows of complete iterations; an incomplete one is dropped, as its others are unknown.
    package let kept: [IterationRow]
    package let remaining: [PlannedIteration]

    /// Exit code 65 for rows that are not the first ones of the plan, in its order.
    package init(_ rows: [IterationRow], of manifest: Manifest) throws(RigError) {
        try PlanCheck.check(rows, against: manifest)
        let schedule = manifest.schedule
        let kills = manifest.plan.kills
        for (index, row) in rows.enumerated() {
            // The index is in range: there is at most one row per kill of the plan.
            let planned = schedule[index / kills]
            guard row.iteration == planned.iteration, row.policy == planned.policy.name,
                row.kill == index % kills + 1
            else {
                throw RigError.data(
                    "iterations.csv: row \(index + 1) is \(RowIdentity(row)), where the plan has kill "
                        + "\(index % kills + 1) of iteration \(planned.iteration) of "
                        + "\(planned.policy.name): rows are missing before it, or it was sorted; "
                        + "restore the file as the run wrote it")
            }
        }
        let done = rows.count / kills
        kept = Array(rows.prefix(done * kills))
        remaining = Array(schedule.dropFirst(done))
    }
}
