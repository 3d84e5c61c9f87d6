internal import Fixture
package import FixtureOrigin
package import OriginFaults
package import RigModel

/// What all iterations of a run share: what was asked for, and where and with what it is done.
@dynamicMemberLookup
package struct LaboratorySettings: Sendable {
    package var spec: RunSpec
    /// The worker with its settings applied, its programs by their paths.
    package let worker: WorkerProfile
    /// What the origin serves, and how fast: one video, or those that a player switches between.
    package let resources: [Resource]
    /// The last part of the video's URL.
    package let fileName: String
    package let library: LibraryPlan
    /// The images' bytes, by number; empty for another workload.
    let pictures: [MemoryVideo]
    /// Served from the relaunch on, with another ETag, a player's of the same length; nil for none.
    package var successors: [Resource]?
    package var faultsAtRelaunch: [OriginFault] = []
    /// True if the origin's bandwidth is there only to spread kills: a relaunch is served without it.
    package var pacesOnlyKills = false
    /// The most bytes that the worker was told to keep; nil without a limit (C6).
    package var capacity: Int64?
    /// Asks questions about the recorded life of each iteration; nil in a run.
    package var explorer: (any CrashExplorer)?
    /// Called when an unharmed program that nothing asks to end has not ended for a while.
    package var stillRuns: (@Sendable () -> Void)?
    /// Syncs that the tracer makes for a recorded program; none in a run.
    package var placedSyncs: [PlacedSync] = []
    /// Whether it is noted what a relaunch reads; false in a run.
    package var notesReads = false
    /// The rig's own folder for the files of iterations in progress.
    package private(set) var scratch: String
    /// The volume on which the workers keep their state instead, when its power is to be cut.
    package private(set) var volume: PowerCutVolume?
    package let environment: [String: String]
    /// Seconds without a byte or a commit after which a worker counts as stuck.
    package let patienceSeconds: Double
    /// The `rig` program, which traces workers that are killed at system calls; nil where none is.
    package var rig: String?
    /// What workers are started through, to write only where the rig looks; nil for anywhere.
    package var confinement: String?

    package static let standardTimeLimit = 600.0
    package static let standardPatience = 30.0

    /// The resources are of the same length; the library is by default that of 512 KB.
    package init(
        _ spec: RunSpec = RunSpec(), worker: WorkerProfile, resources: [Resource],
        fileName: String, library: LibraryPlan = LibraryPlan(largest: 512 << 10), scratch: String,
        environment: [String: String],
        patienceSeconds: Double = LaboratorySettings.standardPatience
    ) {
        precondition(!resources.isEmpty, "an origin without a video has nothing to serve")
        // A program may change its working directory: a relative path would then lead elsewhere.
        precondition(scratch.hasPrefix("/"), "workers need absolute paths")
        (self.spec, self.worker, self.resources) = (spec, worker, resources)
        (self.fileName, self.scratch, self.environment) = (fileName, scratch, environment)
        (self.patienceSeconds, self.library) = (patienceSeconds, library)
        pictures = spec.workload == .offlineLibrary ? library.pictures : []
    }

    package subscript<Value>(dynamicMember path: KeyPath<RunSpec, Value>) -> Value {
        spec[keyPath: path]
    }

    var relaunch: Relaunch { spec.relaunch ?? .once }
    var grace: Grace { spec.grace ?? .standard }
    /// How the power cut of `power-cut-torn` is modelled.
    package var crashModel: CrashModel {
        get { spec.crashModel ?? CrashModel() }
        set { spec.crashModel = newValue }
    }
    var modelledDisk: DiskModel? {
        spec.fault == .powerCutTorn ? crashModel.disk : spec.callFailure?.afterSync?.disk
    }
    /// Seconds after which the rig ends a life that has not ended before.
    package var timeLimitSeconds: Double { spec.timeLimit ?? Self.standardTimeLimit }
    /// True if the origin's answers do not name their version by one strong validator.
    var hidesVersion: Bool { spec.originFaults?.contains(where: \.kind.facts.hidesVersion) == true }

    /// The same settings for another job, except where it keeps its files: in folders of its own.
    package func placed(in scratch: String, volume: PowerCutVolume?) -> LaboratorySettings {
        precondition(scratch.hasPrefix("/"), "workers need absolute paths")
        var settings = self
        settings.scratch = scratch
        settings.volume = volume
        return settings
    }

    package var served: Int64 { resources.reduce(0) { $0 + $1.source.length } }
    package var resource: Resource { resources[0] }

    /// The first video, as it is served until a kill: a pace spreads kills over the work, and at its
    /// end it would only make the launch longer.
    func resource(until kill: PlannedKill) -> Resource {
        pacesOnlyKills && kill.endingShare != nil ? resource.unpaced : resource
    }

    /// Served from the relaunch on: the pace ends with the kill, but for two instances (`isTwice`),
    /// which would not meet if one was done at once.
    func resourceAfterKill(isTwice: Bool) -> Resource {
        let served = successors?[0] ?? resource
        return pacesOnlyKills && !isTwice ? served.unpaced : served
    }

    /// True when the origin recovers after a relaunch: a program that gives up is started again.
    var hasPassingFaults: Bool { faultsAtRelaunch.contains { $0.times != nil } }

    /// True when a relaunched worker's requests say nothing about what it has kept.
    ///
    /// It may rightly request all of another version or video, and of a video whose length the
    /// origin does not say, or of which it refuses a part; and it gets more than is missing where the
    /// origin sends more than was asked for. A worker that got no such answer shows what it has kept.
    func answersOtherwise(_ requests: [LedgerEntry]) -> Bool {
        successors != nil || hasPassingFaults
            || requests.contains { request in
                request.method == "GET"
                    && request.strikes.contains { $0.isForRelaunch && $0.kind.facts.needs != nil }
            }
    }

    var contract: WorkerContract { contract(ofKill: 1) }

    /// What it offers and promises under the fault of a kill of a chain, counted from 1.
    func contract(ofKill number: Int) -> WorkerContract {
        WorkerContract(
            worker, fault: spec.fault.ofKill(number),
            bytesPerSecond: resource.bytesPerSecond.map { Int64($0) })
    }
}
