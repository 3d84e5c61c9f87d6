internal import Fixture
internal import FixtureOrigin
internal import Foundation
internal import OriginFaults
internal import RigLab
internal import RigModel
internal import RigVerdict

/// What iterations run in; it follows from a manifest, so that a replay has the same as the run.
struct RunEnvironment {
    private let mark: String
    private let programs: Programs
    private let scratch: String
    private let jobs: [Job]
    private let authority: RunAuthority?
    private let interruption: Interruption
    private let console: Console

    /// Rejects a fault that this machine cannot inject, before anything starts, with exit code 77.
    static func check(_ fault: Fault, leaving model: CrashModel?) throws {
        if fault == .oom { try MemoryGroups.check() }
        if fault.needsVolume { try PowerCutVolume.check(VolumeFileSystem(of: model), for: fault) }
    }

    static func with<Value>(
        _ manifest: Manifest, mark: String, programs: Programs, port: UInt16 = 0, jobs: Int = 1,
        scratch: String, interruption: Interruption, console: Console,
        do body: (RunEnvironment) async throws -> Value
    ) async throws -> Value {
        if !Orphans.adopt() {
            console.note(
                "rig: this system hands no orphans to the rig: a worker's process that leaves its"
                    + " group and clears its environment is not found")
        }
        let authority = manifest.tls == true ? try RunAuthority(in: scratch) : nil
        let guardian = try await Guardian.start(
            executable: programs.rig, mark: mark, folder: scratch)
        var opened: [Job] = []
        let result: Result<Value, any Error>
        do {
            for number in 1...jobs {
                opened.append(
                    try await .open(
                        manifest, mark: mark, port: port, scratch: scratch,
                        number: jobs == 1 ? nil : number, authority: authority))
            }
            let environment = RunEnvironment(
                mark: mark, programs: programs, scratch: scratch, jobs: opened,
                authority: authority, interruption: interruption, console: console)
            result = .success(try await body(environment))
        } catch {
            result = .failure(error)
        }
        for job in opened {
            // What could not be unmounted, the guardian kills, and tries again.
            if let problem = await job.close() { console.note("rig: \(problem)") }
        }
        await guardian.dismiss()
        return try result.get()
    }

    func laboratory(
        _ manifest: Manifest, video: ReferenceVideo, below name: String? = nil,
        change: (inout LaboratorySettings) -> Void = { _ in }
    ) throws -> Laboratory { try pool(manifest, video: video, below: name, change: change).lead }

    /// One laboratory per job; the plan has the origin faults of the environment.
    func pool(
        _ manifest: Manifest, video: ReferenceVideo, below name: String? = nil,
        change: (inout LaboratorySettings) -> Void = { _ in }
    ) throws -> WorkerPool {
        let scratch = name.map { "\(self.scratch)/\($0)" } ?? self.scratch
        var settings = try settings(manifest, video: video, scratch: scratch)
        change(&settings)
        let knowledge = WorkerKnowledge()
        let room = DiskRoom(served: settings.served)
        return WorkerPool(
            jobs.map { job in
                Laboratory(
                    settings: settings.placed(in: scratch + job.folder, volume: job.volume),
                    origin: job.origin, interruption: interruption, knowledge: knowledge,
                    room: room, isSound: Judge.isSound)
            })
    }

    private func settings(
        _ manifest: Manifest, video: ReferenceVideo, scratch: String
    ) throws -> LaboratorySettings {
        let spec = manifest.spec
        let resources = try spec.resources(video, pace: manifest.bandwidth)
        let worker = try programs.installed(manifest.storedProfile).setting(spec.values)
        let successors = try spec.successors(resources)
        let most = (resources + (successors ?? [])).reduce(0) { $0 + $1.source.length }
        var laboratory = LaboratorySettings(
            spec, worker: authority.map { worker.trusting($0.file) } ?? worker,
            resources: resources, fileName: video.fileName,
            library: LibraryPlan(manifest.plan.policies), scratch: scratch,
            environment: workerEnvironment(manifest))
        laboratory.successors = successors
        laboratory.faultsAtRelaunch = spec.faultsAtRelaunch
        // A capacity that nothing exceeds excuses nothing: no byte may be missing then.
        laboratory.capacity = spec.capacity.flatMap { $0.bytes < most ? $0.bytes : nil }
        laboratory.rig = programs.rig
        laboratory.confinement = try Confinement.program(beside: programs.rig)
        laboratory.pacesOnlyKills = manifest.pacesOnlyKills ?? false
        let (reporter, limit) = (console, Int(laboratory.timeLimitSeconds.rounded(.up)))
        laboratory.stillRuns = {
            reporter.note(
                "rig: waiting for an unharmed run to end, for at most \(limit) s (--for 2s ends it)"
            )
        }
        return laboratory
    }

    /// The environment of every worker: mark, owner, no proxy, and the run's recorded variables.
    private func workerEnvironment(_ manifest: Manifest) -> [String: String] {
        let recorded = manifest.environment ?? [:]
        return
            recorded
            .merging(DirectAccess.variables(beside: recorded)) { $1 }
            .merging(authority?.variables ?? [:]) { $1 }
            .merging([Guardian.markVariable: mark]) { $1 }
            .merging(AbandonedWorkers.owner.map { [AbandonedWorkers.ownerVariable: $0] } ?? [:]) {
                $1
            }
    }
}

extension RunEnvironment {
    /// What each job has to itself: an origin, a folder, and a volume if the fault needs one.
    struct Job {
        let origin: FixtureOrigin
        let volume: PowerCutVolume?
        /// The folder's path below a scratch folder; empty for a run with a single job.
        let folder: String

        static func open(
            _ manifest: Manifest, mark: String, port: UInt16, scratch: String, number: Int?,
            authority: RunAuthority?
        ) async throws -> Job {
            let folder = number.map { "/\(PowerCutVolume.jobPrefix)\($0)" } ?? ""
            var volume: PowerCutVolume?
            if manifest.fault.needsVolume {
                let parent = scratch + folder
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

        func close() async -> String? {
            await origin.stop()
            do {
                try volume?.tearDown()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}

enum DirectAccess {
    private static let host = "127.0.0.1"

    /// `no_proxy` and `NO_PROXY`, with what they hold already, under both names: curl reads the first,
    /// most programs the second, and some look at both.
    static func variables(
        beside recorded: [String: String],
        own: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        let set = own.merging(recorded) { $1 }
        let (lower, upper) = (set["no_proxy"], set["NO_PROXY"])
        return [
            "no_proxy": adding(to: lower ?? upper ?? ""),
            "NO_PROXY": adding(to: upper ?? lower ?? ""),
        ]
    }

    private static func adding(to hosts: String) -> String {
        let given = hosts.split { $0 == "," || $0.isWhitespace }
        // A star is for every host, and only where it stands alone.
        guard given != ["*"] else { return "*" }
        guard !given.contains(Substring(host)) else { return hosts }
        return (given + [Substring(host)]).joined(separator: ",")
    }
}
