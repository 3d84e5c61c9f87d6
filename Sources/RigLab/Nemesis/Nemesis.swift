internal import RigModel

/// What a nemesis saw and did.
struct Strike: Sendable {
    /// True when it sent its signal.
    var sent = false
    /// From launch to the kill.
    var killSeconds: Double?
    /// From the first byte received to the kill, or to the end of a worker that ended by itself.
    var secondsSinceFirstByte: Double?
}

/// Waits for the planned moment, then sends signal 9.
///
/// It polls shared memory and never talks to the worker, so the worker cannot tell that it is
/// watched.
struct Nemesis: Sendable {
    let trigger: Trigger
    /// The wait after the planned byte, in seconds.
    let delaySeconds: Double
    /// How long an uninterrupted run takes from its first byte to its end, in seconds.
    let uninterruptedSeconds: Double
    let witness: WitnessWatch
    let patience: Patience

    /// Blocks until the worker is killed, or has ended by itself, or makes no progress.
    func strike(_ worker: LivingWorker) -> Strike {
        var firstByte: ContinuousClock.Instant?
        var stall = patience.begin(witness.progress)
        while true {
            guard worker.isAlive else {
                return Strike(secondsSinceFirstByte: firstByte.map { (.now - $0).seconds })
            }
            let received = witness.reading?.received.count ?? 0
            if received > 0, firstByte == nil { firstByte = .now }
            if let firstByte, isDue(received: received, firstByte: firstByte) {
                Pause.seconds(delaySeconds)
                return kill(worker, firstByte: firstByte)
            }
            if patience.isExhausted(&stall, progress: witness.progress) { break }
            Pause.seconds(nextLook(firstByte: firstByte))
        }
        // Whatever is left must not live on; it was not the planned moment, so it is no strike.
        worker.kill()
        return Strike()
    }

    private func isDue(received: Int64, firstByte: ContinuousClock.Instant) -> Bool {
        switch trigger {
        case .bytes(let planned): received >= planned
        case .time(let fraction):
            (ContinuousClock.now - firstByte).seconds >= fraction * uninterruptedSeconds
        }
    }

    /// How long to sleep before looking again: to the moment itself, where it is known.
    ///
    /// The first byte starts a clock, so it is looked for often. A planned byte waits for the
    /// rig, because the origin holds back what follows it.
    private func nextLook(firstByte: ContinuousClock.Instant?) -> Double {
        guard case .time(let fraction) = trigger else { return 0.000_2 }
        guard let firstByte else { return 0.000_05 }
        let left = fraction * uninterruptedSeconds - (ContinuousClock.now - firstByte).seconds
        return max(0, min(left, 0.02))
    }

    private func kill(_ worker: LivingWorker, firstByte: ContinuousClock.Instant) -> Strike {
        let moment = ContinuousClock.now
        worker.kill()
        return Strike(
            sent: true, killSeconds: (moment - worker.launched).seconds,
            secondsSinceFirstByte: (moment - firstByte).seconds)
    }
}
