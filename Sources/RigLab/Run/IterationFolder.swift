internal import Foundation
internal import RigModel

/// Where one iteration's files lie: a folder of its own, so that no iteration meets another's.
package struct IterationFolder: Sendable {
    private let path: String

    /// The port that workers listen on.
    let port = FreePort()
    /// The folder's path as the kernel tells it.
    let realPath: String
    /// The worker's state, which `{dir}` names to it.
    let state: String
    /// The file that `RIG_WITNESS` names.
    var witness: String { "\(path)/witness" }
    /// What a source of the worker's own serves, which `{source}` names.
    var source: String { "\(path)/source" }
    /// The completed video, which `{output}` names.
    ///
    /// Where a worker completes it in place it lies with the state, and is lost or kept with it.
    let output: String
    /// The worker's standard output and error.
    package var log: String { "\(path)/worker.log" }
    /// What the tracer saw of the life that it was to end.
    var traceReport: String { "\(path)/trace.json" }
    /// The state as a kill of the iteration left it, read but not changed by the autopsy.
    package func stateCopy(ofKill kill: Int) -> String { "\(path)/as-kill-\(kill)-left-it" }

    /// What the life before a kill did to the state, where it was recorded.
    package func storageLog(ofKill kill: Int) -> String { "\(path)/storage-\(kill).log" }

    /// The state as a first life left it that was not killed.
    var copyBefore: String { "\(path)/as-the-first-life-left-it" }

    /// The state after the relaunch, where a look at it needs a copy.
    var copyAfterwards: String { "\(path)/as-the-relaunch-left-it" }

    /// Creates the folder, with a state folder in it that is empty, or elsewhere.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - state: the state folder, where it lies elsewhere.
    ///   - outputInState: the name of the completed video in the state folder; nil to keep it apart.
    /// - Throws: ``RigError`` with exit code 70 when it cannot be created.
    init(creating path: String, state: String? = nil, outputInState: String? = nil) throws {
        let state = state ?? "\(path)/state"
        self.path = path
        self.state = state
        output = outputInState.map { "\(state)/\($0)" } ?? "\(path)/output"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: self.state, withIntermediateDirectories: true)
        } catch {
            throw RigError(
                .failure, "cannot create \(path): \(error.localizedDescription); free some space")
        }
        realPath = RealPath.of(path)
    }

    /// Removes the completed video of an earlier life, so that none is taken for a later one's.
    func removeOutput() {
        try? FileManager.default.removeItem(atPath: output)
    }

    /// A page that no worker has written yet.
    func freshWitness(
        placing placement: @escaping WitnessWatch.Placement = WitnessWatch.unplaced,
        holding hold: PhaseHold? = nil
    ) throws -> WitnessWatch {
        try? FileManager.default.removeItem(atPath: witness)
        return try WitnessWatch(path: witness, placement: placement, hold: hold)
    }

    /// The bytes of the worker's state and of the completed video, as far as there are any.
    var bytesOnDisk: UInt64 {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
        // A state may have folders of its own.
        let states = (try? files.subpathsOfDirectory(atPath: state)) ?? []
        return (names.map { "\(path)/\($0)" } + states.map { "\(state)/\($0)" }).reduce(0) {
            let facts = try? files.attributesOfItem(atPath: $1)
            return $0 &+ ((facts?[.size] as? NSNumber)?.uint64Value ?? 0)
        }
    }

    /// The bytes of the worker's state.
    var bytesOfState: UInt64 {
        let files = FileManager.default
        return ((try? files.subpathsOfDirectory(atPath: state)) ?? []).reduce(0) {
            let facts = try? files.attributesOfItem(atPath: "\(state)/\($1)")
            return $0 &+ ((facts?[.size] as? NSNumber)?.uint64Value ?? 0)
        }
    }

    /// Removes the folder and all that is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
