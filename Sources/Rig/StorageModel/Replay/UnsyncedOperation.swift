internal import RigModel

package struct UnsyncedOperation: Sendable, Hashable {
    package let ordinal: Int
    /// The file whose content it changes; nil for an operation on names alone.
    package fileprivate(set) var file: FileID?
    /// Where it writes data that is not synced; nil for an operation without.
    package fileprivate(set) var written: Range<Int64>?
    /// How many names, or other changes of the journal, it makes; 0 where these are certain.
    fileprivate(set) var parts = 0
    fileprivate(set) var returned = true

    /// By which nothing of it is on the disk; names take what the journal committed after them.
    package var omission: [CrashDecision] {
        if written != nil { return [.init(ordinal, .unwritten), .init(ordinal, .kept([]))] }
        return (0..<parts).map {
            .init(ordinal, returned ? .uncommitted(part: $0) : .notCarriedOut(part: $0))
        }
    }

    /// The decisions by which it is not in the last commit, and its data is not on the disk.
    var omissionWithAllLater: [CrashDecision] {
        omission + (0..<max(1, parts)).map { .init(ordinal, .uncommitted(part: $0)) }
    }

    package var zeros: [CrashDecision] { written.map { [.init(ordinal, .zeros($0))] } ?? [] }

    fileprivate mutating func addPart(returned: Bool) {
        parts += 1
        self.returned = returned
    }
}

extension StorageReplay {
    /// The operations of which a power cut can take something, in order.
    package var unsynced: [UnsyncedOperation] {
        // By their times, which count from 1.
        var found = ordinals.map { UnsyncedOperation(ordinal: $0) }
        for entry in entries where !entry.isCertain && (entry.time > certain || !entry.returned) {
            found[entry.time - 1].addPart(returned: entry.returned)
        }
        for (file, known) in files {
            for item in known.pending where item.change != .writeOut {
                let index = item.time - 1
                found[index].file = file
                if let range = item.change.written {
                    let all = found[index].written ?? range
                    let start = min(all.lowerBound, range.lowerBound)
                    found[index].written = start..<max(all.upperBound, range.upperBound)
                } else if disk.hasJournal, item.time > certain || !item.returned {
                    found[index].addPart(returned: item.returned)
                }
            }
        }
        return found.filter { $0.parts > 0 || $0.written != nil }
    }

    /// The crash state of some decisions: what a reader saw, without what they omit, as far as the
    /// disk's rules allow.
    ///
    /// The same decisions give the same state; those about an operation that the log does not have,
    /// or that is synced, change nothing. Every state is one that the model allows.
    package func state(deciding decisions: some Sequence<CrashDecision>) -> CrashImage {
        let times = Dictionary(zip(ordinals, 1...), uniquingKeysWith: { first, _ in first })
        var choices = Choices(
            deciding: decisions.compactMap { decision in
                times[decision.operation].map { CrashDecision($0, decision.effect) }
            })
        return afterCut(using: &choices)
    }

    /// A state that a seed draws, and the decisions that give it, in order; nil where none do, such
    /// as where a block was given to a file twice and only once written.
    package func drawn(seed: UInt64) -> (image: CrashImage, decisions: [CrashDecision]?) {
        var choices = Choices(notingSeed: seed)
        let image = afterCut(using: &choices)
        let decisions = (choices.noted ?? []).unique.sorted { $0.operation < $1.operation }
            .map { CrashDecision(ordinals[$0.operation - 1], $0.effect) }
        return (image, state(deciding: decisions) == image ? decisions : nil)
    }
}
