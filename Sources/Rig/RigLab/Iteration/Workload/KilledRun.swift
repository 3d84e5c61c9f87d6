internal import RigModel
internal import StorageModel

/// A life of a worker that was to end by a kill, and what was observed of it.
struct KilledRun: Sendable {
    let planned: PlannedKill
    var death: Death
    let killOutcome: KillOutcome
    /// The calls counted until then; nil unless the kill is planned by calls.
    var calls: CountedCalls?
    /// The worker's page, or why it gives no reading.
    let page: Result<WitnessReading, WitnessGap>
    /// The kernel's figures for its sockets; nil if there was no kill.
    var sockets: SocketReading?
    var requests: [ServedRequest]
    var url = ""
    /// What the player received; nil without a player.
    var delivery: Delivery?
    /// How the completed video differs; nil if the life did not complete it.
    var completed: VideoDifference?
    /// The positions that it took off its sockets, if no kill ended it; nil when not known.
    var taken: ByteRanges?
    /// The worker's last output, if no kill ended it.
    var complaint: String?
    /// True when it had not yet made the whole file by its own command; nil if unknown.
    var lacksItsFile: Bool?
    /// Its processes that outlived its kill.
    var outlived: [String] = []
    /// Processes that the kernel killed for lack of memory meanwhile; nil when not known.
    var memoryKills: Int?
    /// Any action of the rig itself that may have ended the life; nil for none.
    var excuse: String?
    /// What it completed, if it ended with exit code 0 by itself.
    var work: LifeEnd.Work?
    /// The states that a modelled power cut can have left besides the present one; nil without one.
    var states: CrashStates?
    /// Why the rig ended a server that was not ready in time; nil if it did not.
    var neverReady: String?
    /// What the check of any program has found of what the kill left; nil for another workload.
    var check: CheckEvidence?

    /// How a completed video differs from the original.
    struct VideoDifference: Sendable {
        let bytes: Int64
        /// The first difference.
        let at: Difference?
        /// All differing positions; nil when only their number is known.
        var wrong: ByteRanges?
        /// How early it ends, if nothing else is wrong with it; nil if it is otherwise.
        var cut: CutFile?
    }

    /// This life as the relaunch after the previous kill (B6).
    func resumption(expectedDeath: Death, fault: Fault) -> Resumption {
        Resumption(
            death: death, expectedDeath: expectedDeath, requests: requests,
            recoverySeconds: killOutcome.recoverySeconds,
            resumeSeconds: killOutcome.firstByteSeconds,
            differingBytes: completed?.bytes, firstDifference: completed?.at,
            complaint: complaint,
            wasKilled: killOutcome.sent && isKill(by: fault),
            taken: takenOffSockets, wrong: completed?.wrong, cut: completed?.cut)
    }

    /// The positions that it took off its sockets, with those that its export took; nil when not
    /// known.
    var takenOffSockets: ByteRanges? { taken ?? sockets?.received }

    /// How the life ended, if its kill did not end it.
    func end(
        as life: LifeEnd.Life, expectedDeath: Death, settings: LaboratorySettings
    ) -> LifeEnd {
        let asked = killOutcome.asked != nil
        let failed = calls?.failed
        var end = LifeEnd(
            life, death,
            expectedDeath: asked && death.isAnswerToARequest
                ? nil : failed != nil && death.isAnswerToAnError ? death : expectedDeath,
            givenUp: killOutcome.gaveUp.map(settings.complaint) ?? neverReady,
            memoryKills: memoryKills, limit: OwnLimits.ofThisProcess.cause(of: death),
            excuse: excuse, work: work)
        end.wasAsked = asked ? true : nil
        end.failedCall = failed?.words
        return end
    }

    /// True if the rig's kill ended the life.
    ///
    /// After a power cut, a worker may die of I/O errors before signal 9 arrives. A worker that
    /// survives another signal is ended by signal 9. One that was asked to end may do so in any way.
    private func isKill(by fault: Fault) -> Bool {
        fault == .powerCut || killOutcome.asked != nil || death == .signaled(fault.signal)
            || death == .signaled(9)
    }
}

extension WorkerRun {
    /// Ends the worker as planned, and leaves in its folder what the fault leaves there.
    ///
    /// - Parameters:
    ///   - page: the worker's page, which is read right before a power cut.
    ///   - look: looks at the dead worker before its power comes back.
    func struck<Seen>(
        by controller: KillController, of plan: PlannedIteration, watching page: WitnessWatch,
        stopwatch: IterationStopwatch, look: (End<KillOutcome>) async throws -> Seen
    ) async throws -> (life: KilledRun, seen: Seen) {
        let planned = controller.planned
        let power = PowerCut(
            of: context.settings.volume, iterationSeed: plan.seed, kill: planned.kill,
            uninterruptedSeconds: controller.uninterruptedSeconds, watching: page)
        stopwatch.lap(.prepare)
        let (end, calls) = try await killWorker(by: controller, arming: power.arming)
        let seen = try await look(end)
        try power.restore()
        let states = try context.crashStates(after: end, in: folder, plan, kill: planned.kill)
        stopwatch.lap(end.observed, ended: end.ended)
        stopwatch.lap(.clear)
        let lacksReport =
            planned.trigger.kind == .syscall && calls == nil && end.observed.gaveUp == nil
        let life = KilledRun(
            planned: planned, death: end.death, killOutcome: end.observed, calls: calls,
            page: power.page, requests: [], outlived: end.outlived, memoryKills: end.memoryKills,
            excuse: lacksReport ? "the rig's own tracer left no report" : end.observed.excuse,
            states: states, neverReady: end.neverReady)
        return (life, seen)
    }
}
