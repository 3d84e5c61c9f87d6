package import RigModel

package struct PlanCheck {
    private let row: IterationRow
    private let manifest: Manifest

    /// Exit code 65, with row and column, for a row that is no kill of the plan, or there twice.
    package static func check(_ rows: [IterationRow], against manifest: Manifest) throws(RigError) {
        var seen: Set<RowIdentity> = []
        for (index, row) in rows.enumerated() {
            if let problem = PlanCheck(row: row, manifest: manifest).problem {
                throw refusal(index, problem.column, problem.detail)
            }
            guard seen.insert(RowIdentity(row)).inserted else {
                throw refusal(index, "iteration", "\(RowIdentity(row)) is there already")
            }
        }
    }

    private typealias Problem = (column: String, detail: String)

    private var problem: Problem? {
        let plan = manifest.plan
        guard let policy = plan.policies.first(where: { $0.name == row.policy }) else {
            return ("policy", "'\(row.policy.prefix(60))' is not in the plan")
        }
        guard (1...max(1, plan.iterations)).contains(row.iteration) else {
            return ("iteration", "\(row.iteration) is not among the plan's 1 to \(plan.iterations)")
        }
        if let partition = manifest.partition, !partition.contains(row.iteration) {
            return ("iteration", "\(row.iteration) is not in \(partition.words)")
        }
        guard (1...plan.kills).contains(row.kill) else {
            return ("kill", "\(row.kill) is not among the plan's 1 to \(plan.kills)")
        }
        let planned = plan.iteration(row.iteration, policy: policy)
        return runProblem ?? textProblem(planned) ?? bytesProblem ?? boundProblem(policy)
            ?? levelProblem
    }

    /// A row names its run; a row of a merged run names its part.
    private var runProblem: Problem? {
        var wanted = manifest.runID
        if let parts = manifest.parts {
            guard let part = parts.first(where: { $0.partition.contains(row.iteration) }) else {
                return ("iteration", "\(row.iteration) is in none of the parts that were merged")
            }
            wanted = part.runID
        }
        guard row.runID != wanted else { return nil }
        return ("run_id", "'\(row.runID.prefix(60))' where the plan has '\(wanted)'")
    }

    private func textProblem(_ planned: PlannedIteration) -> Problem? {
        let kill = planned.kills[row.kill - 1]
        let columns = [
            ("worker", row.worker, manifest.worker.storable),
            ("workload", row.workload, manifest.workload.rawValue),
            ("fault", row.fault, manifest.fault.ofKill(row.kill).rawValue),
            ("trigger", row.trigger, kill.trigger.kind.rawValue),
            ("planned", row.planned, kill.trigger.planned),
            ("seed", String(row.seed), String(planned.seed)),
        ]
        guard let (column, found, wanted) = columns.first(where: { $0.1 != $0.2 }) else {
            return nil
        }
        return (column, "'\(found.prefix(60))' where the plan has '\(wanted)'")
    }

    /// These figures count positions of the video, so they are at most its length.
    private var bytesProblem: Problem? {
        let length = manifest.plan.videoLength
        let columns = [
            ("received_bytes", row.receivedBytes), ("acknowledged_bytes", row.acknowledgedBytes),
            ("recovered_bytes", row.recoveredBytes), ("lost_bytes", row.lostBytes),
        ]
        for case (let column, let count?) in columns where count > length {
            return (column, "\(count) is more than the video's \(length) bytes")
        }
        return nil
    }

    /// The bound follows from the profile; there is none if commits need not survive (T11).
    private func boundProblem(_ policy: Policy) -> Problem? {
        let fault = manifest.fault.ofKill(row.kill)
        let contract = manifest.contract(under: fault)
        let promised = contract.bound?.bytes(
            policy: policy, fault: fault, activeRequests: row.activeRequests,
            bytesPerSecond: contract.bytesPerSecond, hasEnded: row.endSeconds != nil)
        let isDue =
            contract.isByThreshold
            ? policy.boundPerRequest(under: fault) != nil : promised != nil
        if let bound = row.boundBytes, !isDue {
            return (
                "bound_bytes",
                "\(bound) where durability \(policy.durability.rawValue) promises none under "
                    + fault.rawValue
            )
        }
        // By the threshold, a request with fewer received bytes than that counts only those.
        let isWithin = { (bound: Int64, most: Int64) in
            contract.isByThreshold ? bound <= most : bound == most
        }
        if let bound = row.boundBytes, let promised, !isWithin(bound, promised) {
            return ("bound_bytes", "\(bound) where the worker's profile has \(promised)")
        }
        guard isDue, row.verdict == .pass, row.boundBytes == nil,
            !row.notJudged.contains(.bound)
        else { return nil }
        return ("bound_bytes", "empty in a pass, where the plan has a bound")
    }

    /// A pass must have the figures that the profile's level of evidence provides.
    private var levelProblem: Problem? {
        guard row.verdict == .pass, manifest.profile != nil else { return nil }
        let contract = manifest.contract(under: manifest.fault)
        if contract.hasWitness, row.acknowledgedBytes == nil, row.whyNotJudged == nil {
            return ("acknowledged_bytes", "empty in a pass of a worker with a witness page")
        }
        if contract.hasInspection, row.integrity == nil {
            return ("integrity", "empty in a pass of a worker whose state can be read")
        }
        return nil
    }

    private static func refusal(_ index: Int, _ column: String, _ detail: String) -> RigError {
        RigError.data(
            "iterations.csv: row \(index + 1), column \(column): \(detail), so it is no row of the"
                + " run that manifest.json describes; restore the file as the run wrote it")
    }
}

extension Manifest {
    /// The worker's contract from its profile; a run without a profile used the reference worker.
    fileprivate func contract(under fault: Fault) -> WorkerContract {
        judgedProfile.map {
            WorkerContract($0, fault: fault, bytesPerSecond: record.bandwidth)
        } ?? .reference
    }
}
