internal import Foundation
internal import RigLab
internal import RigModel

extension KillTest {
    /// The file system whose power is cut; nil for a run without power cuts.
    func makeVolume(
        in scratch: String, plan: KillPlan, runID: String
    ) async throws -> PowerCutVolume? {
        guard command.kill.fault == .powerCut else { return nil }
        return try await .make(in: scratch, run: runID, videoBytes: plan.videoLength)
    }

    /// Unmounts; what stands in the way of it is for the guardian to kill, which then tries again.
    func remove(_ volume: PowerCutVolume?) {
        do {
            try volume?.tearDown()
        } catch {
            console.note("rig: \(error)")
        }
    }

    /// Unmounts and removes what rigs have left that were killed together with their guardians.
    func removeLeftovers(beside folder: RunFolder) {
        let results = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        for line in PowerCutLeftovers.ofDeadRigs(results: results).remove() {
            console.note("rig: \(line)")
        }
    }
}
