internal import RigModel

/// Watches a worker by its page where it writes one, and by its sockets where it does not.
struct SocketWatch: WorkerWatch {
    let page: WitnessWatch
    let ledger: SocketLedger
    /// True for a worker that keeps a page: as long as it has written none, it has done nothing.
    let keepsPage: Bool

    private var showsPage: Bool { keepsPage || page.isWritten }

    /// One look; of sockets that are read from meanwhile it shows what was taken at least.
    var glance: Glance {
        guard !showsPage else {
            ledger.keepUp()
            return page.glance
        }
        let taken = ledger.glance
        let received = ByteRanges(taken.received)
        return Glance(
            received: received, progress: UInt64(received.count) &+ UInt64(taken.bodies))
    }

    /// A program that says nothing knows what it has when it asks for what it has not.
    var knowsWhatItHas: Bool {
        showsPage ? page.knowsWhatItHas : ledger.glance.bodies > 0
    }

    var hasReachedHold: Bool { page.hasReachedHold }
}
