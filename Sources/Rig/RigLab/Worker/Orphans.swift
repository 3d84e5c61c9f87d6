internal import CFileSystem
internal import Glibc
internal import Synchronization

/// Orphaned processes that workers have started: children of this process, which is the child
/// subreaper of its descendants (`prctl(2)`), even without their group or environment.
package enum Orphans {
    /// When this process became child subreaper, in kernel ticks; 0 where it did not.
    private static let adoptedSince = Atomic<UInt64>(0)
    /// How long a search waits for processes whose start is under way.
    private static let patience = Duration.seconds(1)
    /// The process groups of the lives under way, by the marks of the lives.
    private static let groups = Mutex<[String: Set<Int32>]>([:])

    /// Makes orphaned descendants children of this process from now on; false where it cannot;
    /// earlier children, as of a shell that became the rig by `exec`, belong to no worker.
    package static func adopt() -> Bool {
        guard ProcessFacts.read("/proc/self/task/\(getpid())/children") != nil,
            orphans_adopt() == 0
        else { return false }
        // One kernel tick: whatever starts after it is a worker's, or the rig's own.
        Pause.seconds(0.01)
        adoptedSince.store(ProcessFacts.now, ordering: .sequentiallyConsistent)
        return true
    }

    static func note(_ mark: RunMark) { groups.withLock { $0[mark.entry] = $0[mark.entry] ?? [] } }

    static func note(_ group: Int32, of mark: RunMark) {
        _ = groups.withLock { $0[mark.entry, default: []].insert(group) }
    }

    static func forget(_ mark: RunMark) { groups.withLock { $0[mark.entry] = nil } }

    /// The orphans and their descendants, except those of other launches under way; one that shows
    /// neither a known group nor a mark may belong to any, so it is included; `isCertain` gives none
    /// while another launch is under way.
    static func living(_ mark: RunMark, isCertain: Bool = false) -> [ProcessFacts] {
        let since = adoptedSince.load(ordering: .sequentiallyConsistent)
        guard since > 0 else { return [] }
        let end = ContinuousClock.now + patience
        while true {
            let (found, isSettled) = look(since: since, for: mark, mustBeAlone: isCertain)
            if isSettled || ContinuousClock.now > end { return found }
            // A process is being started, and cannot be told from an orphan yet.
            Pause.seconds(0.000_5)
        }
    }

    /// Searches once, reaps ended orphans, and says whether every child was classified.
    private static func look(
        since: UInt64, for mark: RunMark, mustBeAlone: Bool
    ) -> (found: [ProcessFacts], isSettled: Bool) {
        // Children first: each of the rig's own is recorded by then, or its start is, and so is the
        // launch of each orphan, as this may wait for one to begin.
        let children = ProcessFacts.children(of: getpid())
        let others = groups.withLock { groups in groups.filter { $0.key != mark.entry } }
        if mustBeAlone, !others.isEmpty { return ([], true) }
        let starts = OwnChildren.starts
        let own = Set(starts.compactMap(\.process))
        let pending = starts.filter { $0.process == nil }.map(\.began).min()
        var found: [ProcessFacts] = []
        var isSettled = true
        for child in children where !own.contains(child) {
            guard let facts = ProcessFacts(of: child), facts.started >= since else { continue }
            if let pending, facts.started >= pending {
                isSettled = false
            } else if facts.hasEnded {
                waitpid(child, nil, WNOHANG)
            } else if !isOf(others, facts) {
                let below = ProcessFacts.descendants(of: child)
                    .compactMap(ProcessFacts.init(of:)).filter { !$0.hasEnded }
                found += [facts] + below
            }
        }
        return (found, isSettled)
    }

    private static func isOf(_ others: [String: Set<Int32>], _ facts: ProcessFacts) -> Bool {
        guard !others.isEmpty else { return false }
        if others.values.contains(where: { $0.contains(facts.group) }) { return true }
        let entries = (ProcessFacts.read("/proc/\(facts.id)/environ") ?? []).split(separator: 0)
        return entries.contains { others[String(decoding: $0, as: UTF8.self)] != nil }
    }
}
