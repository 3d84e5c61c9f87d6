internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport

package struct ReplayTarget {
    let kill: StoredKill
    /// The run's folder; for evidence that was moved out of its run, the evidence's folder.
    let folder: RunFolder
    /// The folder of the kill's evidence, which may not exist.
    let evidencePath: String

    package init(
        _ path: String, iteration: Int?, policy: String?, kill: Int?, console: Console
    ) throws {
        let named = try? RunFolder(existing: path)
        if let named, try named.text(of: "manifest.json") == nil,
            let text = try named.text(of: "plan.json")
        {
            try self.init(evidence: named, text: text)
            try checkSame(iteration: iteration, policy: policy, kill: kill)
        } else {
            try self.init(
                StoredRun(path), iteration: iteration, policy: policy, kill: kill, console: console)
        }
    }

    /// Finds a kill that failed: the first one where no iteration is named.
    package init(_ path: String, failed iteration: Int?, policy: String?, console: Console) throws {
        let isRun = (try? RunFolder(existing: path).text(of: "manifest.json")) != nil
        var (wanted, chosen) = (iteration, policy)
        if isRun, iteration == nil {
            let rows = try StoredRun(path).rows(console: console)
            guard
                let row = rows.first(where: {
                    $0.verdict == .fail
                        && (policy == nil || Policy(policy ?? "")?.name == $0.policy)
                })
            else {
                throw RigError(.usage, "no kill of \(path) failed; there is nothing to explain")
            }
            wanted = row.iteration
            if Set(rows.map(\.policy)).count > 1 { chosen = row.policy }
        }
        try self.init(path, iteration: wanted, policy: chosen, kill: nil, console: console)
    }

    private init(evidence: RunFolder, text: String) throws {
        do {
            kill = try StoredKillJSON.read(text)
        } catch {
            throw RigError(
                .data, "cannot read \(evidence.path)/plan.json: \(error); restore it from a copy")
        }
        // evidence/512KB-7-1 is two levels below its run.
        let run = URL(fileURLWithPath: evidence.path).deletingLastPathComponent()
            .deletingLastPathComponent().path
        let isInRun = FileManager.default.fileExists(atPath: "\(run)/manifest.json")
        folder = isInRun ? try RunFolder(existing: run) : evidence
        evidencePath = evidence.path
    }

    private init(
        _ run: StoredRun, iteration: Int?, policy: String?, kill: Int?, console: Console
    ) throws {
        let plan = run.manifest.plan
        guard let iteration else {
            throw RigError(.usage, "which iteration? add --iteration, from 1 to \(plan.iterations)")
        }
        try RigError.require(
            (1...plan.iterations).contains(iteration),
            "--iteration \(iteration): the run has iterations 1 to \(plan.iterations)")
        if let kill, !(1...plan.kills).contains(kill) {
            throw RigError(
                .usage, "--kill \(kill): the run has kills 1 to \(plan.kills) per iteration")
        }
        let chosen = try Self.policy(policy, of: plan)
        let chain = try run.plannedRows(console: console).filter {
            $0.iteration == iteration && $0.policy == chosen.name
        }
        .sorted { $0.kill < $1.kill }
        let wanted =
            kill.map { number in chain.first { $0.kill == number } }
            ?? chain.first { $0.verdict == .fail } ?? chain.first
        guard let row = wanted else {
            throw RigError.data(
                "\(run.folder.path)/iterations.csv has no row of it: the run was cut short; choose "
                    + "an iteration that it has")
        }
        self.kill = StoredKill(
            run.manifest, planned: plan.iteration(iteration, policy: chosen), row: row)
        folder = run.folder
        evidencePath = "\(run.folder.path)/\(self.kill.evidencePath)"
    }

    private static func policy(_ name: String?, of plan: KillPlan) throws -> Policy {
        let names = plan.policies.map(\.name).joined(separator: ", ")
        guard let name else {
            try RigError.require(
                plan.policies.count == 1, "which policy? add --policy, one of \(names)")
            return plan.policies[0]
        }
        guard let wanted = Policy(name)?.name,
            let policy = plan.policies.first(where: { $0.name == wanted })
        else { throw RigError(.usage, "--policy \(name): the run has \(names)") }
        return policy
    }

    private func checkSame(iteration: Int?, policy: String?, kill: Int?) throws {
        let planned = self.kill.planned
        guard iteration ?? planned.iteration == planned.iteration,
            policy.map({ Policy($0)?.name == planned.policy.name }) ?? true,
            kill ?? self.kill.kill == self.kill.kill
        else {
            throw RigError.usage(
                "\(evidencePath) is the evidence of \(self.kill.title); name the run's folder to "
                    + "replay another")
        }
    }
}
