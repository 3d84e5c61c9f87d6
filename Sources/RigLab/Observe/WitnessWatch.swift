internal import RigModel
internal import Witness

/// Reads a worker's witness page into the rig's own terms.
struct WitnessWatch: Sendable {
    private let page: WitnessReader

    /// Maps the page that the worker is going to write.
    ///
    /// - Parameter path: the file named to the worker by `RIG_WITNESS`.
    /// - Throws: `WitnessError` when it cannot be mapped.
    init(path: String) throws {
        page = try WitnessReader(path: path)
    }

    /// Commits returned and bytes taken off sockets so far: grows while a worker gets on.
    var progress: UInt64 {
        page.records.reduce(page.commits) { $0 &+ $1.received &+ $1.acknowledged }
    }

    /// True once the worker has looked at what it has: it is past `recovering`.
    var knowsWhatItHas: Bool {
        guard let phase = page.phase else { return false }
        return phase != .starting && phase != .recovering
    }

    /// The page as it stands; nil when no worker has written it, or a phase is not known.
    var reading: WitnessReading? {
        guard let phase = page.phase.flatMap({ Phase($0) }) else { return nil }
        let records = page.records
        // A page that dropped requests cannot account for every byte: that is "not known". One
        // that is counted and not there yet was about to begin: it has received nothing.
        let begun = page.requestsBegun
        guard begun <= WitnessLayout.slotCount, records.count + 1 >= begun else { return nil }
        return WitnessReading(
            phase: phase, commits: Int(page.commits),
            requests: records.map {
                WitnessedRequest(
                    start: Int64(clamping: $0.start), received: Int64(clamping: $0.received),
                    acknowledged: Int64(clamping: $0.acknowledged), isActive: $0.isActive)
            })
    }
}

extension Phase {
    fileprivate init?(_ phase: WitnessPhase) {
        self.init(rawValue: "\(phase)")
    }
}
