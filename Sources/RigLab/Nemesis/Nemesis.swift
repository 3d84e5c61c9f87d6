internal import RigModel

/// What a nemesis saw and did.
struct Strike: Sendable {
    /// True when it sent its signal.
    var sent = false
    /// When the process was launched; nil where nobody saw it.
    var launched: ContinuousClock.Instant?
    /// From launch to the kill.
    var killSeconds: Double?
    /// From launch until the worker knew what it had; nil when that was not seen.
    var recoverySeconds: Double?
    /// From the first byte, when the origin sent it, to the kill or to the end of the work; nil as
    /// long as none was received.
    var secondsSinceFirstByte: Double?
    /// When the kill was sent; nil where none was.
    var moment: ContinuousClock.Instant?
    /// Why it gave up on the worker, and killed it at a moment that was not planned; nil when it did
    /// not.
    var gaveUp: Patience.End?
    /// True where the origin held back what the worker was waiting for when it was given up.
    var wasHeldBack = false

    /// What the rig itself did that may have ended the life before its kill; nil for nothing.
    var excuse: String? {
        gaveUp == .stalled && wasHeldBack
            ? "the worker waited for what the origin held back, and no kill came" : nil
    }

    /// From launch to the first byte; nil when none was received before the kill.
    var firstByteSeconds: Double? {
        guard let killSeconds, let secondsSinceFirstByte else { return nil }
        return killSeconds - secondsSinceFirstByte
    }

    /// The moment of the kill as a fraction of an uninterrupted run; nil when not known.
    func fraction(of uninterruptedSeconds: Double) -> Double? {
        guard sent, uninterruptedSeconds.isFinite else { return nil }
        return secondsSinceFirstByte.map { $0 / uninterruptedSeconds }
    }
}

/// What surrounds a worker that is not alone: a player that plays through it, an origin of many
/// videos.
struct Surroundings: Sendable {
    /// True once the origin has let out as many distinct bytes as planned, and holds back the rest.
    var isHolding: @Sendable () -> Bool = { false }
    /// True where the worker has taken all that the origin lets out, and waits for more.
    var isHeldBack: @Sendable () -> Bool = { false }
    /// True once there is nothing left to do: a worker that does not end by itself is told to.
    var isOver: @Sendable () -> Bool = { false }
    /// Called right before the signal: whatever breaks from then on is the kill's doing.
    var willKill: @Sendable () -> Void = {}
}

/// Waits for the planned moment, then ends the worker as the fault does.
///
/// It polls shared memory, or the kernel, and never talks to the worker, so the worker cannot tell
/// that it is watched.
struct Nemesis: Sendable {
    /// The planned moment, and the wait after it.
    let planned: PlannedKill
    /// How long an uninterrupted run takes from its first byte to its end, in seconds.
    let uninterruptedSeconds: Double
    let watch: any WorkerWatch
    let patience: Patience
    var surroundings = Surroundings()
    /// Seconds that a worker whose work is over may take to end once it was asked to.
    var partingSeconds = Double.infinity

    /// How long a worker must have got nothing from an origin that holds back to be done with what
    /// there is.
    private static let stillness = Duration.milliseconds(60)

    /// Seconds between looks at a worker whose clock runs.
    private static let timedLook = 0.02

    /// Blocks until the worker is killed, or has ended by itself, or makes no progress.
    func strike(_ worker: LivingWorker) -> Strike {
        let deathblow = Deathblow(worker.fault, for: worker)
        defer {
            deathblow.clear()
            ThreadUrgency.lower()
        }
        var recovered: Double?
        var strike = pursue(worker, with: deathblow, recovered: &recovered)
        strike.recoverySeconds = recovered
        strike.launched = worker.launched
        return strike
    }

    private func pursue(
        _ worker: LivingWorker, with deathblow: Deathblow, recovered: inout Double?
    ) -> Strike {
        var firstByte: ContinuousClock.Instant?
        var glance = watch.glance
        var lastChange = (progress: glance.progress, at: ContinuousClock.now)
        var stall = patience.begin(glance.progress)
        var isUrgent = false
        while true {
            guard worker.isAlive else {
                return Strike(secondsSinceFirstByte: firstByte.map { (.now - $0).seconds })
            }
            // Not after another look: one at a socket waits for the read that is under way there, so
            // that kills came after it, often in the commit that it had led to.
            if let left = secondsLeft(since: firstByte), left <= 0 {
                return kill(worker, by: deathblow, firstByte: firstByte)
            }
            glance = watch.glance
            if recovered == nil, watch.knowsWhatItHas {
                recovered = (ContinuousClock.now - worker.launched).seconds
            }
            let received = glance.received.count
            if received > 0, firstByte == nil { firstByte = watch.firstByteSent ?? .now }
            if glance.progress != lastChange.progress { lastChange = (glance.progress, .now) }
            if watch.hasReachedHold || isDue(received, lastChange: lastChange.at) {
                Pause.seconds(planned.delaySeconds)
                return kill(worker, by: deathblow, firstByte: firstByte)
            }
            if surroundings.isOver() {
                return dismiss(worker, or: deathblow, firstByte: firstByte, stall: &stall)
            }
            if patience.isExhausted(&stall, progress: glance.progress) { break }
            if !isUrgent, case .time = planned.trigger, firstByte != nil {
                isUrgent = true
                ThreadUrgency.raise()
            }
            Pause.seconds(nextLook(firstByte: firstByte))
        }
        // Whatever is left must not live on; it was not the planned moment, so it is no strike.
        let wasHeldBack = surroundings.isHeldBack()
        worker.kill()
        return Strike(gaveUp: stall.end, wasHeldBack: wasHeldBack)
    }

    /// Seconds until the moment that a clock was set to; nil where none is, or it has not started.
    private func secondsLeft(since firstByte: ContinuousClock.Instant?) -> Double? {
        guard case .time(let fraction) = planned.trigger, let firstByte else { return nil }
        return fraction * uninterruptedSeconds - (ContinuousClock.now - firstByte).seconds
    }

    private func isDue(_ received: Int64, lastChange: ContinuousClock.Instant) -> Bool {
        switch planned.trigger {
        case .bytes(let count):
            // What the worker left unread when a player cancelled went out and was never received:
            // in a life that began with much, that can be all. An origin that holds back has then
            // nothing more for it: this is the planned moment.
            received >= count
                || ContinuousClock.now - lastChange > Self.stillness && surroundings.isHolding()
        case .flowing(let count):
            received >= count
        case .time, .phase, .syscall, .never:
            // A clock is looked at by itself, a phase may come before the first byte, and a tracer
            // knows its calls.
            false
        }
    }

    /// How long to sleep before looking again: to the moment itself, where it is known.
    ///
    /// The first byte starts a clock, so it is looked for often, and so is a byte while others
    /// follow it. One that the origin holds back behind waits for the rig.
    private func nextLook(firstByte: ContinuousClock.Instant?) -> Double {
        switch planned.trigger {
        case .flowing: return 0.000_05
        case .phase: return 0.000_1
        case .bytes, .syscall, .never: return 0.000_2
        case .time:
            guard let left = secondsLeft(since: firstByte) else { return 0.000_05 }
            // None shortly before the moment, which it might outlast.
            return left < 2 * Self.timedLook ? max(0, left) : Self.timedLook
        }
    }

    private func kill(
        _ worker: LivingWorker, by deathblow: Deathblow, firstByte: ContinuousClock.Instant?
    ) -> Strike {
        surroundings.willKill()
        let moment = ContinuousClock.now
        let sent = deathblow.strike(worker)
        return Strike(
            sent: sent, killSeconds: (moment - worker.launched).seconds,
            secondsSinceFirstByte: firstByte.map { (moment - $0).seconds }, moment: moment)
    }

    /// Tells a worker whose work is over to end, and waits for it.
    ///
    /// It may come where it is held only then, while it ends in good order.
    private func dismiss(
        _ worker: LivingWorker, or deathblow: Deathblow, firstByte: ContinuousClock.Instant?,
        stall: inout Patience.Stall
    ) -> Strike {
        var strike = Strike(secondsSinceFirstByte: firstByte.map { (.now - $0).seconds })
        worker.end()
        let asked = ContinuousClock.now
        while worker.isAlive {
            if watch.hasReachedHold {
                Pause.seconds(planned.delaySeconds)
                return kill(worker, by: deathblow, firstByte: firstByte)
            }
            // A server whose client is done may go as it likes; another has to end in good order.
            if (ContinuousClock.now - asked).seconds > partingSeconds {
                worker.kill()
            } else if patience.isExhausted(&stall, progress: watch.glance.progress) {
                strike.gaveUp = partingSeconds.isFinite ? nil : strike.gaveUp ?? stall.end
                worker.kill()
            }
            Pause.seconds(0.001)
        }
        return strike
    }
}
