internal import Foundation
internal import RigModel

/// The programs that a run consists of, found beside the running `rig`.
struct Programs {
    /// The running `rig` itself.
    let rig: String
    /// The reference worker.
    let downloader: String

    /// Finds the programs.
    ///
    /// - Throws: ``RigError`` with exit code 69 when the worker is missing.
    static func find() throws -> Programs {
        guard let rig = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw RigError(.failure, "the rig does not know its own path; start it by its path")
        }
        let downloader = rig.deletingLastPathComponent().appendingPathComponent("downloader").path
        guard FileManager.default.isExecutableFile(atPath: downloader) else {
            throw RigError(
                .unavailable,
                "the worker 'downloader' is missing beside \(rig.path); build it with harness/rig")
        }
        return Programs(rig: rig.path, downloader: downloader)
    }
}
