/// The rig's side of the page: reads it while the worker lives and after its death, and holds the
/// worker in a phase.
public final class WitnessReader: Sendable {
    private let page: WitnessMapping

    /// Maps the page; an absent file is created, and is not valid until a worker writes it.
    ///
    /// - Parameter path: the file that `RIG_WITNESS` names to the worker.
    /// - Throws: ``WitnessError`` when the file cannot be mapped.
    public init(path: String) throws(WitnessError) { page = try WitnessMapping(path: path) }

    /// True once a worker has begun the page in a layout that this reader knows.
    public var isWritten: Bool {
        page.load64(0) == WitnessLayout.magic
            && page.load32(WitnessLayout.versionOffset) == WitnessLayout.version
            && page.load32(WitnessLayout.slotCountOffset) == UInt32(WitnessLayout.slotCount)
    }

    /// The worker's phase; nil when the page is not written or names an unknown phase.
    public var phase: WitnessPhase? {
        isWritten ? WitnessPhase(rawValue: page.load32(WitnessLayout.phaseOffset)) : nil
    }

    /// How often the worker has entered a phase from another one; 0 when the page is not written.
    public func entries(of phase: WitnessPhase) -> UInt64 {
        isWritten ? page.entries(of: phase.rawValue) : 0
    }

    /// The number of the worker's threads that a hold keeps from leaving its phase.
    public var waiting: UInt64 { page.load64(WitnessLayout.waitingOffset) }

    /// Holds the worker in a phase once it has entered the phase `entry` times.
    ///
    /// To be called before the worker is launched. A running worker that is about to leave the
    /// phase, or has entered it more often, may have left it before the hold is written.
    ///
    /// - Parameters:
    ///   - phase: the phase to hold the worker in.
    ///   - entry: the number of the phase's entry, from 1.
    public func hold(_ phase: WitnessPhase, entry: UInt64) {
        page.store32(WitnessLayout.version, at: WitnessLayout.versionOffset)
        page.store64(max(1, entry) << 8 | UInt64(phase.rawValue), at: WitnessLayout.holdOffset)
    }

    /// Lifts the hold, so that the worker goes on.
    public func liftHold() { page.store64(0, at: WitnessLayout.holdOffset) }

    /// Commits that have returned since the worker started.
    public var commits: UInt64 { page.load64(WitnessLayout.commitsOffset) }

    /// Requests begun since the worker started, including those with a slot that was reused.
    public var requestsBegun: UInt64 { page.load64(WitnessLayout.requestsOffset) }

    /// The evictions that the worker announced, in order; nil when there were more than the page
    /// can hold.
    public var evictions: [WitnessEviction]? {
        guard isWritten else { return [] }
        let number = page.load64(WitnessLayout.evictionsOffset)
        guard number <= WitnessLayout.slotCount else { return nil }
        return (0..<Int(number)).map(page.eviction)
    }

    /// The requests that the page still holds, in the order they began.
    public var records: [WitnessRecord] {
        slots(from: 0).compactMap(\.self).sorted { $0.ordinal < $1.ordinal }
    }

    /// The records of the slots that requests have reached, without the first `count` of them.
    ///
    /// Slots are taken in order, and the slot of an ended request does not change until it is
    /// reused: a frequent reader can leave those out.
    ///
    /// - Parameter count: the number of slots to leave out; not negative.
    /// - Returns: the records in slot order; nil for a request that is counted but not stored yet.
    public func slots(from count: Int) -> [WitnessRecord?] {
        guard isWritten else { return [] }
        let reached = Int(min(requestsBegun, UInt64(WitnessLayout.slotCount)))
        return (min(count, reached)..<reached).map(page.record(slot:))
    }
}
