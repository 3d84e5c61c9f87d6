internal import Foundation
internal import RigModel
internal import Synchronization
internal import Witness

/// Reads a worker's witness page into the rig's own terms.
///
/// It is polled thousands of times a second: a request that has ended is read once and then
/// remembered, so that a poll costs only as much as the requests in progress.
final class WitnessWatch: WorkerWatch {
    /// Maps a record's request to the position space of the evidence, given how many requests for
    /// the same address came before it.
    typealias Placement = @Sendable (_ record: WitnessRecord, _ earlier: Int) -> WitnessedRequest

    /// Places a request where the worker says, which is right for one video.
    static let unplaced: Placement = { record, _ in WitnessedRequest(record) }

    private let page: WitnessReader
    private let placement: Placement
    private let hold: (phase: WitnessPhase, entry: Int)?
    private let settled = Mutex(Tally())

    /// Maps into memory the page that the worker is going to write, the file of `RIG_WITNESS`.
    init(path: String, placement: @escaping Placement = unplaced, hold: PhaseHold? = nil) throws {
        page = try WitnessReader(path: path)
        self.placement = placement
        self.hold = hold.flatMap { hold in
            WitnessPhase(hold.phase).map { (phase: $0, entry: hold.entry) }
        }
        if let held = self.hold { page.hold(held.phase, entry: UInt64(held.entry)) }
    }

    var hasReachedHold: Bool { hold.map { page.entries(of: $0.phase) >= $0.entry } ?? false }

    var showsPhases: Bool { true }

    var hasBegunToRecover: Bool { page.entries(of: .recovering) > 0 }

    var isWritten: Bool { page.phase != nil }

    /// True once the worker has examined its state: it is past `recovering`.
    var knowsWhatItHas: Bool {
        guard let phase = page.phase else { return false }
        return phase != .starting && phase != .recovering
    }

    /// The page's content so far; empty as long as no worker has written it.
    var glance: Glance {
        settled.withLock { settled in
            // Once the slots have been reused, those that were read before hold other requests.
            let begun = page.requestsBegun
            guard begun <= WitnessLayout.slotCount else {
                var glance = settled.glance
                glance.progress &+= page.commits &+ begun
                return glance
            }
            var open = page.slots(from: settled.slots)[...]
            while let record = open.first.flatMap(\.self), !record.isActive {
                settled.add(record, placement)
                open.removeFirst()
            }
            var tally = settled
            for case let record? in open { tally.add(record, placement) }
            tally.glance.progress &+= page.commits &+ begun
            return tally.glance
        }
    }

    var reading: WitnessReading? { try? look().get() }

    func look() -> Result<WitnessReading, WitnessGap> {
        guard page.isWritten else { return .failure(.absent) }
        guard let phase = page.phase.flatMap({ Phase($0) }) else { return .failure(.strangePhase) }
        let records = page.records
        // A page that dropped requests cannot account for every byte, so the bytes are not known. A
        // request that is counted but not recorded was about to begin, and has received nothing.
        let begun = page.requestsBegun
        guard begun <= WitnessLayout.slotCount, records.count + 1 >= begun else {
            return .failure(.requestsMissing(begun: Int(clamping: begun)))
        }
        guard let evictions = page.evictions else { return .failure(.evictionsMissing) }
        var tally = Tally()
        return .success(
            WitnessReading(
                phase: phase, commits: Int(clamping: page.commits),
                requests: records.map { tally.place($0, placement) }, entries: entries,
                evictions: evictions.compactMap(place)))
    }

    /// Where an eviction lies; nil for one outside every video, which excuses nothing.
    private func place(_ eviction: WitnessEviction) -> WitnessedEviction? {
        let record = WitnessRecord(
            resource: eviction.resource, start: eviction.start, received: eviction.length,
            ordinal: 0)
        let place = placement(record, 0)
        guard place.start >= 0, let range = place.receivedRange.ranges.first else { return nil }
        return WitnessedEviction(range: range, requests: Int(clamping: eviction.requests))
    }

    private var entries: [Phase: Int] {
        Dictionary(
            uniqueKeysWithValues: WitnessPhase.allCases.compactMap { phase in
                Phase(phase).map { ($0, Int(clamping: page.entries(of: phase))) }
            })
    }

    /// The worker's records, in the order in which the requests began; empty when some are missing.
    var records: [WitnessRecord] { reading == nil ? [] : page.records }
}

private struct Tally {
    var slots = 0
    var glance = Glance()
    private var earlier: [UInt64: Int] = [:]

    mutating func place(
        _ record: WitnessRecord, _ placement: WitnessWatch.Placement
    ) -> WitnessedRequest {
        defer { earlier[record.resource, default: 0] += 1 }
        return placement(record, earlier[record.resource] ?? 0)
    }

    mutating func add(_ record: WitnessRecord, _ placement: WitnessWatch.Placement) {
        let request = place(record, placement)
        slots += 1
        let reading = WitnessReading(phase: .starting, commits: 0, requests: [request])
        glance.received = glance.received.union(reading.received)
        glance.acknowledged = glance.acknowledged.union(reading.acknowledged)
        glance.progress &+= record.received &+ record.acknowledged
    }
}

extension Phase {
    fileprivate init?(_ phase: WitnessPhase) { self.init(rawValue: "\(phase)") }
}

/// The phase in which a worker is to be held until it is killed.
struct PhaseHold: Sendable, Hashable {
    let phase: Phase
    /// Which entry into the phase, from 1.
    let entry: Int
}

extension WitnessPhase {
    init?(_ phase: Phase) {
        guard let found = Self.allCases.first(where: { Phase($0) == phase }) else { return nil }
        self = found
    }
}

extension IterationFolder {
    /// A witness page that no worker has written yet.
    func freshWitness(
        placing placement: @escaping WitnessWatch.Placement = WitnessWatch.unplaced,
        holding hold: PhaseHold? = nil
    ) throws -> WitnessWatch {
        try? FileManager.default.removeItem(atPath: witness)
        do {
            return try WitnessWatch(path: witness, placement: placement, hold: hold)
        } catch WitnessError.cannotMap(let path, let reason) {
            throw RigError.unavailable(
                "cannot share the memory of \(path) with a worker, by which the rig watches it:"
                    + " \(reason); use --out on a file system with shared mappings, and see what keeps"
                    + " programs here from mmap with MAP_SHARED")
        }
    }
}
