internal import FixtureOrigin
internal import RigModel

/// Watches a worker by its page where it writes one, and by its sockets where it does not.
struct SocketWatch: WorkerWatch {
    let page: WitnessWatch
    let ledger: SocketLedger
    /// What it downloads: what the origin has served of it has to do where no socket can be seen.
    let mounts: [Mount]
    /// True for a worker that keeps a page: as long as it has written none, it has done nothing.
    let keepsPage: Bool

    private var showsPage: Bool { keepsPage || page.isWritten }

    /// One look; of sockets that are read from meanwhile it shows what was taken at least.
    var glance: Glance {
        guard !showsPage else {
            ledger.keepUp()
            return page.glance
        }
        guard !ledger.isBlind else { return served }
        let taken = ledger.glance
        let received = taken.received
        return Glance(
            received: received, progress: UInt64(received.count) &+ UInt64(taken.bodies))
    }

    /// What the origin has sent, which is more than was taken, or as much.
    private var served: Glance {
        let requests = mounts.flatMap { $0.servedRequests() }.filter { $0.servedBytes > 0 }
        let ranges = requests.map { request in
            let begin = request.requested.lowerBound
            return begin..<min(begin + request.servedBytes, request.requested.upperBound)
        }
        let bytes = requests.reduce(0) { $0 + $1.servedBytes }
        return Glance(
            received: ByteRanges(ranges.filter { !$0.isEmpty }),
            progress: UInt64(bytes) &+ UInt64(requests.count))
    }

    /// A program that says nothing knows what it has when it asks for what it has not.
    var knowsWhatItHas: Bool {
        showsPage ? page.knowsWhatItHas : ledger.glance.bodies > 0
    }

    var hasReachedHold: Bool { page.hasReachedHold }
}
