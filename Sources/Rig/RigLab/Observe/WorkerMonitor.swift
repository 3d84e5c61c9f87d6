internal import RigModel

/// Watches a worker that is not killed until it ends, by itself or because its work is done.
struct WorkerMonitor: Sendable {
    let watch: any WorkerWatch
    let videoLength: Int64
    let stallDetector: StallDetector
    /// True once the work is done: a worker that does not exit by itself is then asked to.
    var isOver: @Sendable () -> Bool = { false }
    /// Seconds that a worker may take to exit once it was asked to; then it is killed.
    var partingSeconds = Double.infinity

    /// True for a worker of which only the end is observable, such as an export.
    var isOnlyWaitedFor = false

    func attend(_ worker: LivingWorker) -> Milestones {
        var milestones = Milestones()
        milestones.launched = worker.launched
        var stall = stallDetector.begin(watch.glance.progress)
        var asked: ContinuousClock.Instant?
        let ending = ProcessEnding(of: worker.processID)
        while worker.isAlive {
            let glance = note(&milestones, since: worker.launched)
            if asked == nil, isOver() {
                milestones.acknowledgedWhenAsked = glance.acknowledged
                worker.end()
                asked = .now
                milestones.over = (ContinuousClock.now - worker.launched).seconds
            }
            if let asked, (ContinuousClock.now - asked).seconds > partingSeconds {
                worker.kill()
                milestones.wasForced = true
                break
            }
            if stallDetector.isExhausted(&stall, progress: glance.progress) {
                worker.kill()
                milestones.gaveUp = stall.end
                break
            }
            ending.wait(atMost: nextLook(milestones))
        }
        // The kernel may report a short connection only after the worker's end. Without the report a
        // worker that has done its work seems to have received nothing.
        if milestones.firstByte == nil, !isOnlyWaitedFor { watch.settle() }
        _ = note(&milestones, since: worker.launched)
        milestones.over = milestones.over ?? (ContinuousClock.now - worker.launched).seconds
        return milestones
    }

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
        milestones.recovery.note(watch, launched: launched, hasReceived: !glance.received.isEmpty)
        if milestones.firstByte == nil, !glance.received.isEmpty {
            // Of two instances the other one may have got its first byte before this was launched.
            milestones.firstByte =
                watch.firstByteSent.map { max(0, ($0 - launched).seconds) } ?? now
        }
        if let first = milestones.firstByte {
            // A look at sockets shows at least what had been received at the look before it.
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

/// How much an unharmed life had received when, in seconds since its first byte.
struct ProgressCurve: Sendable {
    /// The looks that showed the same number of bytes.
    private struct Step {
        let received: Int64
        let first: Double
        var last: Double
    }

    private var steps: [Step] = []

    /// Notes a look; the number of bytes received never decreases.
    mutating func note(_ received: Int64, at seconds: Double) {
        guard let last = steps.last, last.received >= received else {
            steps.append(Step(received: received, first: seconds, last: seconds))
            return
        }
        steps[steps.count - 1].last = seconds
    }

    /// When the life had received exactly so many bytes: a single moment while bytes arrive, and a
    /// range while none do; nil if it never received as many.
    func stretch(of received: Int64) -> ClosedRange<Double>? {
        guard let index = steps.firstIndex(where: { $0.received >= received }) else { return nil }
        let step = steps[index]
        guard step.received > received else { return step.first...step.last }
        guard index > 0 else { return 0...step.first }
        // Between two looks nothing is known, so a constant rate is assumed.
        let before = steps[index - 1]
        let share = Double(received - before.received) / Double(step.received - before.received)
        let moment = before.last + share * (step.first - before.last)
        return moment...moment
    }
}
