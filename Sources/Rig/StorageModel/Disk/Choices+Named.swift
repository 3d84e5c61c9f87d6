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

    /// After how many of a file's committed changes the kernel last writes its data; 0 for never.
    mutating func lastWriting(of operations: [Int]) -> Int {
        if decided != nil {
            return operations.firstIndex { decides($0, .unwritten) } ?? operations.count
        }
        let writes = !operations.isEmpty && chance(0.7)
        let last = writes ? moment(1...operations.count) : 0
        for operation in operations[last...] { note(operation, .unwritten) }
        return last
    }

    /// The last of the waiting blocks that is written; nil for all; `writer` last wrote a block.
    mutating func reach(
        _ waiting: [Int64], of operations: @autoclosure () -> [Int], writer: (Int64) -> Int?
    ) -> Int64? {
        guard waiting.count > 1 else { return nil }
        if decided != nil {
            let offsets = operations().flatMap { decided?[$0] ?? [] }.compactMap { effect in
                if case .unreached(let offset) = effect { offset } else { Int64?.none }
            }
            guard let offset = offsets.min(), let last = waiting.last, last * Block.size >= offset
            else { return nil }
            return waiting.last { Block.bytes($0).upperBound <= offset } ?? waiting[0]
        }
        guard coin() else { return nil }
        let index = pick(waiting.count - 1)
        let missing = waiting[index + 1]
        if noted != nil, let operation = writer(missing) ?? operations().last {
            note(operation, .unreached(from: missing * Block.size))
        }
        return waiting[index]
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
