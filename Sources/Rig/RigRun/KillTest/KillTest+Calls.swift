internal import RigLab
internal import RigModel
internal import RigVerdict

extension KillTest {
    /// The plan with known moments: calls and lines of uninterrupted runs are counted first.
    func settle(
        _ plan: KillPlan, video: ReferenceVideo, folder: RunFolder
    ) async throws -> KillPlan {
        guard plan.needsCalls || plan.needsLines else { return plan }
        let manifest = manifest(plan, video: video, folder: folder)
        let counted = try await tryOut(manifest, video: video, folder: folder) { laboratory in
            plan.needsCalls
                ? plan.counting(try await countCalls(in: laboratory))
                : plan.counting(lines: [Policy.program.name: try await laboratory.countLines()])
        }
        try RigError.require(
            counted.isPossible, .unavailable,
            "the program says no line when it is not killed, so it cannot be killed after one;"
                + " have it flush each line, or use --trigger time")
        try Gate.check(settings.gates, size: settings.size(of: counted))
        return counted
    }

    /// How many calls a launch can be killed at, for the advice of a default run; nil elsewhere.
    func callsInPassing(
        _ plan: KillPlan, _ policy: Policy, in laboratory: Laboratory
    ) async throws -> Int? {
        guard plan.trigger == .random, plan.kills == 1, settings.fault == .sigkill,
            settings.originFaults == nil, settings.relaunch == nil
        else { return nil }
        do {
            return try await laboratory.countCalls(policy, lives: 1).values.reduce(0, +)
        } catch let error where !(error is Interrupted) {
            return nil
        }
    }

    /// The number of calls of an uninterrupted run by their names, by policy name.
    private func countCalls(in laboratory: Laboratory) async throws -> [String: [String: Int]] {
        var points: [String: [String: Int]] = [:]
        for policy in settings.policies {
            console.redraw("counting the calls of uninterrupted runs of \(policy.subject)")
            let calls = try await laboratory.countCalls(policy, failing: settings.callFailure)
            points[policy.name] = calls
            let count = calls.values.reduce(0, +)
            console.redraw("")
            let what =
                settings.fault == .callError ? "that can fail so" : "that it can be killed at"
            console.note("rig: \(policy.subject) makes \(count) calls \(what)")
        }
        return points
    }
}
