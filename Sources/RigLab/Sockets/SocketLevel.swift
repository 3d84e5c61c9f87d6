internal import FixtureOrigin
internal import RigModel

/// The black box level of one life of a worker: what its sockets show before, at and after its end
/// (spec 2).
struct SocketLevel: Sendable {
    private let ledger: SocketLedger
    private let page: WitnessWatch
    private let mount: Mount
    private let keepsPage: Bool
    /// Watches a worker that does not ask the origin; nil for all others.
    private let stateWatch: StateWatch?

    /// What is said of the sockets of a worker with a source of its own.
    private static let elsewhere = SocketReading(
        unknown: "it speaks no HTTP with the rig's origin, but with a source of its own")

    /// Follows the connections of a worker that is about to be launched.
    ///
    /// - Parameters:
    ///   - mount: what it downloads.
    ///   - origin: the running origin that it downloads from.
    ///   - page: where it may write its page.
    ///   - keepsPage: true when its profile says that it does.
    ///   - stateWatch: watches a worker that gets the video from elsewhere.
    init(
        of mount: Mount, at origin: FixtureOrigin, besides page: WitnessWatch, keepsPage: Bool,
        stateWatch: StateWatch? = nil
    ) {
        self.stateWatch = stateWatch
        ledger = SocketLedger(origin: origin, mounts: [mount])
        self.mount = mount
        self.page = page
        self.keepsPage = keepsPage
    }

    /// Counts the bytes of one more mount, such as one that the first redirects to.
    func follow(_ mount: Mount) { ledger.follow(mount) }

    /// What the worker shows while it lives.
    var watch: any WorkerWatch {
        if !keepsPage, let stateWatch { return stateWatch }
        return SocketWatch(page: page, ledger: ledger, mount: mount, keepsPage: keepsPage)
    }

    /// What surrounds a worker that is going to be killed.
    ///
    /// - Parameters:
    ///   - planned: the kill.
    ///   - fault: what it is.
    /// - Returns: surroundings for the nemesis.
    func surroundings(of planned: PlannedKill, by fault: Fault) -> Surroundings {
        var surroundings = Surroundings()
        if stateWatch != nil { return surroundings }
        // A worker is not stopped before its power is cut: a thread inside of fsync is to be cut
        // inside of it.
        if !fault.isPowerCut {
            surroundings.lastLook = { worker in
                let look = StopAndRead(
                    ledger: ledger,
                    page: { page.isWritten ? page.reading?.received : nil },
                    isHeld: { page.hasReachedHold })
                return look.look(worker)
            }
        }
        if case .bytes(let count) = planned.trigger, !keepsPage {
            // What a program leaves unread on a connection that it closes went out all the same.
            surroundings.isHolding = {
                mount.distinctBytesServed >= count && ledger.hasNothingUnread
            }
        }
        return surroundings
    }

    /// What the sockets say of a kill, once the worker is dead.
    ///
    /// A socket's last figures are those of the worker's death, which are the same as those of the
    /// stop before it: nothing ran in between. Where the worker had to go on to die, they are the
    /// ones that count.
    ///
    /// - Parameters:
    ///   - strike: the kill, with what was read right before it.
    ///   - planned: the kill as planned.
    ///   - fault: what it was.
    /// - Returns: nil where there was no kill.
    func reading(
        of strike: Strike, planned: PlannedKill, by fault: Fault
    ) -> SocketReading? {
        guard strike.sent else { return nil }
        if stateWatch != nil { return Self.elsewhere }
        guard !fault.isPowerCut else {
            return SocketReading(
                unknown: "the worker went on from the power cut until signal 9 arrived")
        }
        return Self.conclude(
            strike.sockets, atDeath: ledger.reading(ofDead: true), by: fault,
            page: page.isWritten ? .some(page.reading?.received) : nil)
    }

    /// What two looks at a worker's sockets say together.
    ///
    /// - Parameters:
    ///   - stopped: what was read while it was stopped, right before the kill; nil where it was
    ///     not.
    ///   - atDeath: what was read once it was dead.
    ///   - fault: what it died of.
    ///   - page: what its page calls received; nil without a page.
    /// - Returns: the reading that counts.
    static func conclude(
        _ stopped: SocketReading?, atDeath: SocketLedger.Reading, by fault: Fault,
        page: ByteRanges??
    ) -> SocketReading {
        let seconds = stopped?.stoppedSeconds
        func unknown(_ reason: String) -> SocketReading {
            SocketReading(unknown: reason, stoppedSeconds: seconds)
        }
        let received: ByteRanges
        switch atDeath {
        case .known(let positions, _): received = positions
        case .lost(let reason), .unsettled(let reason):
            // A stopped worker that signal 9 ends reads no more: what was seen then holds. Any
            // other death is one that it ran on to.
            guard fault == .sigkill, let stopped else { return unknown(reason) }
            return stopped
        case .unknown(let reason): return unknown(reason)
        }
        if let stopped, stopped.received == received { return stopped }
        if stopped?.received != nil, fault == .sigkill {
            return unknown("bytes were taken off the sockets of a stopped worker")
        }
        // Between a read and the note that the page takes of it there are microseconds, in which
        // such a kill may land.
        if let page, page != received {
            if let stopped, stopped.received == nil { return stopped }
            return unknown("the worker was not stopped when it died")
        }
        // How many requests were under way, nobody saw.
        return SocketReading(received: received, activeRequests: nil, stoppedSeconds: seconds)
    }

    /// The positions that a worker took off its sockets until it ended; nil when not known.
    var taken: ByteRanges? {
        if stateWatch != nil { return nil }
        guard case .known(let received, _) = ledger.reading(ofDead: true) else { return nil }
        return received
    }
}
