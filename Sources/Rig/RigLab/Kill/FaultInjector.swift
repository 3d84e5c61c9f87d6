internal import Glibc
internal import RigModel

/// Ends a worker at the planned moment, and tells whether it caused the death (T9): one that is
/// already exiting is left to die, as it must not count as killed.
struct FaultInjector: Sendable {
    private let fault: Fault.Facts
    private let shortage: MemoryShortage?
    private let patienceSeconds: Double
    private let graceSeconds: Double

    struct Strike: Sendable {
        var sent: Bool
        var asked: AskedEnd?
        var killedAt: ContinuousClock.Instant?
    }

    init(
        _ fault: Fault, for worker: LivingWorker, patienceSeconds: Double = 5,
        graceSeconds: Double = 0
    ) {
        (self.fault, self.patienceSeconds) = (fault.facts, patienceSeconds)
        self.graceSeconds = graceSeconds
        shortage =
            try? self.fault.way == .shortage
            ? MemoryShortage(environment: worker.environment) : nil
    }

    func killWorker(_ worker: LivingWorker) -> Strike {
        if worker.isDying(of: fault.signal) {
            awaitDeath(worker)
            return Strike(sent: false)
        }
        switch fault.way {
        case .signal:
            worker.send(fault.signal)
            awaitDeath(worker)
            return Strike(sent: true)
        case .request: return askToEnd(worker)
        case .shortage:
            shortage?.begin(for: worker)
            awaitDeath(worker)
            return Strike(sent: shortage?.end() ?? false)
        case .filling: return Strike(sent: worker.fillDisk())
        case .kill:
            worker.kill()
            return Strike(sent: true)
        }
    }

    /// How often the processes of a worker are looked for whose first one has ended.
    private static let othersLook = 0.002

    /// Asks all of the worker's group to end, once, as a service manager and Ctrl-C do (a shell that
    /// waits for its program would end alone), and kills what is left when the grace is over.
    private func askToEnd(_ worker: LivingWorker) -> Strike {
        let ending = ProcessEnding(of: worker.processID)
        let asked = ContinuousClock.now
        worker.askGroup()
        var killedAt: ContinuousClock.Instant?
        var othersWereKilled: Bool?
        while true {
            let isAlive = worker.isAlive
            guard isAlive || worker.hasOthers else { break }
            let left = graceSeconds - (ContinuousClock.now - asked).seconds
            guard left > 0 else {
                killedAt = .now
                othersWereKilled = isAlive ? nil : true
                worker.kill()
                awaitDeath(worker)
                break
            }
            if isAlive {
                ending.wait(atMost: left)
            } else {
                Pause.seconds(min(left, Self.othersLook))
            }
        }
        let end = AskedEnd(
            graceSeconds: graceSeconds, seconds: (ContinuousClock.now - asked).seconds,
            wasKilled: killedAt != nil, othersWereKilled: othersWereKilled)
        return Strike(sent: true, asked: end, killedAt: killedAt)
    }

    func clear() { shortage?.remove() }

    /// Waits for the death, and kills a worker that survives; its end then shows signal 9.
    private func awaitDeath(_ worker: LivingWorker) {
        let deadline = ContinuousClock.now + .seconds(patienceSeconds)
        while worker.isAlive {
            if ContinuousClock.now > deadline { worker.kill() }
            Pause.seconds(0.000_2)
        }
    }
}

extension LivingWorker {
    /// True once the process is exiting, or has a fatal signal pending, so that a signal sent now
    /// is not what ends it; it counts as alive until the kernel is done with it.
    func isDying(of signal: Int32) -> Bool {
        ProcessState(of: processID)?.isDying(of: signal) ?? true
    }
}

extension Fault {
    /// The variables with which a worker dies of the fault as it would elsewhere: Swift's runtime
    /// can respond to a crash with a backtrace that takes seconds.
    var workerEnvironment: [String: String] {
        facts.dumpsCore ? ["SWIFT_BACKTRACE": "enable=no"] : [:]
    }

    /// Disables core dumps of this process's children where the fault causes some: each takes time,
    /// and none is ever read.
    func forbidImages() {
        guard facts.dumpsCore else { return }
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_max > 0 else { return }
        // One byte, not 0: a core dump that goes to a pipe is still made with a limit of 0, but
        // not with a limit of 1 (core(5)).
        limit.rlim_cur = 1
        setrlimit(resource, &limit)
    }
}
