/// How a process ended.
package enum Death: Sendable, Hashable, Codable {
    /// It ended by itself with this exit code.
    case exited(Int32)
    /// A signal ended it.
    case signaled(Int32)

    /// `exit code 3`, `signal 11`.
    package var words: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signaled(let signal): "signal \(signal)"
        }
    }
}

/// One request as the origin saw it.
package struct ServedRequest: Sendable, Hashable, Codable {
    /// The byte positions of the video that the request asked for, clamped to the video.
    package let requested: Range<Int64>
    /// Bytes of the body that were handed to the kernel.
    package let servedBytes: Int64

    /// One request.
    package init(requested: Range<Int64>, servedBytes: Int64) {
        self.requested = requested
        self.servedBytes = servedBytes
    }
}

/// A place where stored or delivered bytes differ from the video's.
package struct Difference: Sendable, Hashable, Codable {
    /// Where, in the video, the sample starts.
    package let offset: Int64
    /// The bytes found there, at most 128.
    package let found: [UInt8]
    /// The bytes that belong there.
    package let expected: [UInt8]
    /// What the bytes turn out to be (a hole, shifted, stale …); nil when that was not asked.
    package let diagnosis: String?

    /// A sample of what was found beside what belongs there.
    package init(offset: Int64, found: [UInt8], expected: [UInt8], diagnosis: String? = nil) {
        self.offset = offset
        self.found = found
        self.expected = expected
        self.diagnosis = diagnosis
    }
}

/// One stored chunk, as the rig's own query read it from a copy.
package struct StoredChunk: Sendable, Hashable, Codable {
    /// The byte positions the chunk says it holds.
    package let range: Range<Int64>
    /// True when the stored checksum equals that of the stored bytes; nil where none is kept, so that
    /// nothing but the video's bytes can give a wrong one away.
    package let checksumMatches: Bool?
    /// How many of its bytes differ from the video's.
    package let differingBytes: Int64

    /// A chunk.
    package init(range: Range<Int64>, checksumMatches: Bool?, differingBytes: Int64) {
        self.range = range
        self.checksumMatches = checksumMatches
        self.differingBytes = differingBytes
    }

    /// True when a reader may be served from it: right by its own checksum, where there is one, and by
    /// the origin.
    package var isRecovered: Bool { !isGivenAway && differingBytes == 0 }

    /// True when its own checksum says that it is damaged.
    package var isGivenAway: Bool { checksumMatches == false }
}

/// The state as the kill left it, read from a copy before anything was relaunched.
package struct Autopsy: Sendable, Hashable, Codable {
    /// What the database's own integrity check says; `ok` when nothing is wrong.
    package let integrityCheck: String
    /// The stored chunks, ascending by offset.
    package let chunks: [StoredChunk]
    /// The ranges that the worker's own table claims to hold.
    package let claimedRanges: ByteRanges
    /// The first place where stored bytes differ from the video's.
    package let firstDifference: Difference?

    /// An autopsy's findings.
    package init(
        integrityCheck: String, chunks: [StoredChunk], claimedRanges: ByteRanges,
        firstDifference: Difference?
    ) {
        self.integrityCheck = integrityCheck
        self.chunks = chunks
        self.claimedRanges = claimedRanges
        self.firstDifference = firstDifference
    }

    /// Positions found after the kill that equal the origin's.
    package var recovered: ByteRanges {
        ByteRanges(chunks.filter(\.isRecovered).map(\.range))
    }

    /// Stored bytes unlike the origin's.
    package var corruptBytes: Int64 { chunks.reduce(0) { $0 + $1.differingBytes } }

    /// Stored bytes unlike the origin's that no checksum gives away.
    package var undetectedBytes: Int64 {
        chunks.reduce(0) { $0 + ($1.isGivenAway ? 0 : $1.differingBytes) }
    }
}

/// How the relaunched worker got on.
package struct Resumption: Sendable, Hashable, Codable {
    /// How the relaunched worker ended.
    package let death: Death
    /// How a worker ends that has completed its work: by exit code 0, or by the code of one that was
    /// asked to end.
    package let goodDeath: Death
    /// What it asked the origin for.
    package let requests: [ServedRequest]
    /// From relaunch until the worker knew what it had; nil when not known.
    package let recoverySeconds: Double?
    /// From relaunch to the first new byte; nil when not known.
    package let resumeSeconds: Double?
    /// Bytes of the completed file unlike the video's, missing and surplus ones included; nil
    /// when there is no completed file.
    package let differingBytes: Int64?
    /// The first place where the completed file differs.
    package let firstDifference: Difference?
    /// Why there is no completed file: the last lines of the worker's log.
    package let complaint: String?
    /// True when the relaunched worker was killed in its turn: it was not left to finish (B6).
    package let wasKilled: Bool
    /// The positions that it took off its sockets, by the kernel's count; nil when not known.
    ///
    /// A program that asks for all and closes the connection once it has its share has requested
    /// more than it took.
    package let taken: ByteRanges?
    /// The positions at which the completed file is unlike the video, missing ones included; nil
    /// when there is no completed file, or that was not looked at.
    package let wrong: ByteRanges?
    /// The positions at which the completed file is unlike the video, those behind its end
    /// included, and equals the version that the origin had before the kill; nil where the origin
    /// has not changed.
    package let stale: ByteRanges?
    /// True where the completed file is that version, byte for byte; nil where the origin has not
    /// changed.
    package let isVersionBefore: Bool?

    /// What was observed of a relaunch.
    package init(
        death: Death, goodDeath: Death = .exited(0), requests: [ServedRequest],
        recoverySeconds: Double?, resumeSeconds: Double?, differingBytes: Int64?,
        firstDifference: Difference?, complaint: String?, wasKilled: Bool = false,
        taken: ByteRanges? = nil,
        wrong: ByteRanges? = nil, stale: ByteRanges? = nil, isVersionBefore: Bool? = nil
    ) {
        self.death = death
        self.goodDeath = goodDeath
        self.requests = requests
        self.recoverySeconds = recoverySeconds
        self.resumeSeconds = resumeSeconds
        self.differingBytes = differingBytes
        self.firstDifference = firstDifference
        self.complaint = complaint
        self.wasKilled = wasKilled
        self.taken = taken
        self.wrong = wrong
        self.stale = stale
        self.isVersionBefore = isVersionBefore
    }

    /// True when it ended as a worker does that has completed its work.
    package var endedWell: Bool { death == goodDeath && !wasKilled }

    /// True where it called the whole version before completed: right bytes, of a version that the
    /// origin has no more.
    package var isStale: Bool { endedWell && isVersionBefore == true }

    /// The byte positions asked for again.
    package var refetched: ByteRanges { ByteRanges(requests.map(\.requested)) }
}

/// Everything observed in one iteration: what a verdict is made from, and nothing else.
package struct IterationEvidence: Sendable, Hashable, Codable {
    /// What had been planned.
    package let plan: PlannedIteration
    /// Counted from 1: the kill within the iteration.
    package let kill: Int
    /// What was there before the life that the kill ended: recovered after the kill before it, or
    /// after a first life that ended in good order; nil for a life that began with nothing (B6).
    package let baseline: ByteRanges?
    /// The fault.
    package let fault: Fault
    /// What the worker was doing.
    package let workload: Workload
    /// Length of the video in bytes; of several videos, laid end to end, their lengths together.
    package let videoLength: Int64
    /// How the killed process ended.
    package let death: Death
    /// True when the rig sent its signal while the process was alive.
    package let killSent: Bool
    /// From launch to the kill; nil when no kill was sent.
    package let killSeconds: Double?
    /// From the first byte received to the kill, as a fraction of the uninterrupted run; nil when
    /// not known.
    package let killFraction: Double?
    /// The fraction of an unharmed life by which that had received as much as the killed one; nil
    /// when not known, and where no clock timed the kill.
    package var killProgress: Double?
    /// What the origin served before the kill.
    package let requests: [ServedRequest]
    /// The witness page after death; nil when the worker wrote none.
    package let witness: WitnessReading?
    /// Why the page gives no reading; nil when it does, and in what an earlier version of the rig kept.
    package let witnessGap: WitnessGap?
    /// What the kernel says of the worker's sockets at the kill; nil when nobody looked.
    package let sockets: SocketReading?
    /// What the worker's profile offers and promises.
    package let contract: WorkerContract
    /// The state as the kill left it; nil when it could not be read.
    package let autopsy: Autopsy?
    /// Why there is no autopsy.
    package let autopsyError: String?
    /// The relaunch; nil when there was none.
    package let resumption: Resumption?
    /// What a player was handed before the kill; nil without a player.
    package let played: Delivery?
    /// What a player was handed after a relaunch with the origin stopped; nil without a player.
    package let playedOffline: Delivery?
    /// What a player was handed after a relaunch with the origin there; nil without a player.
    package let playedAfterwards: Delivery?
    /// The list and the images; nil unless they are the workload.
    package let library: LibraryEvidence?
    /// The most bytes that the worker was told to keep; nil for more than there are (C6).
    package let capacity: Int64?
    /// True when the origin answered otherwise after the relaunch than before, by another version of
    /// the video or by no ranges: what was asked for then says nothing of what was kept.
    package let originChanged: Bool
    /// What the tracer counted; nil where the kill was not planned by calls.
    package let calls: CountedCalls?
    /// What made the rig give up on the worker before its kill; nil when it did not.
    package let givenUp: String?
    /// Nil in what an earlier version of the rig kept.
    private var livesBegun: Int?
    /// How the lives ended that no kill ended, as far as more is known of them than the rest of the
    /// evidence says; at most one of each kind.
    package var lives: [LifeEnd] {
        get { lifeEnds ?? [] }
        set { lifeEnds = newValue }
    }
    /// The worker's processes that were still there when the kill had ended it, each by its name and
    /// number.
    package var outlived: [String] {
        get { processesLeft ?? [] }
        set { processesLeft = newValue }
    }
    /// Nil in evidence from before such processes were looked for.
    private var processesLeft: [String]?
    /// Nil in evidence from before lives were told apart.
    private var lifeEnds: [LifeEnd]?

    /// Everything observed in one iteration.
    package init(
        plan: PlannedIteration, kill: Int, baseline: ByteRanges? = nil, fault: Fault,
        workload: Workload = .download,
        videoLength: Int64, death: Death, killSent: Bool, killSeconds: Double?,
        killFraction: Double?, requests: [ServedRequest], witness: WitnessReading?,
        autopsy: Autopsy?, autopsyError: String?, resumption: Resumption?,
        played: Delivery? = nil, playedOffline: Delivery? = nil,
        playedAfterwards: Delivery? = nil, library: LibraryEvidence? = nil,
        capacity: Int64? = nil, originChanged: Bool = false, calls: CountedCalls? = nil,
        sockets: SocketReading? = nil, contract: WorkerContract = .reference,
        givenUp: String? = nil, attempts: Int = 1, lives: [LifeEnd] = [],
        witnessGap: WitnessGap? = nil
    ) {
        self.plan = plan
        self.kill = kill
        self.baseline = baseline
        self.fault = fault
        self.workload = workload
        self.videoLength = videoLength
        self.death = death
        self.killSent = killSent
        self.killSeconds = killSeconds
        self.killFraction = killFraction
        self.requests = requests
        self.witness = witness
        self.witnessGap = witnessGap
        self.autopsy = autopsy
        self.autopsyError = autopsyError
        self.resumption = resumption
        self.played = played
        self.playedOffline = playedOffline
        self.playedAfterwards = playedAfterwards
        self.library = library
        self.capacity = capacity
        self.originChanged = originChanged
        self.calls = calls
        self.sockets = sockets
        self.contract = contract
        self.givenUp = givenUp
        self.livesBegun = attempts
        self.lifeEnds = lives
        self.processesLeft = nil
    }

    /// How many lives were begun for this kill: 1 where the first of them came to it.
    package var attempts: Int {
        get { livesBegun ?? 1 }
        set { livesBegun = newValue }
    }

    /// True when a worker that was left alone did its work and nothing that it left is wrong.
    ///
    /// Only then may an iteration whose moment did not come be begun anew: what went wrong in it
    /// has to be judged.
    package var isUneventful: Bool {
        guard let resumption, !killSent && death == resumption.goodDeath || isKilledAfterItsWork,
            resumption.endedWell,
            resumption.differingBytes == 0
                || resumption.isStale && contract.revalidates != true,
            lives.allSatisfy({ $0.isGood && $0.isComplete || killSent && $0.life == .struck }),
            played.isUneventful, playedOffline.isUneventful, playedAfterwards.isUneventful
        else { return false }
        guard let autopsy else { return !contract.hasInspection }
        guard autopsy.integrityCheck == "ok", autopsy.chunks.allSatisfy(\.isRecovered),
            autopsy.claimedRanges == ByteRanges(autopsy.chunks.map(\.range))
        else { return false }
        guard let witness else { return true }
        let safe =
            capacity == nil
            ? witness.acknowledged
            : EvictionLedger(witness, stays: autopsy.recovered).acknowledged
        return safe.subtracting(autopsy.recovered).isEmpty
    }

    /// True where the kill came while the process still ran, and had nothing left to lose: all had
    /// been kept, and a worker with a page had said so.
    private var isKilledAfterItsWork: Bool {
        let video = ByteRanges([0..<videoLength])
        return killSent && !fault.isPowerCut && death == .signaled(fault.signal)
            && autopsy?.recovered == video
            && witness.map { $0.acknowledged.union(baseline ?? ByteRanges()) == video } ?? true
    }

    /// True where the worker had done its work, as it should, before a kill that is planned by what a
    /// life does while it lasts.
    package var wasMissed: Bool {
        switch planned.trigger {
        case .time, .flowing: isUneventful
        // What is left of the work for a later life of a chain depends on the kills before.
        case .bytes: kill > 1 && isUneventful
        default: false
        }
    }

    /// True when it is known what the life began with that the kill ended.
    ///
    /// Before it there may have been another life, and what that left is known by inspection only.
    package var beganWithKnown: Bool { isOfFirstLife || contract.hasInspection }

    /// True where no life came before the one that the kill ended.
    package var isOfFirstLife: Bool {
        guard kill == 1 else { return false }
        guard case .phase(let phase) = plan.first.trigger else { return true }
        return !workload.needsEarlierLife(phase)
    }

    /// The kill as it had been planned.
    package var planned: PlannedKill { plan.kills[kill - 1] }
}

extension Delivery? {
    /// True where nothing wrong was handed to a player, or there is none.
    fileprivate var isUneventful: Bool {
        self.map { $0.faults.isEmpty && $0.wrongBytes == 0 } ?? true
    }
}
