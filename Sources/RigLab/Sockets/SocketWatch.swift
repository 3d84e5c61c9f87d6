internal import FixtureOrigin
internal import RigModel

/// Watches a worker by its sockets, and by its page where it writes one.
///
/// What it has received is the kernel's to say: a worker that notes its bytes late would decide
/// itself where it is killed. Its page says what only the page can tell: what is acknowledged, the
/// phase, and what it does without receiving.
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
        guard !ledger.isBlind else { return showsPage ? page.glance : served }
        let taken = ledger.glance
        var glance = showsPage ? page.glance : Glance()
        let received = taken.received
        // Bytes without a place, and what an abrupt close has hidden, only the page can tell.
        glance.received = taken.isKnown ? received : received.union(glance.received)
        glance.progress &+= UInt64(received.count) &+ UInt64(taken.bodies)
        return glance
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

    var firstByteSent: ContinuousClock.Instant? {
        let requests = ledger.readRequests
        return mounts.flatMap { mount in
            requests.filter { $0.mountPath == mount.path }
                .compactMap { mount.firstByteSent(toRequest: $0.ordinal) }
        }.min()
    }
}
