package import RigModel

/// How far a run came that was cut short, and what is left of its plan.
package struct ResumePoint: Sendable, Hashable {
    /// The rows of whole iterations, in the order of the file, which stay.
    package let kept: [IterationRow]
    /// Rows of an iteration that was under way: its other kills are not known, so they do not stay.
    package let dropped: Int
    /// The iterations that are still to be carried out.
    package let remaining: [PlannedIteration]

    /// Finds out where to go on.
    ///
    /// - Parameters:
    ///   - rows: the rows of the run, in the order of the file.
    ///   - manifest: what the run is.
    /// - Throws: ``RigModel/RigError`` with exit code 65 for rows that are not the first ones of the
    ///   plan, in its order.
    package init(_ rows: [IterationRow], of manifest: Manifest) throws(RigError) {
        try PlanCheck.check(rows, against: manifest)
        let schedule = manifest.schedule
        let kills = manifest.plan.kills
        for (index, row) in rows.enumerated() {
            // No more rows than the plan has kills: each is there at most once.
            let planned = schedule[index / kills]
            guard row.iteration == planned.iteration, row.policy == planned.policy.name,
                row.kill == index % kills + 1
            else {
                throw RigError(
                    .data,
                    "iterations.csv: row \(index + 1) is \(RowIdentity(row)), where the plan has kill "
                        + "\(index % kills + 1) of iteration \(planned.iteration) of "
                        + "\(planned.policy.name): rows are missing before it, or it was sorted; "
                        + "restore the file as the run wrote it")
            }
        }
        let done = rows.count / kills
        kept = Array(rows.prefix(done * kills))
        dropped = rows.count - kept.count
        remaining = Array(schedule.dropFirst(done))
    }
}
