/// The description of a run: what was asked for and what was done, to judge its rows again.
@dynamicMemberLookup
package struct Manifest: Sendable, Hashable, Codable {
    package var spec: RunSpec
    package var record: RunRecord

    package init(
        _ spec: RunSpec, runID: String, versions: [String: String], machine: Machine,
        worker: String, environment: [String: String] = [:], plan: KillPlan, video: Video,
        bandwidth: Int64?, startedAt: String
    ) {
        self.spec = spec
        record = RunRecord(
            runID: runID, versions: versions, machine: machine, worker: worker,
            environment: environment.unless([:]), plan: plan, planDigest: plan.digest,
            video: video, bandwidth: bandwidth, startedAt: startedAt)
    }

    /// Reads both from one object.
    package init(from decoder: any Decoder) throws {
        record = try RunRecord(from: decoder)
        spec = try RunSpec(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try spec.encode(to: encoder)
        try record.encode(to: encoder)
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<RunSpec, Value>) -> Value {
        get { spec[keyPath: path] }
        set { spec[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<RunRecord, Value>) -> Value {
        get { record[keyPath: path] }
        set { record[keyPath: path] = newValue }
    }

    package static let schemaVersion = 1

    package struct Machine: Sendable, Hashable, Codable {
        package let system: String
        package let processor: String
        package let cores: Int
        package let memoryBytes: Int64
        /// The type of the file system that held the worker's state, such as `ext4`.
        package let fileSystem: String
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
        package let etag: String

        package init(source: String, length: Int64, etag: String) {
            (self.source, self.length, self.etag) = (source, length, etag)
        }
    }

    package struct Resumed: Sendable, Hashable, Codable {
        /// ISO 8601, UTC.
        package let startedAt: String
        package let host: String?
        /// The number of parallel iterations from then on; nil for the number at the run's start.
        package let jobs: Int?

        package init(startedAt: String, host: String?, jobs: Int? = nil) {
            (self.startedAt, self.host, self.jobs) = (startedAt, host, jobs)
        }
    }

    /// The numbers of parallel iterations: at the run's start and at each resume.
    package var jobCounts: [Int] {
        let first = spec.jobs ?? 1
        return [first] + (record.resumed ?? []).map { $0.jobs ?? first }
    }
    /// The current number of parallel iterations, which can differ from that at the run's start.
    package var currentJobs: Int { record.resumed?.last?.jobs ?? spec.jobs ?? 1 }

    /// The worker's profile with the bounds that applied to its origin; nil where none is stored.
    package var judgedProfile: WorkerProfile? {
        spec.tls == true ? spec.profile?.trusting(Placeholders.text("ca")) : spec.profile
    }

    package var faultText: String { spec.fault.text(spec.grace) }

    package var faults: [Fault] {
        let (first, later) = (spec.fault, spec.fault.ofKill(2))
        return record.plan.kills > 1 && later != first ? [first, later] : [first]
    }

    package var expectedRows: Int { iterations * record.plan.policies.count * record.plan.kills }

    package var iterations: Int {
        spec.partition?.size(of: record.plan.iterations) ?? record.plan.iterations
    }

    package var schedule: [PlannedIteration] {
        guard let partition = spec.partition else { return record.plan.schedule }
        return record.plan.schedule.filter { partition.contains($0.iteration) }
    }
}

/// The facts of a run: who made it where, when, with what, and its plan.
package struct RunRecord: Sendable, Hashable, Codable {
    package var schema = Manifest.schemaVersion
    package var runID: String
    /// The version of `rig`, of the `judge` of its rows, and of the `sqlite` that reads the state.
    package var versions: [String: String]
    package var machine: Manifest.Machine
    package var worker: String
    /// The environment variables that change the worker's behaviour, with their values.
    package var environment: [String: String]?
    package var plan: KillPlan { didSet { planDigest = plan.digest } }
    /// A digest of every planned kill: equal digests mean equal plans.
    package var planDigest: String
    package var video: Manifest.Video
    /// The origin's bandwidth in bytes per second; nil when unlimited.
    package var bandwidth: Int64?
    /// ISO 8601, UTC.
    package var startedAt: String
    /// True if that bandwidth only spreads kills: an unharmed worker is served without it.
    package var pacesOnlyKills: Bool?
    /// How many calls of an unharmed launch it could be killed at; nil where not counted.
    package var calls: Int?
    /// The parts that the run was merged from; nil for a run that was not merged.
    package var parts: [MergedPart]?
    /// When and where an interrupted run was resumed, in order; nil for none.
    package var resumed: [Manifest.Resumed]?
    /// The programs that ran, and the rig's commit; nil if unknown.
    package var provenance: Provenance?
    /// Which of those programs were others when the run ended, by name; nil for none.
    package var replaced: [String]?
    /// Where the rig was started, for relative paths; nil if unknown, or in several folders.
    package var workingDirectory: String?

    private enum CodingKeys: String, CodingKey {
        // `run_id` in the file: the key strategy converts `runId` to it and back.
        case runID = "runId"
        case schema, versions, machine, worker, environment, plan, planDigest, video, bandwidth
        case startedAt, pacesOnlyKills, calls, parts, resumed, provenance, replaced
        case workingDirectory
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
        let position = kill.position == 0 ? "" : "\(FixedPoint.text(kill.position, decimals: 9)) "
        return "\(item.iteration) \(which)\(item.policy.name) \(item.policy.durability.rawValue) "
            + "\(kill.trigger.kind.rawValue) \(kill.trigger.planned) \(position)"
            + "\(FixedPoint.text(kill.delaySeconds, decimals: 9)) \(item.seed)\n"
    }
}
