package enum Death: Sendable, Hashable, Codable {
    case exited(Int32)
    case signaled(Int32)

    package var words: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signaled(let signal): "signal \(signal)"
        }
    }
}

package struct ServedRequest: Sendable, Hashable, Codable {
    /// The byte positions of the video that the request asked for, clamped to the video.
    package let requested: Range<Int64>
    /// Bytes of the body that were handed to the kernel.
    package let servedBytes: Int64

    package init(requested: Range<Int64>, servedBytes: Int64) {
        (self.requested, self.servedBytes) = (requested, servedBytes)
    }
}

package struct Difference: Sendable, Hashable, Codable {
    package let offset: Int64
    /// The bytes found there, at most 128.
    package let found: [UInt8]
    package let expected: [UInt8]
    /// A classification of the bytes found (a hole, shifted, stale …); nil when not examined.
    package let diagnosis: String?

    package init(offset: Int64, found: [UInt8], expected: [UInt8], diagnosis: String? = nil) {
        (self.offset, self.found, self.expected) = (offset, found, expected)
        self.diagnosis = diagnosis
    }
}

/// Everything observed in one iteration, and the only input of its verdict.
package struct IterationEvidence: Sendable, Hashable, Codable {
    package let plan: PlannedIteration
    package let kill: Int
    /// What was stored before the killed life; nil if it began with empty state (B6).
    package let baseline: ByteRanges?
    package let fault: Fault
    package let workload: Workload
    /// Length of the video in bytes; for several videos, laid end to end, the sum of their lengths.
    package let videoLength: Int64
    package let death: Death
    /// True when the rig sent its signal while the process was still alive, or made its call fail.
    package let killSent: Bool
    /// From launch to the kill in seconds; nil when no kill was sent.
    package let killSeconds: Double?
    /// From the first byte to the kill, as a fraction of the uninterrupted run; nil if unknown.
    package let killFraction: Double?
    /// The fraction of an unharmed launch by what was received, or of a recovery; nil if unknown.
    package var killProgress: Double?
    package let requests: [ServedRequest]
    /// The witness page after death; nil when the worker wrote none.
    package let witness: WitnessReading?
    /// Why the page gives no reading; nil when it does.
    package let witnessGap: WitnessGap?
    package let sockets: SocketReading?
    package let contract: WorkerContract
    package private(set) var autopsy: Autopsy?
    package let autopsyError: String?
    package private(set) var resumption: Resumption?
    package let played: Delivery?
    /// What a player received after a relaunch with the origin stopped; nil without a player.
    package let playedOffline: Delivery?
    /// What a player received after a relaunch with the origin running; nil without a player.
    package let playedAfterwards: Delivery?
    package let library: LibraryEvidence?
    /// The worker's capacity limit in bytes; nil without a limit (C6).
    package let capacity: Int64?
    /// True when answers changed at the relaunch, so that requests say nothing about what was kept.
    package let originChanged: Bool
    /// What the tracer counted; nil for kills not planned by system calls.
    package let calls: CountedCalls?
    /// Why the rig gave up on the worker before its kill; nil when it did not.
    package let givenUp: String?
    /// How many lives were started for this kill: 1 if the first reached it.
    package var livesBegun = 1
    /// How launches ended that were not killed, as far as more is known; at most one of each kind.
    package var lives: [LifeEnd] {
        get { lifeEnds ?? [] }
        set { lifeEnds = newValue }
    }
    /// How many states of a modelled power cut were tried; this is the last one if it fails, else
    /// the first; nil for other faults.
    package var crashStates: Int?
    /// How much of a sweep these states are; nil where they were drawn.
    package var sweep: SweepCoverage?
    /// What the killed launch did unseen by a modelled power cut, in words; nil for nothing.
    package var unseen: [String]?
    /// What was not synced at a modelled power cut, by file; nil for other faults.
    package var unsynced: [UnsyncedFileFacts]?
    package var cost: LaunchCost?
    package var check: CheckEvidence?
    /// How the worker was asked to end; nil for other faults, and where it was not asked.
    package var asked: AskedEnd?
    /// True when its own command had not yet made the whole file at the kill; nil where not known.
    package var lacksItsFile: Bool?
    /// How the worker was started again; nil for once.
    package var relaunch: Relaunch?
    /// True when no strong validator named the version of an answer, or not the same one in each.
    package var hidesVersion: Bool {
        get { answersHideVersion ?? false }
        set { answersHideVersion = newValue }
    }
    private var answersHideVersion: Bool?
    /// True when what the relaunch did not request shows what was kept: not with another version,
    /// one that cannot be told from another, or two instances.
    package var requestsShowWhatWasKept: Bool {
        !originChanged && !hidesVersion && relaunch != .twice
    }
    /// True when the relaunch was served another version, or another video.
    package var isOtherVersion: Bool {
        relaunch == .other || originChanged && (workload != .download || resumption?.stale != nil)
    }
    /// What the launches of a chain before this one may have taken; nil if unknown.
    package var takenBefore: ByteRanges?
    /// The worker's processes that survived the kill, each as its name and process id.
    package var outlived: [String] {
        get { processesLeft ?? [] }
        set { processesLeft = newValue }
    }
    private var processesLeft: [String]?
    private var lifeEnds: [LifeEnd]?

    package init(
        plan: PlannedIteration, kill: Int, baseline: ByteRanges? = nil, fault: Fault,
        workload: Workload = .download, videoLength: Int64, death: Death, killSent: Bool,
        killSeconds: Double? = nil, killFraction: Double? = nil, requests: [ServedRequest] = [],
        witness: WitnessReading? = nil, autopsy: Autopsy? = nil, autopsyError: String? = nil,
        resumption: Resumption? = nil, played: Delivery? = nil, playedOffline: Delivery? = nil,
        playedAfterwards: Delivery? = nil, library: LibraryEvidence? = nil, capacity: Int64? = nil,
        originChanged: Bool = false, calls: CountedCalls? = nil, sockets: SocketReading? = nil,
        contract: WorkerContract = .reference, givenUp: String? = nil,
        lives: [LifeEnd] = [], witnessGap: WitnessGap? = nil
    ) {
        (self.plan, self.kill, self.baseline, self.fault) = (plan, kill, baseline, fault)
        (self.workload, self.videoLength, self.death) = (workload, videoLength, death)
        (self.killSent, self.killSeconds) = (killSent, killSeconds)
        (self.killFraction, self.requests) = (killFraction, requests)
        (self.witness, self.witnessGap) = (witness, witnessGap)
        (self.autopsy, self.autopsyError) = (autopsy, autopsyError)
        (self.resumption, self.played, self.library) = (resumption, played, library)
        (self.playedOffline, self.playedAfterwards) = (playedOffline, playedAfterwards)
        (self.capacity, self.originChanged, self.calls) = (capacity, originChanged, calls)
        (self.sockets, self.contract, self.givenUp) = (sockets, contract, givenUp)
        lifeEnds = lives
    }

    /// The same without the state after the kill: after what a modelled power cut does not know
    /// (``unseen``), no disk can have that state.
    package var withoutTheState: Self {
        var evidence = self
        evidence.autopsy = nil
        evidence.resumption = nil
        evidence.check = nil
        evidence.lives.removeAll { [.offline, .relaunched, .beside, .again].contains($0.life) }
        return evidence
    }

    /// True when a worker that no kill ended did its work rightly: only then is its moment tried
    /// again.
    package var isUneventful: Bool {
        if let check {
            return death == .exited(0) && asked == nil && check.isSound
                && lives.allSatisfy(\.isGood)
        }
        guard let resumption,
            death == resumption.expectedDeath && (!killSent || death == .exited(0))
                || isKilledAfterItsWork,
            resumption.endedWell,
            resumption.differingBytes == 0 || resumption.isStale && contract.revalidates != true,
            lives.allSatisfy({ $0.isGood && $0.isComplete || killSent && $0.life == .struck }),
            lives.allSatisfy(\.remembersAll),
            played.isUneventful, playedOffline.isUneventful, playedAfterwards.isUneventful
        else { return false }
        guard let autopsy else { return !contract.hasInspection }
        guard autopsy.integrityCheck == "ok", autopsy.chunks.allSatisfy(\.isRecovered),
            autopsy.claimedRanges == ByteRanges(autopsy.chunks.map(\.range))
        else { return false }
        guard let witness, plan.policy.survives(fault) else { return true }
        let safe =
            capacity == nil
            ? witness.acknowledged
            : EvictionLedger(witness, stays: autopsy.recovered).acknowledged
        return safe.subtracting(autopsy.recovered).isEmpty
    }

    /// True when it was killed while running, but had stored, and acknowledged, all that it must.
    private var isKilledAfterItsWork: Bool {
        guard killSent, diedOfItsFault else { return false }
        let video = ByteRanges([0..<videoLength])
        let isAcknowledged = witness.map {
            $0.acknowledged.union(baseline ?? ByteRanges()) == video
        }
        let isKept = autopsy?.recovered == video
        return plan.policy.survives(fault)
            ? isKept && isAcknowledged ?? true : isAcknowledged ?? isKept
    }

    /// True when the work was done, rightly, before a kill whose moment depends on progress.
    package var wasMissed: Bool {
        switch planned.trigger {
        case .time, .flowing, .said: isUneventful || repeatsDoneWork
        // One that everything had been kept before came at its moment all the same.
        case .ending: death == .exited(0) && isUneventful || repeatsDoneWork
        // In a chain, earlier kills determine how much work is left for later lives.
        case .bytes, .recovery: kill > 1 && isUneventful || isUnhindered
        default: false
        }
    }

    /// True when the launch to be killed had made its file before, rightly, and the next one ended
    /// with an error, about which only `--relaunch again` asks.
    package var repeatsDoneWork: Bool {
        guard kill == 1, planned.trigger != .never,
            let resumption, !resumption.wasKilled, resumption.differingBytes ?? 0 == 0,
            case .exited(let code) = resumption.death, code != 0,
            !resumption.death.isReportOfAShell,
            // One that has reported an error after a failing call has not called its work done.
            !fault.letsItGoOn || death == .exited(0)
        else { return false }
        if killSent { return lacksItsFile == false }
        return death == .exited(0) && lives.first { $0.life == .struck }?.work?.differingBytes == 0
    }

    package var beganWithKnown: Bool { isOfFirstLife || contract.hasInspection || baseline != nil }

    package var isOfFirstLife: Bool { kill == 1 && !workload.needsEarlierLife(plan) }

    package var planned: PlannedKill { plan.kills[kill - 1] }
    package var failedCall: FailedCall? { fault == .callError ? calls?.failed : nil }

    /// What it met that it could not write as it wanted, in words; nil for nothing.
    package var failure: String? { failedCall?.words ?? (killSent ? fault.met : nil) }

    /// True when it did its work, rightly, although its disk was full: that was not in its way.
    package var isUnhindered: Bool {
        !fault.hasMoment && killSent && death == .exited(0) && isUneventful
            && lives.allSatisfy(\.isComplete)
    }

    /// True for a kill in its phase; without a page, recovering lasts until the first new byte.
    package var isInItsPhase: Bool {
        guard let phase = planned.trigger.phase else { return false }
        if let witness { return witness.phase == phase }
        return planned.recoveryShare != nil && killSent
            && sockets?.mostTaken?.isEmpty ?? requests.allSatisfy { $0.servedBytes == 0 }
    }
}

extension Delivery? {
    fileprivate var isUneventful: Bool {
        self.map { $0.faults.isEmpty && $0.wrongBytes == 0 } ?? true
    }
}
