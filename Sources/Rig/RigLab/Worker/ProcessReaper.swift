internal import RigModel
internal import Synchronization

final class ProcessReaper: Sendable {
    private struct State {
        var groups: Set<Int32> = []
        var wasAsked = false
        var lingering: [ProcessFacts]?
        var writtenAfterwards: String?
    }

    private let mark: RunMark
    private let folder: IterationFolder
    private let memory = MemoryWatch()
    private let state = Mutex(State())

    /// Begins a launch, whose processes are recognised by the iteration's folder.
    init(in folder: IterationFolder) throws {
        if let loss = folder.loss { throw loss }
        folder.launches.noteLaunch()
        mark = folder.mark
        self.folder = folder
        Orphans.note(mark)
    }

    func note(_ group: Int32) {
        Orphans.note(group, of: mark)
        _ = state.withLock { $0.groups.insert(group) }
    }

    deinit { Orphans.forget(mark) }

    /// The worker with all of its processes, as a checked program that starts a server is one with
    /// it: what has left the group ends with the group.
    ///
    /// The group is killed first, whose moment is the kill's; a search would put that off.
    func withOutsiders(_ worker: LivingWorker) -> LivingWorker {
        var whole = worker
        let outsiders: @Sendable () -> [ProcessFacts] = { [mark] in
            RunProcesses.living(mark, isCertain: true).filter { $0.group != worker.processID }
        }
        let ask: @Sendable () -> Void = { for process in outsiders() { process.askToEnd() } }
        whole.outsiders = outsiders
        whole.kill = {
            worker.kill()
            self.killRest(of: worker)
        }
        whole.end = {
            worker.end()
            ask()
            self.state.withLock { $0.wasAsked = true }
        }
        whole.askGroup = {
            worker.askGroup()
            ask()
        }
        whole.hasGroup = {
            worker.hasGroup() || self.state.withLock(\.wasAsked) && !outsiders().isEmpty
        }
        return whole
    }

    /// Kills what is left of a worker whose group has been killed, or whose end has been.
    func killRest(of worker: LivingWorker) {
        // Found by their parents they are found sooner than among all processes of the machine.
        let near = ProcessFacts.descendants(of: worker.processID).compactMap(ProcessFacts.init(of:))
        for process in near + Orphans.living(mark, isCertain: true) { process.kill() }
        RunProcesses.killAll(mark, isCertain: true)
    }

    /// Looks for processes that a program that has exited by itself has left, in no other program's
    /// group.
    ///
    /// Before its own group is killed, in which a background process may still be.
    func lookBehind(_ program: LivingWorker) {
        let others = state.withLock { $0.groups }.subtracting([program.processID])
        let before = folder.lastChanges
        let lingering = RunProcesses.lingering(mark, besides: others)
        // A process that has gone by now may have done what the program had reported as done.
        let written = folder.fileChanged(since: before)
        state.withLock {
            $0.lingering = lingering
            $0.writtenAfterwards = written
        }
    }

    /// Waits until no process of the launch is left; `wasKilled` says that it did not end by
    /// itself, and `mayExit` that nothing was killed, so that what is left may still exit.
    func settle(
        _ death: Death, of worker: String, wasKilled: Bool, mayExit: Bool = false
    ) async throws -> (ended: ContinuousClock.Instant?, memoryKills: Int?, outlived: [String]) {
        let ended = ContinuousClock.now
        let memoryKills = memory.kills
        let left = await onOwnThread { self.clear(wasKilled: wasKilled && !mayExit, death: death) }
        if let loss = folder.loss { throw loss }
        if wasKilled { return (ended, memoryKills, left.map(\.words)) }
        if let first = left.first {
            throw RigError(
                .unavailable,
                "the worker \(worker) left process \(first.id) (\(first.name)) running;"
                    + " run it in the foreground", isOfLeftover: true)
        } else if let file = state.withLock({ $0.writtenAfterwards }), death == .exited(0) {
            throw RigError.unavailable(
                "the worker \(worker) had ended, and a process that it left went on"
                    + " writing \(file); run it in the foreground")
        }
        return (ended, memoryKills, [])
    }

    /// Waits until no process is left, and kills the others; returns those of the worker's fault.
    private func clear(wasKilled: Bool, death: Death) -> [ProcessFacts] {
        let (groups, lingering) = state.withLock { ($0.groups, $0.lingering) }
        // None was left after the exit, and none can have appeared since.
        if let lingering, lingering.isEmpty, groups.count == 1 { return [] }
        let left = RunProcesses.clear(mark, groups: groups, wasKilled: wasKilled)
        // Processes that a failing program leaves in its group are killed with the group.
        return left.isEmpty && death == .exited(0) ? lingering ?? [] : left
    }
}

/// How many processes of the whole machine the out-of-memory killer has killed since a moment: a
/// worker may die in its own control group or in an ancestor.
struct MemoryWatch: Sendable {
    private static let counters = "/proc/vmstat"

    private let before = Self.count(in: Self.counters)

    var kills: Int? {
        guard let before, let now = Self.count(in: Self.counters) else { return nil }
        return now - before
    }

    /// The number in a file's `oom_kill` line; nil where the kernel does not count.
    static func count(in path: String) -> Int? {
        ProcessFacts.line(path, "oom_kill ").flatMap { Int($0) }
    }
}
