internal import RigModel
internal import StorageModel
internal import Witness

/// A launch of a worker that was to end by a kill, and what was observed of it.
struct KilledRun: Sendable {
    let planned: PlannedKill
    var launch: Launch
    let page: Result<WitnessReading, WitnessGap>
    var records: [WitnessRecord] = []
    var sockets: SocketReading?
    var requests: [ServedRequest] = []
    var url = ""
    /// How the completed video differs; nil if the launch did not complete it.
    var completed: VideoDifference?
    /// The positions that it took off its sockets, if no kill ended it; nil when not known.
    var taken: ByteRanges?
    /// The worker's last output, if no kill ended it.
    var complaint: String?
    /// True when it had not yet made the whole file by its own command; nil if unknown.
    var lacksItsFile: Bool?
    /// Any action of the rig itself that may have ended the launch; nil for none.
    var excuse: String?
    /// What it completed, if it ended with exit code 0 by itself.
    var work: LifeEnd.Work?
    /// The states that a modelled power cut can have left besides the present one; nil without one.
    var states: CrashStates?
    /// What is found of the state that its kill left; nil for a worker that is not inspected.
    var examined: StateExamination?
    /// What the check of any program has found of what the kill left; nil for another workload.
    var check: CheckEvidence?

    var death: Death { launch.death }
    var seen: Milestones { launch.seen }

    struct VideoDifference: Sendable {
        let bytes: Int64
        let at: Difference?
        /// All differing positions; nil when only their number is known.
        var wrong: ByteRanges?
        var cut: CutFile?
    }

    /// This life as the relaunch after the previous kill (B6).
    func resumption(expectedDeath: Death, fault: Fault) -> Resumption {
        Resumption(
            death: death, expectedDeath: expectedDeath, requests: requests,
            recoverySeconds: seen.recovered, resumeSeconds: seen.firstByte,
            differingBytes: completed?.bytes, firstDifference: completed?.at, complaint: complaint,
            wasKilled: seen.sent && isKill(by: fault),
            taken: takenOffSockets, wrong: completed?.wrong, cut: completed?.cut)
    }

    /// What it took off its sockets, with what its export took; nil when not known.
    var takenOffSockets: ByteRanges? { taken ?? sockets?.received }

    /// How the life ended, if its kill did not end it.
    func end(as life: LifeEnd.Life, expectedDeath: Death, settings: LaboratorySettings) -> LifeEnd {
        // One that refreshes a library for ever is expected to end by no request.
        let asked = seen.asked != nil && settings.workload != .offlineLibrary
        let met = seen.sent ? settings.fault.met : nil
        let failed = launch.calls?.failed?.words ?? met
        let isAnswer = death.isAnswerToAnError || met != nil && death.isAnswerToAFullDisk
        var end = settings.end(
            life, of: launch,
            expectedDeath: asked && death.isAnswerToARequest
                ? nil : failed != nil && isAnswer ? death : expectedDeath)
        (end.excuse, end.work) = (excuse, work)
        end.wasAsked = asked ? true : nil
        end.failedCall = failed
        return end
    }

    /// True if the rig's kill ended the life: after a power cut I/O errors may come first, signal 9
    /// ends what survives another signal, and one that was asked to end may do so in any way.
    private func isKill(by fault: Fault) -> Bool {
        fault == .powerCut || seen.asked != nil || death == .signaled(fault.signal)
            || death == .signaled(9)
    }
}

extension IterationContext {
    /// Ends a worker as planned, and leaves in its folder what the fault leaves there; `launch`
    /// looks at what must be looked at before the power comes back.
    func struck(
        by controller: KillController, in iteration: Iteration, watching page: WitnessWatch,
        _ sockets: SocketLevel? = nil,
        launch: (@escaping @Sendable (LivingWorker) -> LivingWorker) async throws -> Launch
    ) async throws -> KilledRun {
        let (planned, stopwatch) = (controller.planned, iteration.stopwatch)
        let disk = settings.fault.way == .filling ? settings.volume.map(FullDisk.init) : nil
        let power = PowerCut(
            of: disk == nil ? settings.volume : nil, iterationSeed: iteration.plan.seed,
            kill: planned.kill,
            uninterruptedSeconds: controller.uninterruptedSeconds, watching: page)
        stopwatch.lap(.prepare)
        let end = try await launch { disk?.arming($0) ?? power.arming($0) }
        let (seen, fault) = (end.seen, settings.fault)
        let reading = await onOwnThread { sockets?.reading(of: seen, by: fault) }
        sockets?.cut()
        try power.restore()
        try disk?.giveBack()
        let states = try crashStates(after: end, in: iteration, kill: planned.kill)
        stopwatch.lap(struck: end)
        stopwatch.lap(.clear)
        let lacksReport = planned.trigger.kind == .syscall && end.calls == nil && seen.gaveUp == nil
        return KilledRun(
            planned: planned, launch: end, page: power.page, records: power.records,
            sockets: reading,
            excuse: lacksReport ? "the rig's own tracer left no report" : seen.excuse,
            states: states)
    }
}
