internal import Foundation
internal import RigModel
internal import Witness

extension IterationFolder {
    /// A witness page that no worker has written yet.
    func freshWitness(
        placing placement: @escaping WitnessWatch.Placement = WitnessWatch.unplaced,
        holding hold: PhaseHold? = nil
    ) throws -> WitnessWatch {
        try? FileManager.default.removeItem(atPath: witness)
        do {
            return try WitnessWatch(path: witness, placement: placement, hold: hold)
        } catch WitnessError.cannotMap(let path, let reason) {
            throw RigError(
                .unavailable,
                "cannot share the memory of \(path) with a worker, by which the rig watches it:"
                    + " \(reason); use --out on a file system with shared mappings, and see what keeps"
                    + " programs here from mmap with MAP_SHARED")
        }
    }
}
