internal import RigModel

/// A life of a worker that was to end by a kill, and what was observed of it.
struct KilledRun: Sendable {
    /// The kill as planned.
    let planned: PlannedKill
    let death: Death
    let killOutcome: KillOutcome
    /// The calls counted until then; nil unless the kill is planned by calls.
    var calls: CountedCalls?
    /// The worker's page, or why it gives no reading.
    let page: Result<WitnessReading, WitnessGap>
    /// The kernel's figures for its sockets; nil if there was no kill.
    var sockets: SocketReading?
    let requests: [ServedRequest]
    /// The video's URL.
    var url = ""
    /// What the player received; nil without a player.
    var delivery: Delivery?
    /// How the completed video differs; nil if the life did not complete it.
    var completed: VideoDifference?
    /// The positions that it took off its sockets, if no kill ended it; nil when not known.
    var taken: ByteRanges?
    /// The worker's last output, if no kill ended it.
    var complaint: String?
    /// Its processes that outlived its kill.
    var outlived: [String] = []
    /// Processes that the kernel killed for lack of memory meanwhile; nil when not known.
    var memoryKills: Int?
    /// Any action of the rig itself that may have ended the life; nil for none.
    var excuse: String?
    /// What it completed, if it ended with exit code 0 by itself.
    var work: LifeEnd.Work?
    /// Why the rig ended a server that was not ready in time; nil if it did not.
    var neverReady: String?

    /// How a completed video differs from the original.
    struct VideoDifference: Sendable {
        let bytes: Int64
        /// The first difference.
        let at: Difference?
        /// All differing positions; nil when only their number is known.
        var wrong: ByteRanges?
    }

    /// This life as the relaunch after the previous kill (B6).
    fileprivate func resumption(expectedDeath: Death, fault: Fault) -> Resumption {
        Resumption(
            death: death, expectedDeath: expectedDeath, requests: requests,
            recoverySeconds: killOutcome.recoverySeconds,
            resumeSeconds: killOutcome.firstByteSeconds,
            differingBytes: completed?.bytes, firstDifference: completed?.at,
            complaint: complaint,
            wasKilled: killOutcome.sent && isKill(by: fault),
            taken: sockets?.received ?? taken, wrong: completed?.wrong)
    }

    /// How the life ended, if its kill did not end it.
    fileprivate func end(
        as life: LifeEnd.Life, expectedDeath: Death, settings: LaboratorySettings
    ) -> LifeEnd {
        LifeEnd(
            life, death, expectedDeath: expectedDeath,
            givenUp: killOutcome.gaveUp.map(settings.complaint) ?? neverReady,
            memoryKills: memoryKills, excuse: excuse, work: work)
    }

    /// True if the rig's kill ended the life.
    ///
    /// After a power cut, a worker may die of I/O errors before signal 9 arrives. A worker that
    /// survives another signal is ended by signal 9.
    private func isKill(by fault: Fault) -> Bool {
        fault == .powerCut || death == .signaled(fault.signal) || death == .signaled(9)
    }
}

/// The lives of one iteration, each but the last ended by a kill, and what each kill left (B6, T4).
struct Chain: Sendable {
    let plan: PlannedIteration
    let settings: LaboratorySettings
    /// All byte positions of the workload.
    let videoLength: Int64
    /// The uninterrupted runs that the kills were timed by.
    let pace: UninterruptedPace
    /// What was there before the first life.
    let baseline: ByteRanges?
    /// One life per kill.
    let lives: [KilledRun]
    /// The autopsy after each kill, or why it is not known.
    let autopsies: [(Autopsy?, String?)]
    /// The last life, which was not killed.
    let last: Resumption
    /// How the unharmed lives ended before the first kill.
    let before: [LifeEnd]
    /// How the unharmed lives ended after the last kill.
    let after: [LifeEnd]
    var playedOffline: Delivery?
    var playedAfterwards: Delivery?

    /// All evidence, one element per kill.
    var evidence: [IterationEvidence] { lives.indices.map(evidence(ofLife:)) }

    private func evidence(ofLife index: Int) -> IterationEvidence {
        let life = lives[index]
        let isLast = index == lives.count - 1
        // The life's baseline is what the previous kill left; without that autopsy it is unknown.
        let lacksBaseline =
            settings.contract.hasInspection && index > 0 && autopsies[index - 1].0 == nil
        var evidence = IterationEvidence(
            plan: plan, kill: life.planned.kill,
            baseline: index == 0 ? baseline : autopsies[index - 1].0?.recovered,
            fault: settings.fault, workload: settings.workload, videoLength: videoLength,
            death: life.death, killSent: life.killOutcome.sent,
            killSeconds: life.killOutcome.killSeconds,
            killFraction: life.killOutcome.fraction(of: pace.seconds), requests: life.requests,
            witness: try? life.page.get(), autopsy: lacksBaseline ? nil : autopsies[index].0,
            autopsyError: lacksBaseline
                ? "that of the kill before it was not" : autopsies[index].1,
            resumption: isLast
                ? last
                : lives[index + 1].resumption(
                    expectedDeath: last.expectedDeath, fault: settings.fault),
            played: life.delivery, playedOffline: isLast ? playedOffline : nil,
            playedAfterwards: isLast ? playedAfterwards : nil, capacity: settings.capacity,
            originChanged: isLast && settings.answersOtherwise, calls: life.calls,
            sockets: life.sockets, contract: settings.contract,
            givenUp: life.killOutcome.gaveUp.map(settings.complaint), lives: ends(ofLife: index),
            witnessGap: life.page.gap)
        evidence.outlived = life.outlived
        evidence.note(progressAgainst: pace)
        return evidence
    }

    /// How the lives that a kill's row covers ended, where no kill ended them.
    private func ends(ofLife index: Int) -> [LifeEnd] {
        func end(_ index: Int, as life: LifeEnd.Life) -> LifeEnd {
            lives[index].end(as: life, expectedDeath: last.expectedDeath, settings: settings)
        }
        let isLast = index == lives.count - 1
        var next = isLast ? [] : [end(index + 1, as: .relaunched)]
        if !isLast, lives[index + 1].killOutcome.sent {
            next[0].excuse = "the kill of the relaunched worker ended it otherwise than planned"
        }
        return (index == 0 ? before : []) + [end(index, as: .struck)] + (isLast ? after : next)
    }
}

extension IterationEvidence {
    /// Notes when an unharmed life had received as many bytes as the killed one.
    ///
    /// A life that begins with bytes on disk receives others than one that begins with none, so for
    /// a chain's later kills this is not known.
    mutating func note(progressAgainst pace: UninterruptedPace) {
        guard killSent, kill == 1, case .time(let planned) = self.planned.trigger,
            let received = sockets?.received ?? witness?.received
        else { return }
        killProgress = pace.fraction(atBytes: received.count, planned: planned)
    }
}

extension Result where Success == WitnessReading, Failure == WitnessGap {
    /// Why the page gives no reading; nil if it gives one.
    var gap: WitnessGap? {
        if case .failure(let gap) = self { gap } else { nil }
    }
}
