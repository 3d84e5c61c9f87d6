internal import Synchronization

#if os(Linux)
    internal import CFileSystem
    internal import Foundation
    internal import Glibc
#endif

/// Processes that workers have started and whose parents are gone: they are this process's children
/// now, since it is the subreaper of all that is below it (`prctl(2)`).
///
/// A process can leave its group and drop its environment; whose descendant it is it cannot change.
package enum Orphans {
    /// When this process began to adopt, in the kernel's ticks; 0 where it does not.
    private static let adoptedSince = Atomic<UInt64>(0)
    /// How long a look waits for processes that are about to be started.
    private static let patience = Duration.seconds(1)
    /// The process groups of the lives under way, by the marks of the lives.
    private static let groups = Mutex<[String: Set<Int32>]>([:])

    /// Has orphans become children of this process from now on.
    ///
    /// A child that is there already is none of a worker's: a shell that has become the rig may have
    /// had some.
    ///
    /// - Returns: false where the system cannot do that.
    package static func adopt() -> Bool {
        #if os(Linux)
            guard ProcessFacts.read("/proc/self/task/\(getpid())/children") != nil,
                orphans_adopt() == 0
            else { return false }
            // What is started within this hundredth of a second is a worker's, or the rig's own.
            Pause.seconds(0.01)
            adoptedSince.store(ProcessFacts.now, ordering: .sequentiallyConsistent)
            return true
        #else
            return false
        #endif
    }

    /// Notes a life that is about to begin.
    static func note(_ mark: RunMark) {
        groups.withLock { $0[mark.entry] = $0[mark.entry] ?? [] }
    }

    /// Notes a program of a life under way, by its process group.
    static func note(_ group: Int32, of mark: RunMark) {
        _ = groups.withLock { $0[mark.entry, default: []].insert(group) }
    }

    /// Notes that a life is over.
    static func forget(_ mark: RunMark) {
        groups.withLock { $0[mark.entry] = nil }
    }

    /// The orphans that are there, and all that is below them, but for those of other lives under
    /// way; one that has dropped what would tell may be any life's.
    ///
    /// - Parameter mark: the life's.
    /// - Returns: none where the system does not give orphans to this process.
    static func living(_ mark: RunMark) -> [RunProcess] {
        #if os(Linux)
            let since = adoptedSince.load(ordering: .sequentiallyConsistent)
            guard since > 0 else { return [] }
            let others = groups.withLock { groups in groups.filter { $0.key != mark.entry } }
            let end = ContinuousClock.now + patience
            while true {
                let (found, isCertain) = look(since: since, besides: others)
                if isCertain || ContinuousClock.now > end { return found }
                // A process is being started, and cannot be told from an orphan yet.
                Pause.seconds(0.000_5)
            }
        #else
            []
        #endif
    }

    #if os(Linux)
        /// One look, which reaps what has ended, and says whether it could tell of all.
        private static func look(
            since: UInt64, besides others: [String: Set<Int32>]
        ) -> (found: [RunProcess], isCertain: Bool) {
            // First the children: one that is there has been noted by then, or its start has.
            let children = ProcessFacts.children(of: getpid())
            let starts = OwnChildren.starts
            let own = Set(starts.compactMap(\.process))
            let pending = starts.filter { $0.process == nil }.map(\.began).min()
            var found: [RunProcess] = []
            var isCertain = true
            for child in children where !own.contains(child) {
                guard let facts = ProcessFacts(of: child), facts.started >= since else { continue }
                if let pending, facts.started >= pending {
                    isCertain = false
                } else if facts.hasEnded {
                    waitpid(child, nil, WNOHANG)
                } else if !isOf(others, facts) {
                    let below = ProcessFacts.descendants(of: child)
                        .compactMap(ProcessFacts.init).filter { !$0.hasEnded }
                    found += ([facts] + below).map(RunProcess.init)
                }
            }
            return (found, isCertain)
        }

        private static func isOf(_ others: [String: Set<Int32>], _ facts: ProcessFacts) -> Bool {
            guard !others.isEmpty else { return false }
            if others.values.contains(where: { $0.contains(facts.group) }) { return true }
            let entries = (ProcessFacts.read("/proc/\(facts.id)/environ") ?? []).split(separator: 0)
            return entries.contains { others[String(decoding: $0, as: UTF8.self)] != nil }
        }
    #endif
}
