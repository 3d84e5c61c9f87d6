internal import Foundation
internal import RigLab
internal import RigModel

extension Console {
    /// Ends, unmounts and removes what was left by rigs that were killed together with their
    /// guardians.
    func removeLeftovers(beside folder: RunFolder) {
        MemoryGroups.sweep()
        let results = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        for line in AbandonedWorkers.end() + PowerCutLeftovers.ofDeadRigs(results: results).remove()
        {
            note("rig: \(line)")
        }
    }
}
