internal import RigModel

/// A launch before the one that is killed: it did a part of the work, and was asked to end (T12).
struct EarlierLife: Sendable {
    /// What it has left; nil if that is not known.
    let left: ByteRanges?
    /// How it ended, and what it has lost of what it had acknowledged.
    let end: LifeEnd

    /// Compares what a launch has acknowledged with what it has left.
    ///
    /// The launch that is killed begins with what was left. Without this comparison, everything
    /// could be gone by then.
    ///
    /// - Parameters:
    ///   - end: how it ended.
    ///   - page: its page.
    ///   - left: its state; nil for a worker whose state is not inspected.
    ///   - contract: what the worker promises.
    init(
        _ end: LifeEnd, page: WitnessWatch, left: StateExamination?, _ contract: WorkerContract
    ) {
        self.left = left?.autopsy?.recovered
        var end = end
        switch (left, contract.hasWitness ? page.look() : nil) {
        case (let left?, .success(let reading)?) where left.isOfTheWorker:
            let there = left.autopsy?.recovered ?? ByteRanges()
            end.forgotten = EvictionLedger(reading, stays: there).acknowledged.subtracting(there)
        case (let left?, _) where end.isGood && !left.isOfTheWorker:
            end.excuse =
                "the state after a launch before the kill could not be read: "
                + (left.complaint ?? "")
        case (_?, .failure?) where end.isGood:
            end.excuse = "the page of a launch before the kill gives no reading"
        default: break
        }
        self.end = end
    }
}
