package import OriginFaults

/// The description of a run: enough to judge its rows again and to trace where its figures come
/// from.
package struct Manifest: Sendable, Hashable, Codable {
    /// The machine and its system software.
    package struct Machine: Sendable, Hashable, Codable {
        package let system: String
        package let processor: String
        package let cores: Int
        package let memoryBytes: Int64
        /// The type of the file system that held the worker's state, such as `ext4`.
        package let fileSystem: String
        /// The machine's name; nil in runs recorded before it was stored.
        package let host: String?

        package init(
            system: String, processor: String, cores: Int, memoryBytes: Int64, fileSystem: String,
            host: String? = nil
        ) {
            (self.host, self.system, self.processor, self.cores) = (host, system, processor, cores)
            (self.memoryBytes, self.fileSystem) = (memoryBytes, fileSystem)
        }
    }

    /// The video that was downloaded; if there are several, each of them.
    package struct Video: Sendable, Hashable, Codable {
        /// `fixture`, or the value of `--video`.
        package let source: String
        package let length: Int64
        /// The entity tag with which the origin served it.
        package let etag: String

        package init(source: String, length: Int64, etag: String) {
            (self.source, self.length, self.etag) = (source, length, etag)
        }
    }

    /// The version of the format that this rig writes.
    package static let schemaVersion = 1

    /// The version of this file's format.
    package private(set) var schema = Self.schemaVersion
    package let runID: String
    /// The command line as given by the user.
    package let command: [String]
    /// Version of each component: `rig`, the `judge` of its rows, and the `sqlite` that reads the
    /// worker's state.
    package let versions: [String: String]
    package let machine: Machine
    package let worker: String
    /// How the worker is started and what is known of it, so that a replay needs only this file;
    /// nil in runs recorded before profiles existed, which used the reference downloader.
    package let profile: WorkerProfile?
    /// The value of `--worker`; nil for a command without a profile, and when there is no profile.
    package let workerOption: String?
    package let fault: Fault
    package let workload: Workload
    /// What `--set` gave for the worker's own placeholders, by name.
    package let settings: [String: String]?
    /// The environment variables that change the worker's behaviour, with their values; nil for
    /// none.
    package let environment: [String: String]?
    package let plan: KillPlan
    /// A digest of every planned kill: equal digests mean equal plans.
    package let planDigest: String
    package let video: Video
    /// The origin's bandwidth in bytes per second; nil when unlimited.
    package let bandwidth: Int64?
    /// True if that bandwidth is the rig's own choice, so that kills can be spread over the work: a
    /// worker that is not killed is served without it; nil where it holds for every launch.
    package var pacesOnlyKills: Bool?
    /// How many calls, at each of which it could be killed, an unharmed launch of the worker makes;
    /// nil where they were not counted beside other kills.
    package var calls: Int?
    /// Of which rows the worker's state is kept; nil in runs recorded before that could be chosen,
    /// which kept all.
    package var evidence: EvidenceChoice?
    /// The origin faults of the run; nil for none.
    package let originFaults: [OriginFault]?
    /// Seconds after which a life of the worker is ended; nil for the default limit.
    package let timeLimit: Double?
    /// The gates by which the run is judged when none are given; defaults for measurements that
    /// they do not mention apply as well.
    package let gates: [String]
    /// The folder of the run that its gates compare it with; nil for none.
    package let baseline: String?
    /// The history of which its gates compare it with the newest runs; nil for none.
    package var history: String?
    /// ISO 8601, UTC.
    package let startedAt: String
    /// The part of the plan that this run carried out; nil for the whole plan.
    package let partition: RunPartition?
    /// The parts that the run was merged from; nil for a run that was not merged.
    package let parts: [MergedPart]?
    /// The port that the origin was told to listen on; nil for any free port.
    package let port: UInt16?
    /// The number of parallel iterations; nil for one at a time.
    ///
    /// For a merged run, the maximum over its parts.
    package let jobs: Int?
    /// The numbers of parallel iterations: at the run's start and at each resume.
    package var jobCounts: [Int] {
        let first = jobs ?? 1
        return [first] + (resumed ?? []).map { $0.jobs ?? first }
    }
    /// The current number of parallel iterations, which can differ from that at the run's start.
    package var currentJobs: Int { resumed?.last?.jobs ?? jobs ?? 1 }
    /// When and where an interrupted run was resumed, in order; nil for a run that was never
    /// resumed.
    package var resumed: [Resumed]?
    /// The programs that ran, and the rig's commit; nil in runs recorded before they were stored.
    package var provenance: Provenance?
    /// True if the origin speaks HTTP over TLS; nil if it does not.
    package var tls: Bool?
    /// What a power cut may leave; nil for the default.
    package var crashModel: CrashModel?
    /// How long a worker may take that is asked to end; nil for ``Grace/standard``.
    package var grace: Grace?
    /// How calls fail; nil for other faults.
    package var callFailure: CallFailure?
    /// How a killed worker is started again; nil for once.
    package var relaunch: Relaunch?
    /// The folder in which the rig was started, which relative paths of the worker's command are
    /// about; nil in runs recorded before it was stored, and in merged runs of several folders.
    package var workingDirectory: String?

    /// One resume of an interrupted run.
    package struct Resumed: Sendable, Hashable, Codable {
        /// ISO 8601, UTC.
        package let startedAt: String
        /// The machine; nil if unknown.
        package let host: String?
        /// The number of parallel iterations from then on; nil for the number at the run's start.
        package let jobs: Int?

        package init(startedAt: String, host: String?, jobs: Int? = nil) {
            (self.startedAt, self.host, self.jobs) = (startedAt, host, jobs)
        }
    }

    private enum CodingKeys: String, CodingKey {
        // `run_id` in the file: the key strategy converts `runId` to it and back.
        case runID = "runId"
        case schema, command, versions, machine, worker, profile, workerOption, fault, workload
        case settings, environment
        case plan, planDigest, video, bandwidth, originFaults, gates, startedAt
        case timeLimit, partition, parts, port, resumed, baseline, jobs, provenance
        case workingDirectory, tls, crashModel, relaunch, grace, pacesOnlyKills, calls
        case evidence, callFailure, history
    }

    package init(
        runID: String, command: [String], versions: [String: String], machine: Machine,
        worker: String, profile: WorkerProfile? = nil, workerOption: String? = nil, fault: Fault,
        workload: Workload = .download,
        settings: [String: String] = [:], environment: [String: String] = [:], plan: KillPlan,
        video: Video, bandwidth: Int64?, originFaults: [OriginFault] = [],
        timeLimit: Double? = nil, gates: [String], startedAt: String,
        partition: RunPartition? = nil, parts: [MergedPart]? = nil, port: UInt16? = nil,
        resumed: [Resumed]? = nil, baseline: String? = nil, jobs: Int = 1
    ) {
        // Omitted for one job, as in runs recorded before jobs existed.
        self.jobs = jobs == 1 ? nil : jobs
        (self.baseline, self.port, self.resumed) = (baseline, port, resumed)
        (self.partition, self.parts, self.runID, self.command) = (partition, parts, runID, command)
        (self.versions, self.machine, self.worker) = (versions, machine, worker)
        (self.profile, self.workerOption, self.fault) = (profile, workerOption, fault)
        self.workload = workload
        // Empty settings are omitted, as in runs recorded before settings existed.
        self.settings = settings.isEmpty ? nil : settings
        self.environment = environment.isEmpty ? nil : environment
        self.plan = plan
        self.planDigest = plan.digest
        (self.video, self.bandwidth) = (video, bandwidth)
        self.originFaults = originFaults.isEmpty ? nil : originFaults
        (self.timeLimit, self.gates, self.startedAt) = (timeLimit, gates, startedAt)
    }

    /// The worker's profile with the bounds that applied to its origin; nil where none is stored.
    package var judgedProfile: WorkerProfile? {
        tls == true ? profile?.trusting(Placeholders.text("ca")) : profile
    }

    /// The fault as `--fault` names it.
    package var faultText: String { fault.text(grace) }

    /// The faults of its kills, in their order.
    package var faults: [Fault] {
        plan.kills > 1 && fault.ofKill(2) != fault ? [fault, fault.ofKill(2)] : [fault]
    }

    /// The number of rows of a complete run.
    package var expectedRows: Int { iterations * plan.policies.count * plan.kills }

    /// The number of iterations per policy in this run.
    package var iterations: Int { partition?.size(of: plan.iterations) ?? plan.iterations }

    /// The run's iterations in execution order: the plan's, or those of its part.
    package var schedule: [PlannedIteration] {
        guard let partition else { return plan.schedule }
        return plan.schedule.filter { partition.contains($0.iteration) }
    }
}

extension KillPlan {
    /// A 64-bit FNV-1a digest of every planned kill, in hexadecimal.
    package var digest: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for item in schedule {
            for kill in item.kills {
                for byte in Self.line(item, kill).utf8 {
                    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                }
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func line(_ item: PlannedIteration, _ kill: PlannedKill) -> String {
        let which = kill.kill == 1 ? "" : "\(kill.kill) "
        let position =
            kill.position == 0 ? "" : "\(FixedPoint.text(kill.position, decimals: 9)) "
        return "\(item.iteration) \(which)\(item.policy.name) \(item.policy.durability.rawValue) "
            + "\(kill.trigger.kind.rawValue) \(kill.trigger.planned) \(position)"
            + "\(FixedPoint.text(kill.delaySeconds, decimals: 9)) \(item.seed)\n"
    }
}
