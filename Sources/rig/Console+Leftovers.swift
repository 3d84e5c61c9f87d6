internal import Foundation
internal import RigLab
internal import RigModel

extension Console {
    /// Unmounts and removes what rigs have left that were killed together with their guardians.
    func removeLeftovers(beside folder: RunFolder) {
        let results = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        for line in PowerCutLeftovers.ofDeadRigs(results: results).remove() {
            note("rig: \(line)")
        }
    }
}
