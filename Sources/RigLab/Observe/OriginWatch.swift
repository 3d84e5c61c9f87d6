internal import FixtureOrigin
internal import RigModel

/// What the origin can see of a worker that keeps no page: what it has handed over to be sent.
struct OriginWatch: WorkerWatch {
    let mount: Mount

    /// What was served stands for what was received: it is never less.
    var glance: Glance {
        let entries = mount.ledger
        let served = ByteRanges(entries.compactMap(\.servedRange))
        return Glance(received: served, progress: UInt64(served.count))
    }

    /// It asks for what it lacks, so it knows what it has.
    var knowsWhatItHas: Bool { mount.ledger.contains { $0.requested != nil } }

    var hasReachedHold: Bool { false }
}
