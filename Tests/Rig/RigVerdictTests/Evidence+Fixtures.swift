import RigModel
import RigVerdict

/// Evidence for tests: a healthy iteration, and everything in it that a bug may change.
///
/// 10 MB at 512 KB, killed at 3,000,000 bytes: five chunks of 524,288 bytes are safe, and the
/// 378,560 bytes after them are lost.
struct Scene {
    static let chunk: Int64 = 524_288
    static let video: Int64 = 10_485_760
    static let saved: Int64 = 5 * chunk
    static let reached: Int64 = 3_000_000

    var policy = Policy(threshold: ByteSize(bytes: chunk))
    var iteration = 1
    var trigger = Trigger.bytes(reached)
    var phase = Phase.committing
    var entries: [Phase: Int]?
    var fault = Fault.sigkill
    /// The kill's number in its chain, and the bytes stored before the life that it ended.
    var kill = 1
    var baseline: ByteRanges?
    /// The kills that follow in the chain.
    var laterKills = 0
    /// The relaunch was killed itself.
    var wasKilled = false
    var death = Death.signaled(9)
    var killSent = true
    var killSeconds = 0.25
    var hasWitness = true
    /// Why there is no page, if there is none.
    var witnessGap: WitnessGap?
    var commits = 5
    var witnessed: [WitnessedRequest] = [
        .ended(0, got: 2), .running(0, got: reached, saved: saved),
    ]
    var served: [ServedRequest]?
    var hasAutopsy = true
    var autopsyError: String?
    var integrityCheck = "ok"
    var chunks = (0..<5).map { index in
        StoredChunk.sound(index * chunk..<(index + 1) * chunk)
    }
    var claimed = ByteRanges([0..<saved])
    var hasResumption = true
    var resumptionDeath = Death.exited(0)
    var refetched = [saved..<video]
    var differing: Int64? = 0
    var cut: CutFile?
    var fileLength: Int64?
    var surplus: Int64?
    var idleFault: IdleFault?
    var complaint: String?
    var workload = Workload.download
    var expectedDeath = Death.exited(0)
    var played: Delivery?
    var playedOffline: Delivery?
    var playedAfterwards: Delivery?
    var library: LibraryEvidence?
    var capacity: Int64?
    var evictions: [WitnessedEviction]?
    var originChanged = false
    var calls: CountedCalls?
    var sockets: SocketReading?
    var contract = WorkerContract.reference
    var taken: ByteRanges?
    var takenLater: ByteRanges?
    var takenBefore: ByteRanges?
    var wrong: ByteRanges?
    var stale: ByteRanges?
    var givenUp: String?
    var lives: [LifeEnd] = []
    var outlived: [String] = []
    var asked: AskedEnd?
    var isVersionBefore: Bool?
    var notKept: ByteRanges?
    var lacksItsFile: Bool?
    var check: CheckEvidence?

    /// The same kill under `disabled`: nothing is saved and everything is fetched again.
    static var disabled: Scene {
        var scene = Scene()
        scene.policy = Policy(threshold: nil)
        scene.commits = 0
        scene.witnessed = [.ended(0, got: 2), .running(0, got: reached)]
        scene.keep()
        return scene
    }

    /// A launch in which a write of a full disk failed, and how it ended; no bound is promised then.
    static func failing(_ death: Death, work: LifeEnd.Work? = nil) -> Scene {
        let call = FailedCall(.enospc, ordinal: 7, name: "write", file: "data.tmp", length: 4096)
        var end = LifeEnd(
            .struck, death, expectedDeath: death.isAnswerToAnError ? death : .exited(0), work: work)
        end.failedCall = call.words
        return Scene().with {
            $0.fault = .callError
            $0.trigger = .syscall(CallMoment(ordinal: 7, edge: .before))
            $0.death = death
            $0.calls = CountedCalls(counted: 7, last: nil, failed: call)
            $0.lives = [end]
            $0.contract = WorkerContract(
                hasWitness: true, hasInspection: true, bound: nil, isReference: true)
        }
    }

    /// A launch whose disk was full from its planned moment on, and how it ended.
    static func full(_ death: Death, work: LifeEnd.Work? = nil) -> Scene {
        let isAnswer = death.isAnswerToAnError || death.isAnswerToAFullDisk
        var end = LifeEnd(
            .struck, death, expectedDeath: isAnswer ? death : .exited(0), work: work)
        end.failedCall = Fault.diskFull.met
        return failing(death).with {
            $0.fault = .diskFull
            $0.trigger = .bytes(reached)
            $0.calls = nil
            $0.lives = [end]
        }
    }

    /// A kill of a program that downloads nothing, with what its check has found.
    static func program(_ check: CheckEvidence) -> Scene {
        Scene().with {
            $0.workload = .check
            $0.policy = Policy.program
            $0.trigger = .said(3)
            $0.hasWitness = false
            $0.hasAutopsy = false
            $0.served = []
            $0.refetched = []
            $0.differing = nil
            $0.contract = WorkerContract(
                hasWitness: false, hasInspection: false, bound: nil, asksOrigin: false)
            $0.check = check
        }
    }

    /// The scene with a change.
    func with(_ change: (inout Scene) -> Void) -> Scene {
        var scene = self
        change(&scene)
        return scene
    }

    /// All of the video had come.
    mutating func receiveAll(active: Int) {
        sockets = SocketReading(received: ByteRanges([0..<Self.video]), activeRequests: active)
        served = [ServedRequest(requested: 0..<Self.video, servedBytes: Self.video)]
    }

    /// All of it was kept, and nothing is fetched again.
    mutating func keepAll() {
        refetched = []
        taken = ByteRanges()
    }

    /// These ranges were kept, each as one chunk, and what is missing is fetched again.
    mutating func keep(_ kept: Range<Int64>...) {
        chunks = kept.map { StoredChunk.sound($0) }
        claimed = ByteRanges(kept)
        refetched = ByteRanges([0..<Self.video]).subtracting(claimed).ranges
    }

    /// The worker ended by itself, and no kill was sent.
    mutating func end(_ death: Death) { (killSent, self.death) = (false, death) }

    /// The worker is a proxy for a player, which is asked to end after the relaunch.
    mutating func serve() {
        workload = .playback
        (expectedDeath, resumptionDeath) = (Death.exited(143), Death.exited(143))
    }

    /// The relaunch asks for these bytes, and takes them.
    mutating func fetch(_ range: Range<Int64>) {
        (refetched, taken) = ([range], ByteRanges([range]))
    }

    /// These bytes of the completed file are wrong.
    mutating func spoil(_ range: Range<Int64>) {
        (differing, wrong) = (range.upperBound - range.lowerBound, ByteRanges([range]))
    }

    /// The scene with one chunk replaced.
    func withChunk(_ index: Int, _ chunk: StoredChunk) -> Scene {
        with { $0.chunks[index] = chunk }
    }

    var judged: Judgement { Judge.judge(evidence) }

    /// The checkers with a finding, each as often as it has one.
    var found: [Checker] { judged.findings.map(\.checker) }

    /// What the origin served: the received ranges, unless the scene says otherwise.
    private var requests: [ServedRequest] {
        if let served { return served }
        return witnessed.compactMap { request in
            guard (0..<Self.video).contains(request.start),
                (0...Self.video - request.start).contains(request.received)
            else { return nil }
            return ServedRequest(
                requested: request.start..<Self.video, servedBytes: request.received)
        }
    }

    var evidence: IterationEvidence {
        var resumption = Resumption(
            death: resumptionDeath, expectedDeath: expectedDeath,
            requests: refetched.map { range in
                ServedRequest(requested: range, servedBytes: range.upperBound - range.lowerBound)
            }, recoverySeconds: 0.0125, resumeSeconds: 0.02, differingBytes: differing,
            firstDifference: nil, complaint: complaint, wasKilled: wasKilled, taken: taken,
            wrong: wrong, stale: stale, isVersionBefore: isVersionBefore,
            notKept: notKept, cut: cut)
        resumption.takenLater = takenLater
        resumption.fileLength = fileLength
        resumption.surplus = surplus
        resumption.idleFault = idleFault
        let kills = (1...kill + laterKills).map {
            PlannedKill(kill: $0, trigger: trigger, delaySeconds: 0.001)
        }
        var evidence = IterationEvidence(
            plan: PlannedIteration(iteration: iteration, policy: policy, kills: kills, seed: 7),
            kill: kill, baseline: baseline, fault: fault, workload: workload,
            videoLength: Self.video, death: death,
            killSent: killSent, killSeconds: killSeconds, killFraction: 0.3, requests: requests,
            witness: hasWitness
                ? WitnessReading(
                    phase: phase, commits: commits, requests: witnessed, entries: entries,
                    evictions: evictions) : nil,
            autopsy: hasAutopsy
                ? Autopsy(
                    integrityCheck: integrityCheck, chunks: chunks, claimedRanges: claimed,
                    firstDifference: nil) : nil,
            autopsyError: autopsyError, resumption: hasResumption ? resumption : nil,
            played: played, playedOffline: playedOffline, playedAfterwards: playedAfterwards,
            library: library, capacity: capacity, originChanged: originChanged,
            calls: calls, sockets: sockets, contract: contract, givenUp: givenUp, lives: lives,
            witnessGap: witnessGap)
        evidence.outlived = outlived
        evidence.asked = asked
        evidence.takenBefore = takenBefore
        evidence.lacksItsFile = lacksItsFile
        evidence.check = check
        return evidence
    }
}

extension Judgement {
    func row(_ worker: String) -> IterationRow {
        row(runID: "run", worker: worker, workload: "download")
    }
}

/// What a worker of each level of evidence promises.
extension WorkerContract {
    static func blackBox(_ bound: LossBound?) -> Self {
        Self(hasWitness: false, hasInspection: false, bound: bound)
    }

    static func inspected(_ bound: LossBound?) -> Self {
        Self(hasWitness: false, hasInspection: true, bound: bound)
    }

    static func paged(_ bound: LossBound?) -> Self {
        Self(hasWitness: true, hasInspection: false, bound: bound)
    }

    static func full(_ bound: LossBound?) -> Self {
        Self(hasWitness: true, hasInspection: true, bound: bound)
    }
}

extension WitnessedRequest {
    /// A request that was under way at the kill.
    static func running(_ start: Int64, got: Int64, saved: Int64 = 0) -> Self {
        Self(start: start, received: got, acknowledged: saved, isActive: true)
    }

    /// A request that had ended by then.
    static func ended(_ start: Int64, got: Int64, saved: Int64 = 0) -> Self {
        Self(start: start, received: got, acknowledged: saved, isActive: false)
    }
}

extension StoredChunk {
    /// A chunk as it was received.
    static func sound(_ range: Range<Int64>) -> Self {
        Self(range: range, checksumMatches: true, differingBytes: 0)
    }
}

extension Delivery {
    /// A player's delivery of these positions, without errors.
    static func of(_ range: Range<Int64>) -> Delivery {
        var delivery = Delivery()
        delivery.requests = 1
        delivery.delivered = ByteRanges([range])
        return delivery
    }
}

extension SocketReading {
    /// A range taken by one request, which is active.
    static func taken(_ range: Range<Int64>) -> Self {
        Self(received: ByteRanges([range]), activeRequests: 1)
    }

    /// Ranges taken, each on its own connection; the requests of the first ones are active.
    init(received: ByteRanges, activeRequests: Int) {
        let none = Array(repeating: Int64(0)..<0, count: activeRequests)
        let ranges = received.ranges + none.dropFirst(received.ranges.count)
        self.init(
            answers: ranges.enumerated().map { index, range in
                let isActive = index < activeRequests
                return TakenAnswer(
                    taken: range, isWhole: false, isUnderWay: isActive, isBeingRead: isActive)
            })
    }
}

extension TakenAnswer {
    /// An answer that was being read at the kill.
    static func running(_ taken: Range<Int64>) -> Self {
        Self(taken: taken, isWhole: false, isUnderWay: true, isBeingRead: true)
    }

    /// An answer that was given up before its end.
    static func givenUp(_ taken: Range<Int64>) -> Self {
        Self(taken: taken, isWhole: false, isUnderWay: true, isBeingRead: false)
    }

    /// A whole answer, read so shortly before the kill that it may not be saved yet.
    static func saving(_ taken: Range<Int64>) -> Self {
        Self(taken: taken, isWhole: true, isUnderWay: true, isBeingRead: false)
    }
}

extension Scene {
    /// A request was cancelled, and the bytes of its last read were dropped.
    static let cancelled = playback.with {
        $0.witnessed[1] = .ended(0, got: saved, saved: saved)
        $0.sockets = SocketReading(answers: [.givenUp(0..<saved + 16_384)])
        $0.served = [ServedRequest(requested: 0..<video, servedBytes: video)]
    }
}
