internal import RigModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What ends a worker at the planned moment, and knows whether the death is its own doing (T9).
///
/// A worker that dies by itself is never taken for killed: it is looked at right before the blow,
/// and one that is on its way out already is left to die. What ended it is then for the evidence
/// to say.
struct Deathblow: Sendable {
    private let fault: Fault
    private let shortage: MemoryShortage?
    private let patienceSeconds: Double

    /// Prepares the death of a worker that has just been launched.
    ///
    /// - Parameters:
    ///   - fault: what is to happen to it.
    ///   - worker: the worker.
    ///   - patienceSeconds: how long it may live after what should have ended it.
    init(_ fault: Fault, for worker: LivingWorker, patienceSeconds: Double = 5) {
        self.fault = fault
        self.patienceSeconds = patienceSeconds
        shortage = fault == .oom ? MemoryShortage(for: worker) : nil
    }

    /// Ends the worker, and waits until it is dead where that is not certain.
    ///
    /// - Parameter worker: a worker that is alive, as far as is known.
    /// - Returns: true when it was alive until now and the blow is what it dies of; whether it did
    ///   is then to be seen from how it ended.
    func strike(_ worker: LivingWorker) -> Bool {
        if worker.isDying(of: fault.signal) {
            awaitDeath(worker)
            return false
        }
        switch fault {
        case .abort, .segv:
            worker.send(fault.signal)
            awaitDeath(worker)
            return true
        case .oom:
            shortage?.begin()
            awaitDeath(worker)
            return shortage?.end() ?? false
        case .sigkill, .powerCut, .powerCutTorn:
            worker.kill()
            return true
        }
    }

    /// Takes away what was put up for the death; to be called whether it came or not.
    func clear() {
        shortage?.remove()
    }

    /// A worker may outlive what should have ended it: it then dies of signal 9, which tells.
    private func awaitDeath(_ worker: LivingWorker) {
        let deadline = ContinuousClock.now + .seconds(patienceSeconds)
        while worker.isAlive {
            if ContinuousClock.now > deadline { worker.kill() }
            Pause.seconds(0.000_2)
        }
    }
}

extension Fault {
    /// True for a death of which the kernel would leave an image of the process's memory.
    var dumpsCore: Bool { self == .abort || self == .segv }

    /// What the worker's environment needs so that it dies of the fault as it would anywhere.
    ///
    /// Swift's runtime can answer a crash with a backtrace that takes seconds; the death of any
    /// other program has no such delay.
    var workerEnvironment: [String: String] {
        dumpsCore ? ["SWIFT_BACKTRACE": "enable=no"] : [:]
    }
}
