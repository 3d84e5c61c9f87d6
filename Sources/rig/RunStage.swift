internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigVerdict

/// What iterations are carried out on: origins that are listening, one for each job, and a guardian.
///
/// All of it follows from a manifest, so that a replay has what the run had.
struct RunStage {
    private let mark: String
    private let programs: Programs
    private let guardian: Guardian
    /// At least one.
    private let places: [JobPlace]
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
    ///   - jobs: how many iterations go on at once.
    ///   - scratch: a folder of the run's own, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    ///   - console: is told what this machine cannot do, and what stood in the way of unmounting.
    ///   - body: what to do.
    /// - Returns: what `body` returned.
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
    ///   - manifest: says what goes wrong at the origin.
    ///   - mark: by which the workers of this run, or of this replay, are known.
    ///   - programs: the programs of the run.
    ///   - port: the origin's port; 0 for any free one.
    ///   - jobs: how many iterations go on at once.
    ///   - scratch: a folder of the run's own, for the image of a volume.
    ///   - interruption: whether the user has asked to stop.
    /// - Returns: the stage, until it is closed.
    /// - Throws: ``RigError`` with exit code 69 when an origin cannot listen, 70 without a guardian.
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

    /// Stops the origins, unmounts, and dismisses the guardian.
    ///
    /// - Returns: what stood in the way of unmounting; the guardian kills it and tries again.
    private func close() async -> [String] {
        var problems: [String] = []
        for place in places {
            if let problem = await place.close() { problems.append(problem) }
        }
        await guardian.dismiss()
        return problems
    }

    /// A laboratory for the iterations of a manifest, one after the other.
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
        try crew(manifest, video: video, scratch: scratch).lead
    }

    /// A laboratory for each job.
    ///
    /// - Parameters:
    ///   - manifest: what is to be carried out; its faults are those the stage was opened with.
    ///   - video: the manifest's video.
    ///   - scratch: a folder of theirs.
    /// - Returns: the laboratories.
    /// - Throws: ``RigError`` with exit code 64 for a setting that the worker does not have.
    func crew(_ manifest: Manifest, video: ReferenceVideo, scratch: String) throws -> Crew {
        let settings = try settings(manifest, video: video, scratch: scratch)
        let knowledge = WorkerKnowledge()
        let room = DiskRoom(served: settings.served)
        return Crew(
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

    /// Tells a worker to reach the origin without a proxy.
    ///
    /// curl reads the lower-case name, most other programs the upper-case one.
    static let direct = ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"]

    /// What every worker is told: whose it is, that the origin is reached without a proxy, and what
    /// changed its behaviour in the run.
    private func workerEnvironment(_ manifest: Manifest) -> [String: String] {
        (manifest.environment ?? [:]).merging(Self.direct) { $1 }
            .merging([Guardian.markVariable: mark]) { $1 }
            .merging(AbandonedWorkers.owner.map { [AbandonedWorkers.ownerVariable: $0] } ?? [:]) {
                $1
            }
    }
}

extension WorkerProfile {
    /// Those of the worker's ``variables`` that are set in the rig's own environment, which the
    /// worker inherits.
    var variablesSetHere: [String: String] {
        ProcessInfo.processInfo.environment.filter { variables.contains($0.key) }
    }
}
