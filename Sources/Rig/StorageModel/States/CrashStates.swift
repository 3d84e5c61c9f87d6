package import RigModel

/// The different states that a power cut at one moment can leave: drawn, or those of a sweep.
package struct CrashStates: Sendable {
    /// So many draws in a row that give nothing new mean that there are no others.
    private static let mostRepeats = 64

    /// What the program did that is not known, in words: with any, no cut leaves these states.
    package let unseen: [String]
    /// What of each file was not synced at the cut: the same for each state.
    package let unsyncedFiles: [UnsyncedFileFacts]
    private let replay: StorageReplay
    package let seed: UInt64
    /// The seed of the state that was drawn at last.
    package private(set) var last: UInt64
    private var random: SplitMix64
    private var seen: Set<Int> = []
    package let choice: StateChoice
    private var sweep: CrashSweep?

    /// The states after a recorded life; all follow from the seed of the first.
    ///
    /// The places in the program of its operations, by their ordinals, decide what a sweep tries
    /// first.
    package init(
        after replay: StorageReplay, seed: UInt64, _ choice: StateChoice = .drawn(1),
        unseen: [String] = [], places: [Int: [StackPlace]] = [:]
    ) {
        (self.replay, self.unseen) = (replay, unseen)
        unsyncedFiles = replay.unsyncedFiles
        self.choice = choice
        (self.seed, last) = (seed, seed)
        random = SplitMix64(seed: seed)
        if case .sweep(let most) = choice {
            sweep = CrashSweep(of: replay, seed: seed, most: most, places: places)
        }
    }

    /// How much of the sweep was tried; nil where states are drawn.
    package var coverage: SweepCoverage? { sweep?.coverage }

    /// What was decided in the last state; nil for one that was drawn and that no decisions give.
    package var decisions: [CrashDecision]? {
        sweep?.decisions ?? replay.drawn(seed: last).decisions
    }

    package mutating func next() -> CrashImage? {
        guard sweep == nil else { return sweep?.next() }
        for _ in 0..<Self.mostRepeats {
            last = seen.isEmpty ? seed : random.next()
            var choices = Choices(seed: last)
            let image = replay.afterCut(using: &choices)
            if seen.insert(image.hashValue).inserted { return image }
        }
        return nil
    }
}

extension StorageReplay {
    /// What of each file is not synced now, by path; names alone count for their folder.
    package var unsyncedFiles: [UnsyncedFileFacts] {
        var found: [String: (operations: Int, bytes: Int64)] = [:]
        let changes = Dictionary(
            entries.map { (ordinals[$0.time - 1], $0.change) }, uniquingKeysWith: { one, _ in one })
        let paths = Dictionary(
            names.nodes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
        for operation in unsynced {
            let change: NameChange? = changes[operation.ordinal] ?? nil
            let path =
                operation.file.map { paths[.file($0)] ?? "a file without a name" }
                ?? change?.folders.min() ?? "."
            found[path, default: (0, 0)].operations += 1
            found[path, default: (0, 0)].bytes += Int64(operation.written?.count ?? 0)
        }
        return found.sorted { $0.key < $1.key }.map {
            UnsyncedFileFacts(path: $0.key, operations: $0.value.operations, bytes: $0.value.bytes)
        }
    }
}
