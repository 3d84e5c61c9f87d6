/// What a run was: enough to judge its rows again, and to say where its figures come from.
package struct Manifest: Sendable, Hashable, Codable {
    /// The machine and the software underneath.
    package struct Machine: Sendable, Hashable, Codable {
        package let system: String
        package let processor: String
        package let cores: Int
        package let memoryBytes: Int64
        /// The type of the file system that the worker's state lay on, such as `ext4`.
        package let fileSystem: String
        /// The machine's name; nil in runs from before it was kept.
        package let host: String?

        package init(
            system: String, processor: String, cores: Int, memoryBytes: Int64, fileSystem: String,
            host: String? = nil
        ) {
            self.host = host
            self.system = system
            self.processor = processor
            self.cores = cores
            self.memoryBytes = memoryBytes
            self.fileSystem = fileSystem
        }
    }

    /// The video that was downloaded; of several, each.
    package struct Video: Sendable, Hashable, Codable {
        /// `fixture`, or what `--video` named.
        package let source: String
        package let length: Int64
        /// The entity tag by which the origin served it.
        package let etag: String

        package init(source: String, length: Int64, etag: String) {
            self.source = source
            self.length = length
            self.etag = etag
        }
    }

    /// The version of the format that this rig writes.
    package static let schemaVersion = 1

    /// The version of this file's format.
    package private(set) var schema = Self.schemaVersion
    package let runID: String
    /// The command line as given.
    package let command: [String]
    /// Versions of the parts by name: `rig`, the `judge` of its rows, and the `sqlite` that reads
    /// the worker's state.
    package let versions: [String: String]
    package let machine: Machine
    /// The worker's name.
    package let worker: String
    /// How the worker is started and what is known of it, so that a replay needs no file but this
    /// one; nil in runs from before there were profiles, which had the reference downloader.
    package let profile: WorkerProfile?
    /// What `--worker` named; nil for a command without a profile, and where there is no profile.
    package let workerOption: String?
    package let fault: Fault
    package let workload: Workload
    /// What `--set` gave for the worker's own placeholders, by their names.
    package let settings: [String: String]?
    /// The environment variables that change what the worker does, as they were set; nil for none.
    package let environment: [String: String]?
    package let plan: KillPlan
    /// A digest of every planned kill: equal digests mean equal plans.
    package let planDigest: String
    package let video: Video
    /// The origin's pace in bytes per second; nil for unlimited.
    package let bandwidth: Int64?
    /// What the origin did wrong on request; nil for nothing.
    package let originFaults: [OriginFault]?
    /// Seconds after which a life of the worker was ended; nil for the usual limit.
    package let timeLimit: Double?
    /// The gates by which the run is judged when none are given; the defaults that they do not speak
    /// about apply as well.
    package let gates: [String]
    /// Where the run lies that its gates compare it with; nil for none.
    package let baseline: String?
    /// ISO 8601, UTC.
    package let startedAt: String
    /// The part of the plan that was carried out; nil for the whole plan.
    package let partition: RunPartition?
    /// The parts that the run was merged from; nil for a run that was not.
    package let parts: [MergedPart]?
    /// The port that the origin was told to listen on; nil for any free one.
    package let port: UInt16?
    /// How many iterations went on at once; nil for one at a time.
    ///
    /// Of a run that was merged it is the most that any part had.
    package let jobs: Int?
    /// How many iterations went on at once, when the run began and each time it was gone on with.
    package var jobCounts: [Int] {
        let first = jobs ?? 1
        return [first] + (resumed ?? []).map { $0.jobs ?? first }
    }
    /// How many go on at once now, which may be another number than when the run began.
    package var currentJobs: Int { resumed?.last?.jobs ?? jobs ?? 1 }
    /// When and where a run was finished that had been cut short, in that order; nil for a run that
    /// was carried out at once.
    package var resumed: [Resumed]?
    /// The programs that ran, and the commit of the rig; nil in runs from before it was kept.
    package var provenance: Provenance?

    /// Once that a run was gone on with.
    package struct Resumed: Sendable, Hashable, Codable {
        /// ISO 8601, UTC.
        package let startedAt: String
        /// The machine; nil where it is not known.
        package let host: String?
        /// How many iterations went on at once from then on; nil for as many as when it began.
        package let jobs: Int?

        package init(startedAt: String, host: String?, jobs: Int? = nil) {
            self.startedAt = startedAt
            self.host = host
            self.jobs = jobs
        }
    }

    private enum CodingKeys: String, CodingKey {
        // `run_id` in the file; the strategy that turns names around writes it as `runId`.
        case runID = "runId"
        case schema, command, versions, machine, worker, profile, workerOption, fault, workload
        case settings, environment
        case plan, planDigest, video, bandwidth, originFaults, gates, startedAt
        case timeLimit, partition, parts, port, resumed, baseline, jobs, provenance
    }

    /// Everything that a run's rows rest on.
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
        // Left out of most runs, and of those from before there were jobs.
        self.jobs = jobs == 1 ? nil : jobs
        self.baseline = baseline
        self.port = port
        self.resumed = resumed
        self.partition = partition
        self.parts = parts
        self.runID = runID
        self.command = command
        self.versions = versions
        self.machine = machine
        self.worker = worker
        self.profile = profile
        self.workerOption = workerOption
        self.fault = fault
        self.workload = workload
        // A run without any leaves them out, as runs did before there were settings.
        self.settings = settings.isEmpty ? nil : settings
        self.environment = environment.isEmpty ? nil : environment
        self.plan = plan
        self.planDigest = plan.digest
        self.video = video
        self.bandwidth = bandwidth
        self.originFaults = originFaults.isEmpty ? nil : originFaults
        self.timeLimit = timeLimit
        self.gates = gates
        self.startedAt = startedAt
    }

    /// How many rows a complete run has.
    package var expectedRows: Int { iterations * plan.policies.count * plan.kills }

    /// How many iterations of each policy the run has.
    package var iterations: Int { partition?.size(of: plan.iterations) ?? plan.iterations }

    /// The run's iterations in the order in which they are carried out: the plan's, or those of its
    /// part.
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
