internal import RigLab
internal import RigModel
internal import RigVerdict

extension KillTest {
    /// The plan once its moments are known: where workers are killed at calls, the calls of
    /// uninterrupted runs are counted first.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a plan or gate that cannot be, 69 for a worker
    ///   that does not complete its work.
    func settle(
        _ plan: KillPlan, runID: String, video: ReferenceVideo, folder: RunFolder,
        interruption: Interruption
    ) async throws -> KillPlan {
        guard plan.needsCalls else { return plan }
        let manifest = makeManifest(runID: runID, plan: plan, video: video, folder: folder)
        let stage = try await RunStage.open(
            manifest, mark: runID, programs: programs, interruption: interruption)
        var points: [String: Int] = [:]
        do {
            let laboratory = try stage.laboratory(
                manifest, video: video, scratch: try folder.makeScratch())
            for policy in policies {
                console.redraw("counting the calls of uninterrupted runs of \(policy.name)")
                let count = try await laboratory.countCalls(policy)
                points[policy.name] = count
                console.redraw("")
                console.note("rig: \(policy.name) makes \(count) calls that it can be killed at")
            }
        } catch {
            await stage.close()
            folder.removeScratch()
            throw error
        }
        await stage.close()
        folder.removeScratch()
        let counted = plan.counting(points)
        try Gate.check(
            gates,
            size: RunSize(
                policies: policies.map(\.name), iterations: counted.iterations,
                killsPerIteration: counted.kills))
        return counted
    }
}
