internal import RigModel

/// When an unharmed worker reached what; seconds since its launch.
struct Milestones: Sendable {
    /// When the process was launched; nil where nobody saw it.
    var launched: ContinuousClock.Instant?
    /// It knew what it had.
    var recovered: Double?
    /// The origin had sent its first byte, which has been received.
    var firstByte: Double?
    /// What had been received when, since the first byte.
    var curve = ProgressCurve()
    /// When it was last looked at.
    var lastLook: Double?
    /// Every byte of the video was acknowledged.
    var complete: Double?
    /// It had ended, or its work was over.
    var over: Double?
    /// Why the rig ended it; nil when it did not.
    var end: Patience.End?
    /// True once it was asked to end.
    var wasAsked = false

    /// The rig ended it, because nothing moved for too long, it took too long, or the user asked to
    /// stop.
    var wasEnded: Bool { end != nil }
}

/// Watches a worker that nobody harms until it ends, by itself or because its work is over.
struct Onlooker: Sendable {
    let watch: any WorkerWatch
    let videoLength: Int64
    let patience: Patience
    /// True once there is nothing left to do: a worker that does not end by itself is told to.
    var isOver: @Sendable () -> Bool = { false }
    /// Seconds that a worker may take to end once it was asked to; then it is killed.
    var partingSeconds = Double.infinity

    /// True for one that has nothing to show but its end, such as one that exports.
    var isOnlyWaitedFor = false

    /// Blocks until the worker has ended.
    func attend(_ worker: LivingWorker) -> Milestones {
        var milestones = Milestones()
        milestones.launched = worker.launched
        var stall = patience.begin(watch.glance.progress)
        var asked: ContinuousClock.Instant?
        let ending = ProcessEnding(of: worker.processID)
        while worker.isAlive {
            let progress = note(&milestones, since: worker.launched).progress
            if asked == nil, isOver() {
                worker.end()
                asked = .now
                milestones.wasAsked = true
                milestones.over = (ContinuousClock.now - worker.launched).seconds
            }
            if let asked, (ContinuousClock.now - asked).seconds > partingSeconds {
                worker.kill()
                break
            }
            if patience.isExhausted(&stall, progress: progress) {
                worker.kill()
                milestones.end = stall.end
                break
            }
            ending.wait(atMost: nextLook(milestones))
        }
        _ = note(&milestones, since: worker.launched)
        milestones.over = milestones.over ?? (ContinuousClock.now - worker.launched).seconds
        return milestones
    }

    /// How long to sleep before looking again, in seconds.
    private func nextLook(_ milestones: Milestones) -> Double {
        if isOnlyWaitedFor { return 0.005 }
        return milestones.firstByte == nil ? 0.000_1 : 0.000_5
    }

    private func note(
        _ milestones: inout Milestones, since launched: ContinuousClock.Instant
    ) -> Glance {
        let now = (ContinuousClock.now - launched).seconds
        if milestones.recovered == nil, watch.knowsWhatItHas { milestones.recovered = now }
        let glance = watch.glance
        if milestones.firstByte == nil, !glance.received.isEmpty {
            milestones.firstByte = watch.firstByteSent.map { ($0 - launched).seconds } ?? now
        }
        if let first = milestones.firstByte {
            // A look at sockets shows what had been taken by the look before it, at least.
            let shown = milestones.lastLook ?? now
            milestones.curve.note(glance.received.count, at: max(0, shown - first))
        }
        milestones.lastLook = now
        if milestones.complete == nil, glance.acknowledged.count == videoLength {
            milestones.complete = now
        }
        return glance
    }
}
