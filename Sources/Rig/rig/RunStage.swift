internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigVerdict

/// What iterations need to run: a listening origin per job, and a guardian.
///
/// Everything follows from a manifest, so that a replay has the same as the run.
struct RunStage {
    private let mark: String
    private let programs: Programs
    private let guardian: Guardian
    /// One place per job, at least one.
    private let places: [JobPlace]
    private let interruption: Interruption

    /// Rejects a fault that this machine cannot inject, before anything is started.
    ///
    /// - Throws: ``RigError`` with exit code 77, or 64 on a system that does not support it, and
    ///   what to do.
    static func check(_ fault: Fault) throws {
        if fault == .oom { try MemoryGroups.check() }
        if fault == .powerCut { try PowerCutVolume.check() }
        if fault == .powerCutTorn { try TornCut.check() }
    }

    /// Opens a stage, runs a body on it, and closes it in any case.
    ///
    /// - Parameters:
    ///   - manifest: says which origin faults apply.
    ///   - mark: identifies the workers of this run or replay.
    ///   - programs: the programs of the run.
    ///   - port: the origin's port; 0 for any free port.
    ///   - jobs: the number of parallel iterations.
    ///   - scratch: the run's own folder, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    ///   - console: reports what this machine cannot do, and what prevented unmounting.
    ///   - body: what to do on the stage.
    /// - Returns: the result of `body`.
    /// - Throws: what ``open(_:mark:programs:port:jobs:scratch:interruption:)`` and `body` throw.
    static func with<Value>(
        _ manifest: Manifest, mark: String, programs: Programs, port: UInt16 = 0, jobs: Int = 1,
        scratch: String, interruption: Interruption, console: Console,
        do body: (RunStage) async throws -> Value
    ) async throws -> Value {
        if !Orphans.adopt() {
            console.note(
                "rig: this system does not say whose descendant a process is: a worker's process"
                    + " that leaves its group and drops its environment is not found")
        }
        let stage = try await open(
            manifest, mark: mark, programs: programs, port: port, jobs: jobs, scratch: scratch,
            interruption: interruption)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(stage))
        } catch {
            result = .failure(error)
        }
        for problem in await stage.close() { console.note("rig: \(problem)") }
        return try result.get()
    }

    /// Starts the guardian and the origins.
    ///
    /// - Parameters:
    ///   - manifest: says which origin faults apply.
    ///   - mark: identifies the workers of this run or replay.
    ///   - programs: the programs of the run.
    ///   - port: the origin's port; 0 for any free port.
    ///   - jobs: the number of parallel iterations.
    ///   - scratch: the run's own folder, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    /// - Returns: the stage, to be closed after use.
    /// - Throws: ``RigError`` with exit code 69 when an origin cannot listen, 70 without a
    ///   guardian.
    private static func open(
        _ manifest: Manifest, mark: String, programs: Programs, port: UInt16, jobs: Int,
        scratch: String, interruption: Interruption
    ) async throws -> RunStage {
        let guardian = try await Guardian.start(
            executable: programs.rig, mark: mark, folder: scratch)
        var places: [JobPlace] = []
        do {
            for number in 1...jobs {
                places.append(
                    try await .open(
                        manifest, mark: mark, port: port, scratch: scratch,
                        number: jobs == 1 ? nil : number))
            }
            return RunStage(
                mark: mark, programs: programs, guardian: guardian, places: places,
                interruption: interruption)
        } catch {
            for place in places { _ = await place.close() }
            await guardian.dismiss()
            throw error
        }
    }

    /// Stops the origins, unmounts the volumes, and dismisses the guardian.
    ///
    /// - Returns: what prevented unmounting; the guardian kills it and tries again.
    private func close() async -> [String] {
        var problems: [String] = []
        for place in places {
            if let problem = await place.close() { problems.append(problem) }
        }
        await guardian.dismiss()
        return problems
    }

    /// A laboratory that executes the iterations of a manifest one after another.
    ///
    /// - Parameters:
    ///   - manifest: the plan; its origin faults must be those with which the stage was opened.
    ///   - video: the manifest's video.
    ///   - scratch: the laboratory's own folder.
    /// - Returns: the laboratory.
    /// - Throws: ``RigError`` with exit code 64 for a setting that the worker does not have.
    func laboratory(
        _ manifest: Manifest, video: ReferenceVideo, scratch: String
    ) throws -> Laboratory {
        try pool(manifest, video: video, scratch: scratch).lead
    }

    /// One laboratory per job.
    ///
    /// - Parameters:
    ///   - manifest: the plan; its origin faults must be those with which the stage was opened.
    ///   - video: the manifest's video.
    ///   - scratch: the laboratories' own folder.
    /// - Returns: the laboratories.
    /// - Throws: ``RigError`` with exit code 64 for a setting that the worker does not have.
    func pool(_ manifest: Manifest, video: ReferenceVideo, scratch: String) throws -> WorkerPool {
        let settings = try settings(manifest, video: video, scratch: scratch)
        let knowledge = WorkerKnowledge()
        let room = DiskRoom(served: settings.served)
        return WorkerPool(
            places.map { place in
                Laboratory(
                    settings: settings.placed(in: place.path(in: scratch), volume: place.volume),
                    origin: place.origin, interruption: interruption, knowledge: knowledge,
                    room: room,
                    isSound: Judge.isSound)
            })
    }

    private func settings(
        _ manifest: Manifest, video: ReferenceVideo, scratch: String
    ) throws -> LaboratorySettings {
        let faults = manifest.originFaults ?? []
        let resources = try manifest.resources(
            video, pace: manifest.bandwidth, faults: faults)
        return LaboratorySettings(
            worker: try programs.installed(manifest.storedProfile)
                .setting(manifest.values),
            workload: manifest.workload, fault: manifest.fault, resources: resources,
            fileName: video.fileName, library: LibraryPlan(manifest.plan.policies),
            successors: try manifest.successors(resources, faults: faults),
            faultsAtRelaunch: manifest.faultsAtRelaunch(faults),
            capacity: manifest.capacity?.bytes, scratch: scratch,
            environment: workerEnvironment(manifest),
            timeLimitSeconds: manifest.timeLimit ?? LaboratorySettings.standardTimeLimit,
            rig: programs.rig)
    }

    /// Environment variables that make a worker reach the origin without a proxy.
    ///
    /// curl reads the lower-case name, most other programs the upper-case one.
    static let direct = ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"]

    /// The environment of every worker: its mark and owner, no proxy for the origin, and the run's
    /// recorded variables.
    private func workerEnvironment(_ manifest: Manifest) -> [String: String] {
        (manifest.environment ?? [:]).merging(Self.direct) { $1 }
            .merging([Guardian.markVariable: mark]) { $1 }
            .merging(AbandonedWorkers.owner.map { [AbandonedWorkers.ownerVariable: $0] } ?? [:]) {
                $1
            }
    }
}

extension WorkerProfile {
    /// The worker's ``variables`` that are set in the rig's own environment, which the worker
    /// inherits.
    var variablesSetHere: [String: String] {
        ProcessInfo.processInfo.environment.filter { variables.contains($0.key) }
    }
}
