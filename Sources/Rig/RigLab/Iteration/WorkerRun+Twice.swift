internal import RigModel
internal import Synchronization

extension WorkerRun {
    /// Watches two instances until both have ended; the one that completed the work comes first.
    func attendTwice(
        _ monitor: WorkerMonitor, _ besides: WorkerMonitor
    ) async throws -> (end: Launch<Milestones>, other: Launch<Milestones>) {
        try prepare()
        let instances = InstanceCount()
        let traces = try ProcessReaper(in: folder)
        async let there = second.instance(besides, of: instances, traces: traces)
        var end = try await instance(monitor, of: instances, traces: traces)
        var other = try await there
        if end.death != .exited(0), other.death == .exited(0) { swap(&end, &other) }
        end = try await traces.settle(
            end, of: worker.name, wasKilled: end.observed.wasEnded || other.observed.wasEnded)
        other.memoryKills = end.memoryKills
        return (end, other)
    }

    private func instance(
        _ monitor: WorkerMonitor, of instances: InstanceCount, traces: ProcessReaper
    ) async throws -> Launch<Milestones> {
        let (death, observed) = try await start(confined(worker.command), traces: traces) {
            process in
            let observed = monitor.attend(process)
            // While the other one runs, its files change, and they are not an orphan's.
            if instances.endsLast(), !observed.wasEnded { traces.lookBehind(process) }
            return observed
        }
        return Launch(death: death, observed: observed, complaint: WorkerLog.tail(folder.log))
    }
}

private final class InstanceCount: Sendable {
    private let left = Mutex(2)

    /// Records that an instance has ended; true for the second to end.
    func endsLast() -> Bool {
        left.withLock {
            $0 -= 1
            return $0 == 0
        }
    }
}
