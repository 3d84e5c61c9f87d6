internal import RigModel

/// A launch before the one that is killed: it did a part of the work, and was asked to end (T12).
struct EarlierLife: Sendable {
    let left: ByteRanges?
    private(set) var end: LifeEnd

    /// Compares what a launch had acknowledged with what it has left for the one to be killed.
    init(
        _ end: LifeEnd, page: WitnessWatch, asked: ByteRanges?, left: StateExamination?,
        hasWitness: Bool, capacity: Int64?
    ) {
        self.left = left?.autopsy?.recovered
        self.end = end
        guard let left else { return }
        guard left.isOfTheWorker else {
            excuse(
                "the state after a launch before the kill could not be read: "
                    + (left.complaint ?? ""))
            return
        }
        guard hasWitness else { return }
        let there = self.left ?? ByteRanges()
        let reading = page.look()
        var safe = (reading.acknowledged ?? ByteRanges()).union(asked ?? ByteRanges())
        if let capacity {
            switch reading {
            case .success(let reading):
                safe = Self.safe(reading, safe, there: there, capacity: capacity)
            case .failure(.requestsMissing), .failure(.evictionsMissing):
                excuse("the page of a launch before the kill has no room for all that it counts")
                return
            // A worker that evicts rightly has a page.
            case .failure(.absent), .failure(.strangePhase): break
            }
        }
        self.end.forgotten = safe.subtracting(there)
    }

    /// What must be there of that: where everything had room, nothing was evicted rightly.
    private static func safe(
        _ reading: WitnessReading, _ acknowledged: ByteRanges, there: ByteRanges, capacity: Int64
    ) -> ByteRanges {
        guard reading.received.union(acknowledged).union(there).count > capacity else {
            return acknowledged
        }
        return acknowledged.subtracting(ByteRanges((reading.evictions ?? []).map(\.range)))
            .union(EvictionLedger(reading, stays: there).acknowledged)
    }

    /// What the rig cannot know is no finding; how the launch ended is one all the same.
    private mutating func excuse(_ reason: String) { if end.isGood { end.excuse = reason } }
}

extension Result where Success == WitnessReading, Failure == WitnessGap {
    fileprivate var acknowledged: ByteRanges? { (try? get())?.acknowledged }
}
