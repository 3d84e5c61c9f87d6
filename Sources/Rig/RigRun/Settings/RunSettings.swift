internal import CVersion
internal import Fixture
package import Foundation
package import RigLab
package import RigModel
package import RigVerdict

/// A run as it was asked for, with what is known before anything is started.
@dynamicMemberLookup
package struct RunSettings: Sendable {
    /// What the manifest has of it.
    package var spec: RunSpec
    /// The worker's profile as written: program names unresolved, no settings applied.
    package let profile: WorkerProfile
    package let policies: [Policy]
    /// The whole plan follows from it.
    package let seed: UInt64
    package let startedAt: Date

    package var iterations = standardIterations
    package var video: VideoSettings = .fixture(length: 10 << 20)
    /// The origin's bandwidth in bytes per second; nil for the default (see ``pace(length:)``).
    package var bandwidth: Int64?
    package var trigger: TriggerKind = .random
    /// The moment of every kill; nil to draw them.
    package var pinned: PinnedMoment?
    /// True for a kill before and after every call.
    package var isExhaustive = false
    package var isStratified = false
    package var kills = 1

    package var gates = Gate.defaults { didSet { spec.gates = gates.map(\.text) } }
    /// The run that gates compare with; nil when no gate compares.
    package var reference: GateBaseline?

    /// The run folder, or the folder of the parts; nil for one below `results`.
    package var out: String?
    package var json = false
    package var showsTimings = false

    /// Enough to rule out a violation rate of 3 %.
    package static let standardIterations = 100

    package init(profile: WorkerProfile, policies: [Policy], seed: UInt64, startedAt: Date) {
        (self.profile, self.policies, self.seed) = (profile, policies, seed)
        self.startedAt = startedAt
        spec = RunSpec(profile: profile)
        spec.evidence = .first
        spec.gates = gates.map(\.text)
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<RunSpec, Value>) -> Value {
        get { spec[keyPath: path] }
        set { spec[keyPath: path] = newValue }
    }

    package func checkWorker() throws(RigError) {
        try WorkerFit(worker: profile, settings: self).check()
        try JobFit(jobs: spec.jobs ?? 1, worker: profile, port: spec.port).check()
        // Fails early for a setting that the worker does not have.
        _ = try profile.setting(spec.values)
    }

    /// Bytes per second with a player: unlimited, all would be sent before its second request.
    private static let playerPace: Int64 = 64 << 20

    /// How long a program that was not made for the rig needs for the whole video, at least.
    ///
    /// A kill takes milliseconds to arrive, and without a limit curl has 10 MB after 10 ms.
    static let programSeconds: ClosedRange<Double> = 0.05...0.5
    /// Kills are spread if the work takes so many times as long as its beginning scatters.
    static let timesTheScatter = 20.0

    /// The lowest default bandwidth for such a program: a short video is not sent more slowly.
    private static let programPace: Int64 = 20 << 20

    /// True if the origin sends slowly only to spread kills; those of the reference downloader wait.
    var pacesOnlyKills: Bool {
        bandwidth == nil && spec.workload == .download && !profile.isDocumented
            && profile.source == nil && ([.random, .bytes, .time].contains(trigger) || kills > 1)
    }

    /// The origin's bandwidth for a video, in bytes per second; nil for no limit.
    func pace(length: Int64, seconds: Double = Self.programSeconds.upperBound) -> Int64? {
        if let bandwidth { return bandwidth }
        if spec.workload.hasPlayer { return Self.playerPace }
        guard pacesOnlyKills else { return nil }
        return max(Self.programPace, Int64(Double(length) / seconds))
    }

    func manifest(
        runID: String, plan: KillPlan, video: ReferenceVideo, worker: WorkerProfile,
        folder: RunFolder
    ) -> Manifest {
        var manifest = Manifest(
            spec, runID: runID,
            versions: [
                "rig": RigVersion.current, "judge": "\(Judge.version)",
                "sqlite": MachineFacts.sqliteVersion,
            ],
            machine: MachineFacts.read(folder: folder.path), worker: worker.name,
            environment: worker.variablesSetHere, plan: plan,
            video: .init(source: video.source, length: video.bytes.length, etag: video.etag),
            bandwidth: pace(length: video.bytes.length), startedAt: RunID.timestamp(startedAt))
        manifest.pacesOnlyKills = pacesOnlyKills.unless(false)
        manifest.workingDirectory = FileManager.default.currentDirectoryPath
        return manifest
    }
}

package enum RigVersion {
    package static let current = RIG_VERSION
}

enum RunID {
    /// Sorts by time; parts can start in the same second, with the same seed and process id.
    static func make(seed: UInt64, at time: Date, partition: RunPartition? = nil) -> String {
        let stamp = timestamp(time).filter { $0.isNumber || $0 == "T" }
        let part = partition.map { "-\($0.index)-of-\($0.count)" } ?? ""
        return "\(stamp)-\(String(seed & 0xFFFF_FFFF, radix: 36))"
            + "-\(ProcessInfo.processInfo.processIdentifier)\(part)"
    }

    static func timestamp(_ time: Date) -> String { time.formatted(.iso8601) }
}

/// Where the runs lie that gates compare with, as the user names them.
package struct ReferencePaths: Sendable, Hashable {
    /// A run folder or a file of rows: the value of `--baseline`.
    package var baseline: String?
    /// A history: the value of `--history`.
    package var history: String?

    package init(baseline: String? = nil, history: String? = nil) {
        (self.baseline, self.history) = (baseline, history)
    }

    package var isEmpty: Bool { self == ReferencePaths() }

    /// The option that names one, without its dashes.
    var named: String { baseline.map { "baseline \($0)" } ?? history.map { "history \($0)" } ?? "" }
}

extension WorkerProfile {
    /// The worker's ``variables`` that are set here, and that it therefore inherits.
    package var variablesSetHere: [String: String] {
        ProcessInfo.processInfo.environment.filter { variables.contains($0.key) }
    }

    /// The program with planted bugs if this environment plants one: the worker's own refuses it.
    package var asStartedHere: WorkerProfile {
        guard let bugs = plantedBugs, variablesSetHere[bugs.variable] != nil else { return self }
        return withPlantedBugs
    }
}

package enum VideoSettings: Sendable, Hashable {
    case fixture(length: Int64)
    case file(String)
    /// An address from which it is fetched once, unless it is longer.
    case url(URL, limit: ByteSize)

    /// The same in every run: the fixture's bytes encode only their position.
    package static let fixtureSeed: UInt64 = 1

    package func local() throws -> ReferenceVideo? {
        switch self {
        case .fixture(let length): try .fixture(seed: Self.fixtureSeed, length: length)
        case .file(let path): try .file(path, named: path)
        case .url: nil
        }
    }

    /// The video, fetched into a folder if it is elsewhere.
    package func reference(
        into folder: RunFolder, unless interruption: Interruption, warn: (String) -> Void
    ) async throws -> ReferenceVideo {
        switch self {
        case .fixture(let length): try .fixture(seed: Self.fixtureSeed, length: length)
        case .file(let path): try .file(path, named: path)
        case .url(let url, let limit):
            try await .fetch(url, into: folder, limit: limit, unless: interruption, warn: warn)
        }
    }
}
