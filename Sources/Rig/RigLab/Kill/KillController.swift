internal import RigModel

/// What a workload with a player, or with many videos, tells the kill controller, and is told.
struct KillHooks: Sendable {
    /// True once the origin has sent as many distinct bytes as planned, and withholds the rest.
    var isHolding: @Sendable () -> Bool = { false }
    /// True where the worker has received all that the origin sends, and waits for more.
    var isHeldBack: @Sendable () -> Bool = { false }
    /// Sends the last byte, which the origin withholds until a kill at the worker's end is next.
    var sendLastByte: @Sendable () -> Void = {}
    /// True once the worker has asked for a byte of the video that the origin withholds.
    var isAwaited: @Sendable () -> Bool = { false }
    /// True once the work is done: a worker that does not exit by itself is then asked to.
    var isOver: @Sendable () -> Bool = { false }
    /// True once the program has said as many lines as planned.
    var hasSaid: @Sendable () -> Bool = { false }
    /// Called right before the signal: whatever fails from then on is caused by the kill.
    var willKill: @Sendable () -> Void = {}
}

/// Waits for the planned moment, then ends the worker as the fault does; it never communicates with
/// the worker, which cannot tell that it is watched.
struct KillController: Sendable {
    let planned: PlannedKill
    /// How long an uninterrupted run takes from its first byte to its end, in seconds.
    let uninterruptedSeconds: Double
    var ending: Ending?
    var recoveries = RecoveryPace([])
    let watch: any WorkerWatch
    let stallDetector: StallDetector
    var hooks = KillHooks()
    /// Seconds that a worker whose work is done may take to exit once it was asked to.
    var partingSeconds = Double.infinity
    /// Seconds that a worker may take that the fault asks to end.
    var graceSeconds = 0.0

    struct Ending: Sendable {
        /// How many bytes it has received before.
        let after: Int64
        /// How long it takes from the last of them to the end of its process, in seconds.
        let seconds: Double
    }

    /// How long a worker must have received nothing to count as done with what was sent.
    private static let stillness = Duration.milliseconds(60)
    /// The same for a worker of which that cannot be seen.
    private static let longStillness = Duration.seconds(1)
    /// Seconds that a killed worker may take to die for its counters to be read.
    private static let patienceWithTheDying = 1.0
    /// Seconds between polls once the clock of a timed kill runs.
    private static let timedLook = 0.02

    func killWorker(_ worker: LivingWorker) -> Milestones {
        let injector = FaultInjector(worker.fault, for: worker, graceSeconds: graceSeconds)
        defer {
            injector.clear()
            ThreadUrgency.lower()
        }
        var seen = Milestones(launched: worker.launched)
        pursue(worker, with: injector, &seen)
        if seen.sent {
            seen.cost = LaunchCost(ofDead: worker.processID, within: Self.patienceWithTheDying)
        }
        return seen
    }

    private func pursue(
        _ worker: LivingWorker, with injector: FaultInjector, _ seen: inout Milestones
    ) {
        var firstByte: ContinuousClock.Instant?
        var lastByte: ContinuousClock.Instant?
        var glance = watch.glance
        var lastChange = (progress: glance.progress, at: ContinuousClock.now)
        var stall = stallDetector.begin(glance.progress)
        let processEnding = ProcessEnding(of: worker.processID)
        // A phase may be over before an ordinary thread gets its turn on a busy machine.
        var isUrgent = planned.trigger.phase != nil || planned.trigger.kind == .said
        if isUrgent { ThreadUrgency.raise() }
        while true {
            guard worker.isAlive else {
                seen.secondsSinceFirstByte = firstByte.map { (.now - $0).seconds }
                seen.endingSeconds = lastByte.map { (.now - $0).seconds }
                return
            }
            // Kills before polling again: a poll of a socket waits for a read in progress there, so
            // kills landed after that read, often in the commit that it had led to.
            if let left = secondsLeft(since: firstByte, lastByte), left <= 0, isTaken(lastByte) {
                let ended = lastByte.map { (ContinuousClock.now - $0).seconds }
                kill(worker, by: injector, firstByte: firstByte, &seen)
                // One that goes on has ended later.
                if !worker.fault.letsItGoOn { seen.endingSeconds = ended }
                return
            }
            seen.recovery.note(
                watch, launched: worker.launched, hasReceived: !glance.received.isEmpty)
            if isDue(in: seen.recovery) {
                return kill(worker, by: injector, firstByte: firstByte, &seen)
            }
            glance = watch.glance
            if seen.recovered == nil, watch.knowsWhatItHas {
                seen.recovered = (ContinuousClock.now - worker.launched).seconds
            }
            let received = glance.received.count
            if received > 0, firstByte == nil { firstByte = watch.firstByteSent ?? .now }
            if glance.progress != lastChange.progress { lastChange = (glance.progress, .now) }
            if planned.endingShare != nil, lastByte == nil,
                isDueToEnd(received, lastChange: lastChange.at)
            {
                hooks.sendLastByte()
                lastByte = .now
            }
            if planned.recoveryShare == nil && watch.hasReachedHold
                || isDue(received, lastChange: lastChange.at)
            {
                Pause.seconds(planned.delaySeconds)
                return kill(worker, by: injector, firstByte: firstByte, &seen)
            }
            if hooks.isOver() {
                return dismiss(worker, or: injector, firstByte: firstByte, stall: &stall, &seen)
            }
            if stallDetector.isExhausted(&stall, progress: glance.progress) { break }
            if !isUrgent, planned.isTimed, firstByte != nil {
                isUrgent = true
                ThreadUrgency.raise()
            }
            // How soon a worker ends is learned by the kills that it was too quick for.
            processEnding.wait(atMost: nextLook(firstByte, lastByte))
        }
        // The worker must not survive; this moment was not planned, so it is not a kill.
        (seen.gaveUp, seen.wasHeldBack) = (stall.end, hooks.isHeldBack())
        worker.kill()
    }

    /// Seconds until a timed kill; nil when the kill is not timed, or its clock has not started.
    private func secondsLeft(
        since firstByte: ContinuousClock.Instant?, _ lastByte: ContinuousClock.Instant?
    ) -> Double? {
        switch planned.trigger {
        case .time(let fraction):
            firstByte.map { fraction * uninterruptedSeconds - (ContinuousClock.now - $0).seconds }
        case .ending(let share):
            lastByte.map { share * (ending?.seconds ?? 0) - (ContinuousClock.now - $0).seconds }
        default: nil
        }
    }

    /// Whether the planned share of a recovery has passed; where a page never shows one, a worker
    /// that has asked for its first new byte has recovered.
    private func isDue(in recovery: RecoveryClock) -> Bool {
        guard let share = planned.recoveryShare else { return false }
        guard let began = recovery.began else { return hooks.isAwaited() }
        return (ContinuousClock.now - began).seconds >= recoveries.wait(for: share)
    }

    /// True unless a worker that is killed at its end has not yet taken the last byte.
    private func isTaken(_ lastByte: ContinuousClock.Instant?) -> Bool {
        guard planned.endingShare != nil, let ending, let lastByte else { return true }
        return watch.glance.received.count >= ending.after
            || ContinuousClock.now - lastByte > Self.longStillness
    }

    /// True when the worker waits for its last byte, or has it already, or nothing has changed for
    /// a while: one whose sockets are not seen must not wait for ever.
    private func isDueToEnd(_ received: Int64, lastChange: ContinuousClock.Instant) -> Bool {
        received >= ending?.after ?? .max || hooks.isHolding()
            || received > 0 && ContinuousClock.now - lastChange > Self.longStillness
    }

    private func isDue(_ received: Int64, lastChange: ContinuousClock.Instant) -> Bool {
        switch planned.trigger {
        case .bytes(let count):
            // Bytes that the worker left unread when a player cancelled were sent but never
            // received; in a life that began with much data they can be all that is left. An origin
            // that withholds the rest then has nothing more to send, so this is the planned moment.
            received >= count
                || ContinuousClock.now - lastChange > Self.stillness && hooks.isHolding()
        case .flowing(let count): received >= count
        case .said: hooks.hasSaid()
        case .time, .ending, .phase, .recovery, .syscall, .never:
            // A clock is checked separately, a phase may come before the first byte, and a tracer
            // counts its calls itself.
            false
        }
    }

    /// Seconds to sleep before the next poll: until the moment itself, where it is known.
    ///
    /// The first byte starts a clock, so it is polled for often, and so is a byte while others
    /// follow it. Where the origin withholds what follows a byte, the worker waits for the rig.
    private func nextLook(
        _ firstByte: ContinuousClock.Instant?, _ lastByte: ContinuousClock.Instant?
    ) -> Double {
        switch planned.trigger {
        case .flowing, .said: return 0.000_05
        case .phase, .recovery: return 0.000_1
        case .bytes, .syscall, .never: return 0.000_2
        case .ending: return secondsLeft(since: firstByte, lastByte).map { max(0, $0) } ?? 0.000_1
        case .time:
            guard let left = secondsLeft(since: firstByte, lastByte) else { return 0.000_05 }
            // No poll shortly before the moment, because it might take longer than the time left.
            return left < 2 * Self.timedLook ? max(0, left) : Self.timedLook
        }
    }

    private func kill(
        _ worker: LivingWorker, by injector: FaultInjector, firstByte: ContinuousClock.Instant?,
        _ seen: inout Milestones
    ) {
        hooks.willKill()
        let moment = ContinuousClock.now
        let strike = injector.killWorker(worker)
        if !worker.fault.hasMoment {
            return letGoOn(worker, by: injector, isFull: strike.sent, &seen)
        }
        (seen.sent, seen.asked) = (strike.sent, strike.asked)
        seen.killSeconds = (moment - worker.launched).seconds
        seen.firstByte = firstByte.map { ($0 - worker.launched).seconds }
        seen.secondsSinceFirstByte = firstByte.map { (moment - $0).seconds }
        // What was under way is what was so at the kill, not at the request to end.
        seen.moment = strike.killedAt ?? moment
    }

    /// Lets a worker go on whose disk is full, until it has ended or is given up.
    private func letGoOn(
        _ worker: LivingWorker, by injector: FaultInjector, isFull: Bool, _ seen: inout Milestones
    ) {
        ThreadUrgency.lower()
        if !isFull { worker.kill() }
        hooks.sendLastByte()
        var stall = stallDetector.begin(watch.glance.progress)
        seen.sent = isFull
        while worker.isAlive {
            if seen.gaveUp == nil, hooks.isOver() {
                dismiss(worker, or: injector, firstByte: nil, stall: &stall, &seen)
            } else if stallDetector.isExhausted(&stall, progress: watch.glance.progress) {
                seen.gaveUp = seen.gaveUp ?? stall.end
                worker.kill()
            }
            Pause.seconds(0.001)
        }
    }

    /// Asks a worker whose work is done to exit; its phase may come only then.
    private func dismiss(
        _ worker: LivingWorker, or injector: FaultInjector, firstByte: ContinuousClock.Instant?,
        stall: inout StallDetector.Stall, _ seen: inout Milestones
    ) {
        seen.secondsSinceFirstByte = firstByte.map { (.now - $0).seconds }
        worker.end()
        let asked = ContinuousClock.now
        var wasForced = false
        var gaveUp: StallDetector.End?
        while worker.isAlive {
            if watch.hasReachedHold {
                Pause.seconds(planned.delaySeconds)
                return kill(worker, by: injector, firstByte: firstByte, &seen)
            }
            // A server whose client is done may exit in any way; others must exit in good order.
            if (ContinuousClock.now - asked).seconds > partingSeconds {
                wasForced = true
                worker.kill()
            } else if stallDetector.isExhausted(&stall, progress: watch.glance.progress) {
                gaveUp = partingSeconds.isFinite ? nil : gaveUp ?? stall.end
                worker.kill()
            }
            Pause.seconds(0.001)
        }
        (seen.wasForced, seen.gaveUp) = (wasForced, gaveUp)
    }
}
