internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel

extension RunEnvironment {
    /// What each job has to itself: an origin, a folder, and a volume if the fault is a power cut.
    struct Job {
        let origin: FixtureOrigin
        /// Holds the state of its workers if the fault is a power cut.
        let volume: PowerCutVolume?
        /// The folder's name below a scratch folder; nil for a run with a single job.
        let folder: String?

        /// Starts the origin, and creates the volume, of a job that is to be closed after use.
        static func open(
            _ manifest: Manifest, mark: String, port: UInt16, scratch: String, number: Int?,
            authority: RunAuthority?
        ) async throws -> Job {
            let folder = number.map { "\(PowerCutVolume.jobPrefix)\($0)" }
            var volume: PowerCutVolume?
            if manifest.fault == .powerCut {
                let parent = path(of: folder, in: scratch)
                try? FileManager.default.createDirectory(
                    atPath: parent, withIntermediateDirectories: true)
                volume = try await .make(
                    in: parent, run: mark, as: VolumeFileSystem(of: manifest.crashModel),
                    videoBytes: manifest.plan.videoLength)
            }
            do {
                let origin = try await FixtureOrigin.listening(
                    port: port,
                    faults: (manifest.originFaults ?? []).filter { !manifest.spec.changes(by: $0) },
                    certifiedBy: authority)
                return Job(origin: origin, volume: volume, folder: folder)
            } catch {
                try? volume?.tearDown()
                throw error
            }
        }

        /// Stops the origin, and unmounts the volume.
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
}
