internal import Foundation
internal import RigLab
internal import Synchronization

/// The file systems of a stage whose power is cut.
final class PowerCutVolumes: Sendable {
    private let made = Mutex<[PowerCutVolume]>([])

    /// Another one.
    ///
    /// - Parameters:
    ///   - scratch: the folder in which it is going to lie.
    ///   - run: the run's name, by which its guardian knows it.
    ///   - videoBytes: how much a worker has to keep.
    /// - Returns: the volume, until it is torn down.
    func add(in scratch: String, run: String, videoBytes: Int64) -> PowerCutVolume {
        let volume = PowerCutVolume(in: scratch, run: run, videoBytes: videoBytes)
        made.withLock { $0.append(volume) }
        return volume
    }

    /// Unmounts all of them, as far as nobody has a file open there.
    func tearDown() {
        made.withLock { volumes in
            for volume in volumes { try? volume.tearDown() }
            volumes = []
        }
    }
}

extension KillTest {
    /// Unmounts and removes what rigs have left that were killed together with their guardians.
    func removeLeftovers(beside folder: RunFolder) {
        let results = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        for line in PowerCutLeftovers.ofDeadRigs(results: results).remove() {
            console.note("rig: \(line)")
        }
    }
}
