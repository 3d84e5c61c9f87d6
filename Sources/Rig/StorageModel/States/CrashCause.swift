internal import RigModel

/// The smallest cause of a failure after a power cut: what had to be lost, and what be there.
package struct CrashCause: Sendable, Hashable {
    /// The decisions that remain: without any of them the failure does not come.
    package let decisions: [CrashDecision]
    /// The earliest operation after the lost ones that has to be there; nil where none has.
    package let kept: Int?

    /// The operations of which something was lost, in order: on a disk with a journal the first
    /// that no commit holds tells when the power failed, and counts only where nothing else does.
    package let lost: [Int]

    init(_ decisions: [CrashDecision], kept: Int?, on disk: DiskModel) {
        (self.decisions, self.kept) = (decisions, kept)
        let losses = Self.losses(decisions, on: disk).filter(\.takes)
        lost = Set(losses.map(\.operation)).sorted()
    }

    /// The decisions that take something away, without that about the last commit.
    static func losses(_ decisions: [CrashDecision], on disk: DiskModel) -> [CrashDecision] {
        let others = decisions.filter { $0.effect != .uncommitted(part: 0) }
        return disk.hasJournal && others.contains(where: \.takes) ? others : decisions
    }
}

package final class CrashCauseSearch {
    private let log: StorageLog
    private let replay: StorageReplay
    /// Whether a state fails; nil where that cannot be told: it neither fails nor passes.
    private let judge: (CrashImage) async throws -> Bool?
    private var known: [Int: Bool?] = [:]
    package private(set) var probes = 0
    package private(set) var undecided = 0

    package init(
        of log: StorageLog, after replay: StorageReplay,
        judge: @escaping (CrashImage) async throws -> Bool?
    ) { (self.log, self.replay, self.judge) = (log, replay, judge) }

    package func fails(_ image: CrashImage) async throws -> Bool {
        try await outcome(of: image) ?? false
    }

    func passes(_ image: CrashImage) async throws -> Bool {
        try await !(outcome(of: image) ?? true)
    }

    private func outcome(of image: CrashImage) async throws -> Bool? {
        if let known = known[image.hashValue] { return known }
        probes += 1
        let outcome = try await judge(image)
        if outcome == nil { undecided += 1 }
        known.updateValue(outcome, forKey: image.hashValue)
        return outcome
    }

    /// The cause of a failing state; nil when the state of these decisions does not fail.
    package func cause(of decisions: [CrashDecision]) async throws -> CrashCause? {
        guard try await fails(replay.state(deciding: decisions)) else { return nil }
        let operations = Dictionary(grouping: decisions, by: \.operation)
            .sorted { $0.key < $1.key }.map(\.value)
        let some = try await smallest(of: operations).flatMap(\.self)
        let single = try await smallest(of: some.map { [$0] }).flatMap(\.self)
        let smallest = try await withLaterCommit(single)
        return CrashCause(smallest, kept: try await kept(with: smallest), on: replay.disk)
    }

    private func smallest(of groups: [[CrashDecision]]) async throws -> [[CrashDecision]] {
        try await DeltaDebugging.smallest(of: groups) { part in
            try await self.fails(self.replay.state(deciding: part.flatMap(\.self)))
        }
    }

    /// The same with the last commit as late as it can be.
    private func withLaterCommit(_ decisions: [CrashDecision]) async throws -> [CrashDecision] {
        let committed = CrashDecision.Effect.uncommitted(part: 0)
        guard replay.disk.hasJournal, let first = decisions.first(where: { $0.effect == committed })
        else { return decisions }
        let rest = decisions.filter { $0.effect != committed }
        let later = replay.unsynced.map(\.ordinal).filter { $0 > first.operation }
        let latest = try await Self.border(-1, later.count) { index in
            let tried = rest + [CrashDecision(later[index], committed)]
            return try await !self.fails(self.replay.state(deciding: tried))
        }
        return latest == 0 ? decisions : rest + [CrashDecision(later[latest - 1], committed)]
    }

    /// The first number that is beyond a border, between one that is not and one that is.
    private static func border(
        _ before: Int, _ beyond: Int, isBeyond: (Int) async throws -> Bool
    ) async rethrows -> Int {
        var (low, high) = (before, beyond)
        while high - low > 1 {
            let middle = (low + high) / 2
            if try await isBeyond(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// The earliest operation with which a power cut right after it shows the failure, too.
    private func kept(with decisions: [CrashDecision]) async throws -> Int? {
        let losses = CrashCause.losses(decisions, on: replay.disk)
        guard let lost = losses.map(\.operation).max(), let begin = log.index(of: lost) else {
            return nil
        }
        func fails(_ count: Int) async throws -> Bool {
            let replay = try StorageReplay(of: log, cut: count, on: self.replay.disk)
            return try await self.fails(replay.state(deciding: losses))
        }
        // Without the decision about the last commit, the power fails where that was.
        var end = log.operations.count
        if losses.count < decisions.count,
            let last = decisions.first(where: { $0.effect == .uncommitted(part: 0) }),
            let index = log.index(of: last.operation)
        {
            end = index
        }
        if try await fails(begin + 1) { return nil }
        guard try await fails(end) else { return nil }
        return log.operations[try await Self.border(begin + 1, end, isBeyond: fails) - 1].ordinal
    }
}
