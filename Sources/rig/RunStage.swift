internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel

/// What iterations are carried out on: an origin that is listening, and a guardian.
///
/// All of it follows from a manifest, so that a replay has what the run had.
struct RunStage {
    private let mark: String
    private let programs: Programs
    private let origin: FixtureOrigin
    private let guardian: Guardian
    /// Where the workers keep their state when its power is to be cut.
    private let volume: PowerCutVolume?
    private let interruption: Interruption

    /// Refuses a fault that cannot be brought about here, before anything is started.
    ///
    /// - Throws: ``RigError`` with exit code 77, or 64 on a system that cannot do it, and what to do.
    static func check(_ fault: Fault) throws {
        if fault == .oom { try MemoryGroups.check() }
        if fault == .powerCut { try PowerCutVolume.check() }
        if fault == .powerCutTorn { try TornCut.check() }
    }

    /// Does something on a stage, and closes it whatever becomes of that.
    ///
    /// - Parameters:
    ///   - manifest: says what goes wrong at the origin.
    ///   - mark: by which the workers of this run, or of this replay, are known.
    ///   - programs: the programs of the run.
    ///   - port: the origin's port; 0 for any free one.
    ///   - scratch: a folder of the run's own, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    ///   - console: is told what stood in the way of unmounting.
    ///   - body: what to do.
    /// - Returns: what `body` returned.
    /// - Throws: what ``open(_:mark:programs:port:scratch:interruption:)`` and `body` throw.
    static func with<Value>(
        _ manifest: Manifest, mark: String, programs: Programs, port: UInt16 = 0, scratch: String,
        interruption: Interruption, console: Console, do body: (RunStage) async throws -> Value
    ) async throws -> Value {
        let stage = try await open(
            manifest, mark: mark, programs: programs, port: port, scratch: scratch,
            interruption: interruption)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(stage))
        } catch {
            result = .failure(error)
        }
        if let problem = await stage.close() { console.note("rig: \(problem)") }
        return try result.get()
    }

    /// Starts the guardian and the origin.
    ///
    /// - Parameters:
    ///   - manifest: says what goes wrong at the origin.
    ///   - mark: by which the workers of this run, or of this replay, are known.
    ///   - programs: the programs of the run.
    ///   - port: the origin's port; 0 for any free one.
    ///   - scratch: a folder of the run's own, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    /// - Returns: the stage, until it is closed.
    /// - Throws: ``RigError`` with exit code 69 when the origin cannot listen, 70 without a guardian.
    private static func open(
        _ manifest: Manifest, mark: String, programs: Programs, port: UInt16 = 0,
        scratch: String, interruption: Interruption
    ) async throws -> RunStage {
        let guardian = try await Guardian.start(
            executable: programs.rig, mark: mark, folder: scratch)
        var volume: PowerCutVolume?
        do {
            if manifest.fault == .powerCut {
                volume = try await .make(
                    in: scratch, run: mark, videoBytes: manifest.plan.videoLength)
            }
            let origin = try await FixtureOrigin.listening(
                port: port,
                faults: (manifest.originFaults ?? []).filter { !manifest.changes(by: $0) })
            return RunStage(
                mark: mark, programs: programs, origin: origin, guardian: guardian,
                volume: volume, interruption: interruption)
        } catch {
            try? volume?.tearDown()
            await guardian.dismiss()
            throw error
        }
    }

    /// Stops the origin, unmounts, and dismisses the guardian.
    ///
    /// - Returns: what stood in the way of unmounting; the guardian kills it and tries again.
    private func close() async -> String? {
        await origin.stop()
        var problem: String?
        do { try volume?.tearDown() } catch { problem = "\(error)" }
        await guardian.dismiss()
        return problem
    }

    /// A laboratory for the iterations of a manifest.
    ///
    /// - Parameters:
    ///   - manifest: what is to be carried out; its faults are those the stage was opened with.
    ///   - video: the manifest's video.
    ///   - scratch: a folder of this laboratory's own.
    /// - Returns: the laboratory.
    /// - Throws: ``RigError`` with exit code 64 for a setting that the worker does not have.
    func laboratory(
        _ manifest: Manifest, video: ReferenceVideo, scratch: String
    ) throws -> Laboratory {
        let faults = manifest.originFaults ?? []
        let resources = try manifest.resources(
            video, pace: manifest.bandwidth, faults: faults)
        return Laboratory(
            settings: LaboratorySettings(
                worker: try programs.installed(manifest.storedProfile)
                    .setting(manifest.values),
                workload: manifest.workload, fault: manifest.fault, resources: resources,
                fileName: video.fileName, library: LibraryPlan(manifest.plan.policies),
                successors: try manifest.successors(resources, faults: faults),
                faultsAtRelaunch: manifest.faultsAtRelaunch(faults),
                capacity: manifest.capacity?.bytes, scratch: scratch, volume: volume,
                environment: workerEnvironment(manifest),
                timeLimitSeconds: manifest.timeLimit ?? LaboratorySettings.standardTimeLimit,
                tracer: programs.rig),
            origin: origin, interruption: interruption)
    }

    /// Tells a worker to reach the origin without a proxy.
    ///
    /// curl reads the lower-case name, most other programs the upper-case one.
    static let direct = ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"]

    /// What every worker is told: whose it is, that the origin is reached without a proxy, and what
    /// changed its behaviour in the run.
    private func workerEnvironment(_ manifest: Manifest) -> [String: String] {
        (manifest.environment ?? [:]).merging(Self.direct) { $1 }
            .merging([Guardian.markVariable: mark]) { $1 }
    }
}

extension WorkerProfile {
    /// Those of the worker's ``variables`` that are set in the rig's own environment, which the
    /// worker inherits.
    var variablesSetHere: [String: String] {
        ProcessInfo.processInfo.environment.filter { variables.contains($0.key) }
    }
}
