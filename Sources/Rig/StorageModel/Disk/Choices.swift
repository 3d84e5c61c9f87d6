internal import RigModel

/// Decides what a model leaves open: by a seed, in every possible way, or by name.
struct Choices: Sendable {
    private var random: SplitMix64
    /// What is decided, and lost, by operation; nil where a seed or a walk decides.
    private(set) var decided: [Int: [CrashDecision.Effect]]?
    /// What a seed has decided that is not as without a power cut; nil unless it is noted.
    private(set) var noted: [CrashDecision]?
    /// Of a systematic walk: what is chosen at each question of this turn, and among how many.
    private var path: [(chosen: Int, of: Int)] = []
    private var asked = 0
    /// True when every answer is given in some turn.
    let isSystematic: Bool
    /// A content that is looked for: what can be chosen by it is no question.
    private(set) var aim: SparseBytes?

    init(seed: UInt64) { (random, isSystematic) = (SplitMix64(seed: seed), false) }

    /// The same as by the seed alone, and says what it decides.
    init(notingSeed seed: UInt64) {
        self.init(seed: seed)
        noted = []
    }

    /// Decides by name; operations are numbered as in a replay.
    init(deciding decisions: some Sequence<CrashDecision>) {
        self.init(seed: 0)
        decided = Dictionary(grouping: decisions, by: \.operation).mapValues { $0.map(\.effect) }
    }

    private init() { (random, isSystematic) = (SplitMix64(seed: 0), true) }

    /// Gives every answer to every question, turn by turn; false when there are more turns.
    static func inEveryWay(most: Int, _ body: (inout Choices) -> Void) -> Bool {
        let isSo = anyWay(most: most) { choices in
            body(&choices)
            return false
        }
        return isSo == false
    }

    /// Whether there is a way in which something is so; nil when there are more, in none of which
    /// so far it was so.
    static func anyWay(
        most: Int, aim: SparseBytes? = nil, _ body: (inout Choices) -> Bool
    ) -> Bool? {
        var choices = Choices()
        choices.aim = aim
        for _ in 0..<most {
            choices.asked = 0
            if body(&choices) { return true }
            while let last = choices.path.last, last.chosen + 1 == last.of {
                choices.path.removeLast()
            }
            guard let last = choices.path.popLast() else { return false }
            choices.path.append((last.chosen + 1, last.of))
        }
        return nil
    }

    /// One of the numbers below a count, which is at least 1.
    mutating func pick(_ count: Int) -> Int {
        guard count > 1 else { return 0 }
        guard isSystematic else { return Int.random(in: 0..<count, using: &random) }
        asked += 1
        if asked > path.count { path.append((0, count)) }
        return path[asked - 1].chosen
    }

    /// True with a chance; in a systematic walk true and false, unless it is certain.
    mutating func chance(_ chance: Double) -> Bool {
        guard isSystematic else { return random.unit() < chance }
        return chance <= 0 ? false : chance >= 1 ? true : pick(2) == 1
    }

    mutating func coin() -> Bool { chance(0.5) }

    /// One of several values, which are the odds of a random walk; the middle one in a systematic.
    mutating func odds(_ values: [Double]) -> Double {
        isSystematic ? 0.5 : values[pick(values.count)]
    }

    /// A number from one to another: equally often the first, the last, or any.
    mutating func moment(_ range: ClosedRange<Int>) -> Int {
        guard !isSystematic else { return range.lowerBound + pick(range.count) }
        return switch pick(3) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: range.lowerBound + pick(range.count)
        }
    }

    /// Goes on with the bytes of a disk that spoils sectors, as they were when that was noted.
    mutating func spoil(by noise: SplitMix64) { random = noise }

    mutating func note(_ operation: Int, _ effect: CrashDecision.Effect) {
        noted?.append(CrashDecision(operation, effect))
    }

    var noise: SplitMix64 { random }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next() >> 24) }
}

/// The questions that a power cut answers, each about an operation, by which answers are told.
extension Choices {
    private func decides(_ operation: Int, _ effect: CrashDecision.Effect) -> Bool {
        decided?[operation]?.contains(effect) ?? false
    }

    /// True unless something is lost: by what is decided, or as it is drawn.
    private mutating func isFine(
        _ operation: Int, _ effect: CrashDecision.Effect, drawn: (inout Self) -> Bool
    ) -> Bool {
        if decided != nil { return !decides(operation, effect) }
        let isFine = drawn(&self)
        if !isFine { note(operation, effect) }
        return isFine
    }

    /// The last operation that the last commit holds; `times` are those by which commits differ.
    mutating func commit(_ range: ClosedRange<Int>, among times: @autoclosure () -> [Int]) -> Int {
        if let decided {
            let first = decided.filter { $0.value.contains(.uncommitted(part: 0)) }.keys.min()
            return max(range.lowerBound, first.map { $0 - 1 } ?? range.upperBound)
        }
        let committed = moment(range)
        guard noted != nil else { return committed }
        for time in times() where time > committed { note(time, .uncommitted(part: 0)) }
        return committed
    }

    mutating func keeps(_ operation: Int, part: Int, chance: Double) -> Bool {
        isFine(operation, .uncommitted(part: part)) { $0.chance(chance) }
    }

    mutating func isCarriedOut(_ operation: Int, part: Int = 0) -> Bool {
        isFine(operation, .notCarriedOut(part: part)) { $0.coin() }
    }

    /// After how many of a file's committed changes the kernel last writes its data, 0 for never,
    /// and did so before, 0 for once at most; `additions` are those after which more waits.
    ///
    /// An earlier moment is drawn only right after more had to wait: at a later one it would write
    /// the same blocks, with more of what may be lost in them (``JournalledFile``). A walk asks for
    /// it first, so that it begins with all that comes of one moment.
    mutating func writings(
        of operations: [Int], additions: @autoclosure () -> [Int]
    ) -> (earlier: Int, last: Int) {
        if decided != nil {
            let last = operations.firstIndex { decides($0, .unwritten) } ?? operations.count
            let earlier = operations.prefix(last).firstIndex { writtenBefore($0) != nil }
            return (earlier ?? 0, last)
        }
        let moments = operations.count > 1 ? additions() : []
        if moments.count > 1, chance(0.4) {
            let first = pick(moments.count - 1)
            let last = moments[first + 1 + pick(moments.count - first - 1)]
            for operation in operations[last...] { note(operation, .unwritten) }
            return (moments[first], last)
        }
        let writes = !operations.isEmpty && chance(0.7)
        let last = writes ? moment(1...operations.count) : 0
        for operation in operations[last...] { note(operation, .unwritten) }
        return (0, last)
    }

    /// How far the kernel had written a file's data right before an operation; nil if it had not.
    private func writtenBefore(_ operation: Int) -> Int64? {
        decided?[operation]?.compactMap { effect -> Int64? in
            if case .writtenBefore(let end) = effect { end } else { nil }
        }.min()
    }

    /// How many of the waiting blocks are written at the earlier moment, right before an operation.
    mutating func earlierReach(_ waiting: [Int64], before operation: Int) -> Int {
        if decided != nil {
            let end = writtenBefore(operation) ?? 0
            return waiting.prefix { Block.bytes($0).upperBound <= end }.count
        }
        let isAll = waiting.count < 2 || coin()
        let count = isAll ? waiting.count : 1 + pick(waiting.count - 1)
        let end = isAll ? .max : Block.bytes(waiting[count - 1]).upperBound
        note(operation, .writtenBefore(to: end))
        return count
    }

    /// How many of the waiting blocks are written, in order from a block on, then those before it;
    /// `writer` last wrote a block.
    mutating func reach(
        _ waiting: [Int64], from start: Int64, of operations: @autoclosure () -> [Int],
        writer: (Int64) -> Int?
    ) -> Int {
        guard let last = waiting.last, waiting.count > 1 else { return waiting.count }
        if decided != nil {
            let offsets = operations().flatMap { decided?[$0] ?? [] }.compactMap { effect in
                if case .unreached(let offset) = effect { offset } else { Int64?.none }
            }
            /// Offsets by when they are written.
            func place(_ offset: Int64) -> Int64 {
                offset < start * Block.size ? offset + (1 << 62) : offset
            }
            guard let end = offsets.map(place).min(), place(last * Block.size) >= end else {
                return waiting.count
            }
            return max(1, waiting.prefix { place($0 * Block.size) + Block.size <= end }.count)
        }
        guard coin() else { return waiting.count }
        let index = pick(waiting.count - 1)
        let missing = waiting[index + 1]
        if noted != nil, let operation = writer(missing) ?? operations().last {
            note(operation, .unreached(from: missing * Block.size))
        }
        return index + 1
    }

    /// Whether the data that operations wrote to these positions, in blocks of a file, is there.
    mutating func isThere(_ range: Range<Int64>, of operations: @autoclosure () -> [Int]) -> Bool {
        if decided != nil {
            return !operations().contains { operation in
                decided?[operation]?.contains { effect in
                    if case .zeros(let zeros) = effect { zeros.overlaps(range) } else { false }
                } ?? false
            }
        }
        let isThere = coin()
        guard !isThere, noted != nil else { return isThere }
        for operation in operations() { note(operation, .zeros(range)) }
        return isThere
    }

    mutating func hasLengthOnly(_ operation: Int) -> Bool {
        !isFine(operation, .lengthOnly) { !$0.chance(0.25) }
    }

    mutating func clearsTail(_ operation: Int) -> Bool {
        !isFine(operation, .tailCleared) { !$0.coin() }
    }
}
