internal import RigModel
internal import Synchronization

/// What a life's programs have left in the table of processes.
final class LifeTraces: Sendable {
    private struct State {
        var groups: Set<Int32> = []
        var lingering: [RunProcess]?
        var wroteOn = false
    }

    private let mark: RunMark
    private let folder: IterationFolder
    private let state = Mutex(State())

    /// The traces of a life that has not begun.
    ///
    /// - Parameter folder: where its processes work, by which they are known.
    init(in folder: IterationFolder) {
        mark = RunMark(
            entry: "\(WorkerLife.markVariable)=\(folder.realPath)", folder: folder.realPath)
        self.folder = folder
        Orphans.note(mark)
    }

    /// Notes a program that was launched in a group of its own.
    func note(_ group: Int32) {
        Orphans.note(group, of: mark)
        _ = state.withLock { $0.groups.insert(group) }
    }

    deinit { Orphans.forget(mark) }

    /// Looks for what goes on after a program has ended by itself, before its group is killed: a
    /// program that goes into the background may not have left its group yet.
    ///
    /// - Parameter program: the one that has ended; what belongs to another one may go on.
    func lookBehind(_ program: LivingWorker) {
        let others = state.withLock { $0.groups }.subtracting([program.processID])
        let written = folder.bytesOnDisk
        let lingering = RunProcesses.lingering(mark, besides: others)
        // One that has gone by now may have done meanwhile what the program had said was done.
        let wroteOn = folder.bytesOnDisk != written
        state.withLock {
            $0.lingering = lingering
            $0.wroteOn = wroteOn
        }
    }

    /// True when something went on writing after the program had ended by itself.
    var wroteOn: Bool { state.withLock { $0.wroteOn } }

    /// Waits until nothing is left, and kills what nothing else has killed.
    ///
    /// - Parameters:
    ///   - wasKilled: true when the life was ended by a kill.
    ///   - death: how it ended.
    /// - Returns: what lived on, if the worker is to be blamed for it.
    func clear(wasKilled: Bool, death: Death) -> [RunProcess] {
        let (groups, lingering) = state.withLock { ($0.groups, $0.lingering) }
        // Nothing was there, and nothing can have come since.
        if let lingering, lingering.isEmpty, groups.count == 1 { return [] }
        let left = RunProcesses.clear(mark, groups: groups, wasKilled: wasKilled)
        // What a program that fails leaves in its group dies with it.
        return left.isEmpty && death == .exited(0) ? lingering ?? [] : left
    }
}
