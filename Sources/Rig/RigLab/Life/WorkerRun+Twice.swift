internal import RigModel
internal import Synchronization

/// Two instances of a worker at the same moment, in the same folder.
extension WorkerRun {
    /// Watches two instances until both have ended.
    ///
    /// - Parameters:
    ///   - monitor: what watches the first.
    ///   - besides: what watches the second.
    /// - Returns: how each ended.
    /// - Throws: as ``attend(_:wrap:)``.
    func attendTwice(
        _ monitor: WorkerMonitor, _ besides: WorkerMonitor
    ) async throws -> (first: End<Milestones>, second: End<Milestones>) {
        try prepare()
        let instances = RunningInstances()
        let beside = Mutex<End<Milestones>?>(nil)
        var first = try await context.settle(in: folder, wasKilled: { $0.wasEnded }) { traces in
            async let end = second.instance(besides, of: instances, traces: traces)
            // Otherwise the second could be taken for a process that the first has left.
            await onOwnThread { instances.waitForOne() }
            let own = try await instance(monitor, of: instances, traces: traces)
            let other = try await end
            beside.withLock { $0 = other }
            return own
        }
        guard var other = beside.withLock({ $0 }) else {
            throw RigError(.failure, "the second instance left no observation; report this")
        }
        other.memoryKills = first.memoryKills
        first.complaint = WorkerLog.tail(folder.log)
        other.complaint = WorkerLog.tail(second.folder.log)
        return (first, other)
    }

    private func instance(
        _ monitor: WorkerMonitor, of instances: RunningInstances, traces: ProcessReaper
    ) async throws -> End<Milestones> {
        // Otherwise the first would wait forever for a second that cannot be launched.
        defer { instances.note(launched: false) }
        let (death, observed) = try await start(confined(worker.command), traces: traces) {
            process in
            instances.note(launched: true)
            let observed = monitor.attend(process)
            // While the other one runs, its files change, and they are not an orphan's.
            if instances.isLast(), !observed.wasEnded { traces.lookBehind(process) }
            return observed
        }
        return End(death: death, observed: observed)
    }
}

/// Counts the instances of a worker that are running.
private final class RunningInstances: Sendable {
    private struct State {
        var running = 0
        var isOneThrough = false
    }

    private let state = Mutex(State())

    /// Records that an instance is running, or that its launch is over, even if it failed.
    func note(launched: Bool) {
        state.withLock {
            if launched { $0.running += 1 }
            $0.isOneThrough = true
        }
    }

    /// Records the end of an instance; true when no other is running.
    func isLast() -> Bool {
        state.withLock {
            $0.running -= 1
            return $0.running == 0
        }
    }

    /// Blocks until one has been launched, or has failed to launch.
    func waitForOne() {
        while !state.withLock({ $0.isOneThrough }) { Pause.seconds(0.000_5) }
    }
}
