internal import FixtureOrigin
internal import RigModel

/// Watches a worker through its sockets, and through its page if it writes one.
///
/// What it has received is read from the kernel: a worker that notes its bytes late would otherwise
/// decide itself where it is killed. The page adds what only it can show: what is acknowledged, the
/// phase, and progress without receiving.
struct SocketWatch: WorkerWatch {
    let page: WitnessWatch
    let ledger: SocketLedger
    /// What the worker downloads; without visible sockets, what was served of it counts.
    let mounts: [Mount]
    /// True for a worker that keeps a page: until the page is written, it has done nothing.
    let keepsPage: Bool

    var showsPhases: Bool { keepsPage }

    var hasBegunToRecover: Bool { keepsPage && page.hasBegunToRecover }

    private var showsPage: Bool { keepsPage || page.isWritten }

    /// A lower bound of what was taken, for sockets that are being read.
    var glance: Glance {
        guard !ledger.isBlind else { return showsPage ? page.glance : served }
        let taken = ledger.glance
        var glance = showsPage ? page.glance : Glance()
        let received = taken.received
        // Only the page shows bytes without positions, and bytes hidden by an abrupt close.
        glance.received = taken.isKnown ? received : received.union(glance.received)
        glance.progress &+= UInt64(received.count) &+ UInt64(taken.bodies)
        return glance
    }

    /// What the origin has sent: an upper bound of what was taken.
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

    /// A program without a page knows what it has when it requests what is missing.
    var knowsWhatItHas: Bool { showsPage ? page.knowsWhatItHas : ledger.glance.bodies > 0 }

    var hasReachedHold: Bool { page.hasReachedHold }

    /// Waits for the kernel's reports of the connections that ended with the worker.
    func settle() { _ = ledger.reading(ofDead: true) }

    var firstByteSent: ContinuousClock.Instant? {
        let requests = ledger.readRequests
        return mounts.flatMap { mount in
            requests.filter { $0.mountPath == mount.path }
                .compactMap { mount.firstByteSent(toRequest: $0.ordinal) }
        }.min()
    }
}
