internal import Fixture
internal import LoopbackHTTP
internal import OriginFaults
internal import Synchronization

/// One resource under one path of an origin, with a hold and a ledger of its own.
package final class Mount: Sendable {
    /// What is served; the first resource if every request gets another one.
    package let resource: Resource
    /// The path it is served under, such as `/12/video.mp4`.
    package let path: String
    /// All paths under which it answers: a moved resource has two.
    let paths: [String]

    /// The state, the bodies that wait for it to change, and the connections of all bodies.
    private struct Guarded: ~Copyable {
        var state: MountState
        var faults: FaultSchedule
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var connections: [Int: ClientConnection] = [:]
        var shared: SharedHold?

        /// Does not count the faults that were to end an answer early: its client left before.
        mutating func giveBack(_ ordinal: Int) { faults.giveBack(state.giveBack(ordinal)) }
    }

    private let guarded: Mutex<Guarded>
    /// Where its origin's URLs begin.
    private let base: @Sendable () -> String
    private let isSequence: Bool

    init(
        _ resource: Resource, path: String, faults: [OriginFault] = [],
        base: @escaping @Sendable () -> String, sequence: (@Sendable (Int) -> Resource)? = nil
    ) {
        (self.resource, self.path) = (resource, path)
        paths = [path] + (faults.contains { $0.kind == .moved } ? [Exchange.newHome + path] : [])
        self.base = base
        isSequence = sequence != nil
        let schedule = FaultSchedule(faults, of: resource, sequence: sequence)
        guarded = Mutex(
            Guarded(
                state: MountState(bytesPerSecond: schedule.bytesPerSecond, now: .now),
                faults: schedule))
    }

    /// The resource's URL; its port is 0 until the origin has started.
    package var url: String { base() + path }

    /// Holds bodies back once so many distinct positions have been handed out since the mount,
    /// exactly, until `release()` or `cut()`; replaces an earlier hold.
    ///
    /// A position counts once however often it is served; headers are never held.
    package func hold(afterDistinctBytes count: Int64) { change { $0.setLimit(count, now: .now) } }
    package func release() { change { $0.setLimit(nil, now: .now) } }

    /// Ends the faults that strike single answers; later requests are answered as they should be.
    package func recover() { guarded.withLock { $0.faults.end() } }

    /// Ends every body that is being sent or held, also for a client that does not read, and closes
    /// its connection; the client receives what the kernel has taken, and a hold stays in force.
    package func cut() {
        change { $0.cut(now: .now) }
        // One that waits for its client to read would not notice.
        for connection in connections { connection.shutDown() }
    }

    /// Forgets all requests so far, but not the distinct positions that a hold counts.
    package func resetLedger() { guarded.withLock { $0.state.resetLedger() } }

    /// Every request since the mount or the last reset, in order of arrival.
    package var ledger: [LedgerEntry] {
        guarded.withLock { $0.state.entries }.values.sorted { $0.ordinal < $1.ordinal }
    }

    /// When the first byte of the body of a request, counted from 1, was sent; nil before.
    package func firstByteSent(toRequest ordinal: Int) -> ContinuousClock.Instant? {
        guarded.withLock { $0.state.entries[ordinal]?.firstByteAt }
    }

    package var heldBodies: Int { guarded.withLock { $0.state.held.count } }

    /// How many distinct positions have been handed out since the mount, in bytes.
    package var distinctBytesServed: Int64 { guarded.withLock { $0.state.served.count } }

    /// Plans the answer to a request, and records it in the ledger.
    func answer(
        _ request: RequestFacts
    ) -> (ordinal: Int, plan: ResponsePlan, served: Resource?) {
        guarded.withLock { guarded in
            // One that asks again at once must not be spared because of an answer that it left.
            for (ordinal, connection) in guarded.connections where connection.isLeft {
                guarded.giveBack(ordinal)
            }
            let (plan, served, strikes) = guarded.faults.answer(request)
            let ordinal = guarded.state.begin(request, plan, strikes: strikes, now: .now)
            return (ordinal, plan, served)
        }
    }

    /// Adds a hold that several mounts share; the mount's own hold stays in force.
    package func hold(_ shared: SharedHold) { guarded.withLock { $0.shared = shared } }

    func step(_ ordinal: Int, window: Range<Int64>, paid: Int) -> MountState.Step {
        // Each request of a sequence has its own resource, so its positions are all new.
        let shift = isSequence ? Int64(ordinal) << 40 : 0
        let window = window.lowerBound + shift..<window.upperBound + shift
        return guarded.withLock { guarded in
            guard let shared = guarded.shared else {
                return guarded.state.step(ordinal, window: window, paid: paid, now: .now)
            }
            return shared.left.withLock { left in
                let before = guarded.state.served.count
                defer { left -= guarded.state.served.count - before }
                return guarded.state.step(
                    ordinal, window: window, paid: paid, now: .now, shared: left)
            }
        }
    }

    func isRunning(_ ordinal: Int) -> Bool {
        guarded.withLock { $0.state.running.contains(ordinal) }
    }

    var connections: [ClientConnection] { guarded.withLock { Array($0.connections.values) } }

    func attach(_ connection: ClientConnection, to ordinal: Int) {
        guarded.withLock { $0.connections[ordinal] = connection }
    }

    /// Counts the faults that end an answer early: its client has come to that end.
    func breakOff(_ ordinal: Int) { guarded.withLock { $0.state.breakOff(ordinal) } }

    /// Ends an answer, also one whose client had left before its head was sent.
    func end(_ ordinal: Int, _ state: LedgerEntry.State) {
        guarded.withLock { guarded in
            guarded.connections[ordinal] = nil
            guarded.giveBack(ordinal)
            guarded.state.end(ordinal, state, now: .now)
        }
    }

    /// Suspends a body until it is cut, or its task is cancelled.
    func waitForCut(_ ordinal: Int) async {
        while !Task.isCancelled {
            let version: Int? = guarded.withLock { guarded in
                guarded.state.running.contains(ordinal) ? guarded.state.version : nil
            }
            guard let version else { return }
            await waitForChange(ordinal, since: version)
        }
    }

    /// Suspends a body until the state's version is another one, or its task is cancelled.
    func waitForChange(_ ordinal: Int, since version: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before the waiter was registered found nothing to resume.
                let mustWait = guarded.withLock { guarded in
                    guard guarded.state.version == version, !Task.isCancelled else { return false }
                    guarded.waiters[ordinal] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            guarded.withLock { $0.waiters.removeValue(forKey: ordinal) }?.resume()
        }
    }

    private func change(_ body: (inout MountState) -> Void) {
        let waiters = guarded.withLock { guarded in
            body(&guarded.state)
            let waiters = guarded.waiters
            guarded.waiters = [:]
            return waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }
}

/// A number of distinct positions that several mounts may hand out together, exactly, as with one
/// mount's hold; it is never lifted: its creator cuts the mounts.
package final class SharedHold: Sendable {
    let left: Mutex<Int64>

    package init(afterDistinctBytes count: Int64) { left = Mutex(count) }

    /// True once every allowed position has been handed out.
    package var isReached: Bool { left.withLock { $0 <= 0 } }
}
