internal import RigModel
internal import StorageModel

/// The lives of one iteration, each but the last ended by a kill, and what each kill left (B6, T4).
struct Chain: Sendable {
    let plan: PlannedIteration
    let settings: LaboratorySettings
    let videoLength: Int64
    let pace: UninterruptedPace
    var baseline: ByteRanges?
    let lives: [KilledRun]
    let autopsies: [StateExamination?]
    /// The last life, which was not killed; nil where the worker was not started again.
    let last: Resumption?
    /// How the unharmed lives ended before the first kill.
    var before: [LifeEnd] = []
    /// How the unharmed lives ended after the last kill.
    let after: [LifeEnd]
    var isAnsweredOtherwise = false
    /// How long the recovery of the last life took, in seconds; nil if unknown.
    var lastRecovery: Double?
    var playedOffline: Delivery?
    var playedAfterwards: Delivery?
    /// The lists and images of a library, which promises what the reference does; nil for videos.
    var library: LibraryEvidence?

    /// The recoveries from a kill that no other kill ended, in seconds, in order.
    var recoveries: [Double] {
        (lives.dropFirst().map(\.seen.recovery.seconds) + [lastRecovery]).compactMap(\.self)
    }

    private var expectedDeath: Death { last?.expectedDeath ?? .exited(0) }

    var evidence: [IterationEvidence] {
        lives.indices.reduce(into: []) { evidence, index in
            evidence.append(self.evidence(ofLife: index, after: evidence.last))
        }
    }

    private func evidence(
        ofLife index: Int, after previous: IterationEvidence?
    ) -> IterationEvidence {
        let life = lives[index]
        let isLast = index == lives.count - 1
        // The life's baseline is what the previous kill left; without that autopsy it is unknown.
        let lacksBaseline =
            settings.contract.hasInspection && index > 0 && autopsies[index - 1]?.autopsy == nil
        let contract: WorkerContract =
            library == nil ? settings.contract(ofKill: life.planned.kill) : .reference
        var evidence = IterationEvidence(
            plan: plan, kill: life.planned.kill,
            baseline: index == 0
                ? baseline
                : settings.contract.hasInspection
                    ? autopsies[index - 1]?.autopsy?.recovered : previous?.keptUnfetched,
            fault: settings.fault.ofKill(life.planned.kill), workload: settings.workload,
            videoLength: videoLength, death: life.death, killSent: life.seen.sent,
            killSeconds: life.seen.killSeconds,
            killFraction: life.seen.fraction(of: pace.seconds), requests: life.requests,
            witness: try? life.page.get(), autopsy: lacksBaseline ? nil : autopsies[index]?.autopsy,
            autopsyError: lacksBaseline
                ? "what the kill before it had left is not known" : autopsies[index]?.complaint,
            resumption: isLast ? last : resumption(byLife: index + 1),
            played: life.seen.delivery, playedOffline: isLast ? playedOffline : nil,
            playedAfterwards: isLast ? playedAfterwards : nil, library: library,
            capacity: settings.capacity, originChanged: isLast && isAnsweredOtherwise,
            calls: life.launch.calls, sockets: life.sockets, contract: contract,
            givenUp: life.seen.gaveUp.map(settings.complaint), lives: ends(ofLife: index),
            witnessGap: life.page.gap)
        evidence.outlived = life.launch.outlived
        evidence.lacksItsFile = life.lacksItsFile
        evidence.asked = life.seen.asked
        evidence.cost = life.seen.cost
        evidence.unsynced = life.states?.unsyncedFiles
        evidence.check = life.check
        if settings.hidesVersion, library == nil { evidence.hidesVersion = true }
        evidence.takenBefore = takenBefore(life: index)
        if isLast, settings.relaunch != .once { evidence.relaunch = settings.relaunch }
        evidence.note(progressAgainst: pace)
        if evidence.isInItsPhase, let share = evidence.planned.recoveryShare,
            let elapsed = life.seen.secondsOfRecovery
        {
            evidence.killProgress = RecoveryPace(recoveries).share(at: elapsed, planned: share)
        }
        return evidence
    }

    /// What the lives before one may have taken off their sockets; nil if that is not known.
    private func takenBefore(life index: Int) -> ByteRanges? {
        // Of a life before the first kill it is not recorded.
        guard index > 0, before.isEmpty else { return nil }
        return lives[..<index].reduce(ByteRanges?.some(ByteRanges())) { known, life in
            guard let known, let taken = life.sockets?.mostTaken else { return nil }
            return known.union(taken)
        }
    }

    /// A life as the relaunch after the previous kill, with what the lives after it took.
    private func resumption(byLife index: Int) -> Resumption {
        var resumption = lives[index].resumption(
            expectedDeath: expectedDeath, fault: settings.fault)
        let later = lives[(index + 1)...].map(\.takenOffSockets) + [last?.taken]
        if resumption.wasKilled, let last, last.endedWell, last.differingBytes == 0,
            !isAnsweredOtherwise,
            settings.relaunch == .once || settings.relaunch == .again,
            later.allSatisfy({ $0 != nil })
        {
            resumption.takenLater = later.compactMap(\.self).reduce(ByteRanges()) { $0.union($1) }
        }
        return resumption
    }

    /// How the lives that a kill's row covers ended, where no kill ended them.
    private func ends(ofLife index: Int) -> [LifeEnd] {
        func end(_ index: Int, as life: LifeEnd.Life) -> LifeEnd {
            lives[index].end(as: life, expectedDeath: expectedDeath, settings: settings)
        }
        let isLast = index == lives.count - 1
        var next = isLast ? [] : [end(index + 1, as: .relaunched)]
        if !isLast, lives[index + 1].seen.sent {
            next[0].excuse = "the kill of the relaunched worker ended it otherwise than planned"
        }
        return (index == 0 ? before : []) + [end(index, as: .struck)] + (isLast ? after : next)
    }
}

extension IterationEvidence {
    /// Notes the progress, unknown for a chain's later kills, which begin with bytes on disk.
    mutating func note(progressAgainst pace: UninterruptedPace) {
        guard killSent, kill == 1, fault.hasMoment,
            case .time(let planned) = self.planned.trigger,
            let received = sockets?.received ?? witness?.received
        else { return }
        killProgress = pace.fraction(atBytes: received.count, planned: planned)
    }
}

extension Result where Success == WitnessReading, Failure == WitnessGap {
    var gap: WitnessGap? { if case .failure(let gap) = self { gap } else { nil } }
}
