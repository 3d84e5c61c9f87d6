internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel

/// What each job of a run has to itself: an origin, a folder, and a volume where power is cut.
struct JobPlace {
    let origin: FixtureOrigin
    /// Where its workers keep their state when its power is to be cut.
    let volume: PowerCutVolume?
    /// The folder's name below a scratch folder; nil for a job that has no others beside it.
    let folder: String?

    /// Starts the origin, and makes the volume.
    ///
    /// - Parameters:
    ///   - manifest: says what goes wrong at the origin, and whether power is cut.
    ///   - mark: the run's name, by which its guardian finds the volume.
    ///   - port: the origin's port; 0 for any free one.
    ///   - scratch: the run's own folder.
    ///   - number: which of several jobs, from 1; nil for the only one.
    /// - Returns: the place, until it is closed.
    /// - Throws: ``RigError`` with exit code 69 when the origin cannot listen, 70 or 77 without the
    ///   volume.
    static func open(
        _ manifest: Manifest, mark: String, port: UInt16, scratch: String, number: Int?
    ) async throws -> JobPlace {
        let folder = number.map { "\(PowerCutVolume.jobPrefix)\($0)" }
        var volume: PowerCutVolume?
        if manifest.fault == .powerCut {
            let parent = path(of: folder, in: scratch)
            try? FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
            volume = try await .make(
                in: parent, run: mark, videoBytes: manifest.plan.videoLength)
        }
        do {
            let origin = try await FixtureOrigin.listening(
                port: port,
                faults: (manifest.originFaults ?? []).filter { !manifest.changes(by: $0) })
            return JobPlace(origin: origin, volume: volume, folder: folder)
        } catch {
            try? volume?.tearDown()
            throw error
        }
    }

    /// Stops the origin, and unmounts.
    ///
    /// - Returns: what stood in the way of unmounting; the guardian kills it and tries again.
    func close() async -> String? {
        await origin.stop()
        do {
            try volume?.tearDown()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The job's folder below a scratch folder.
    func path(in scratch: String) -> String { Self.path(of: folder, in: scratch) }

    private static func path(of folder: String?, in scratch: String) -> String {
        folder.map { "\(scratch)/\($0)" } ?? scratch
    }
}
