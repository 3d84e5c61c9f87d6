internal import FixtureOrigin
internal import RigModel
internal import Synchronization

/// What a worker has taken off its sockets in one life, over all its connections to some mounts of
/// the origin.
///
/// The origin says which connections there are and what their bytes are. The kernel says how many
/// of those bytes were read, by any of the worker's processes.
final class SocketLedger: Sendable {
    /// The time limits of a reading: for a worker that waits, and for a dead one.
    private static let patience = Duration.milliseconds(10)
    private static let patienceWithTheDead = Duration.seconds(5)
    /// The kernel reports ends through a work queue on one processor, which other work may occupy:
    /// once in some hundred kills on a crowded machine all reports were more than 5 s late.
    private static let patienceWithTheKernel = Duration.seconds(30)
    private static let untold = "a connection was gone, and the kernel did not say how it ended"
    private static let pause = 0.000_1
    private static let leastLooks = 40

    private let tap: ResponseSubscription
    private let source: (any SocketSource)?
    private let interruption: Interruption
    private let guarded: Mutex<ConnectionRegister>

    /// Follows the connections that are made from now on to a running origin.
    convenience init(
        origin: FixtureOrigin, mounts: FollowedMounts, interruption: Interruption = Interruption()
    ) {
        var source: SocketDiagnostics?
        var doubt: String?
        do { source = try SocketDiagnostics(originPort: origin.port) } catch { doubt = "\(error)" }
        self.init(
            tap: origin.tap(), mounts: mounts, source: source, doubt: doubt,
            interruption: interruption)
    }

    /// Creates a ledger over any source of figures; where there is none, `doubt` says why.
    init(
        tap: ResponseSubscription, mounts: FollowedMounts, source: (any SocketSource)?,
        doubt: String? = nil, interruption: Interruption = Interruption()
    ) {
        (self.tap, self.source, self.interruption) = (tap, source, interruption)
        guarded = Mutex(ConnectionRegister(mounts: mounts, doubt: doubt))
    }

    /// A lower bound of what was taken so far, for a running worker.
    var glance: TakenPositions {
        guarded.withLock { guarded in
            keepUp(&guarded)
            lookAtOpenOnes(&guarded)
            return total(guarded, at: nil)
        }
    }

    /// The requests with a body of which something was taken, as of the last look.
    ///
    /// A request of a dead worker may be answered after the next worker's launch: only the taken
    /// bytes tell them apart.
    var readRequests: [ServedAnswer] { guarded.withLock { $0.streams.flatMap(\.readAnswers) } }

    /// True if the kernel cannot be queried at all, so that no socket will ever be seen.
    var isBlind: Bool { source == nil }

    /// True if no open connection has unread bytes, or if sockets cannot be observed.
    var hasNothingUnread: Bool {
        guard !isBlind else { return true }
        return guarded.withLock { guarded in
            keepUp(&guarded)
            lookAtOpenOnes(&guarded)
            return guarded.streams.filter(guarded.isOpen).allSatisfy {
                $0.isGone || $0.last?.queued == 0
            }
        }
    }

    /// True if a connection is open as of the last look, or if sockets cannot be observed.
    var hasOpenConnection: Bool {
        guard !isBlind else { return true }
        return guarded.withLock { guarded in
            guarded.streams.contains { !$0.isGone && guarded.isOpen($0) }
        }
    }

    /// How many requests may have been under way at a moment; nil if the kernel cannot be queried.
    ///
    /// Exact only if connections are looked at continuously and the moment lies within the last
    /// second. It is known even if the bytes of the requests are not.
    func activeRequests(at moment: ContinuousClock.Instant) -> Int? {
        guard !isBlind else { return nil }
        return guarded.withLock { guarded in
            keepUp(&guarded)
            return total(guarded, at: moment).activeRequests
        }
    }

    /// Exactly what was taken, from connections that nothing reads meanwhile: of a waiting worker,
    /// or of a dead one, whose connections must all be closed; lost if it does not settle in time.
    func reading(
        ofDead isDead: Bool = false, killedAt moment: ContinuousClock.Instant? = nil
    ) -> SocketReading {
        // The kernel reports an ended socket with a delay, and a child may die a little later.
        let began = ContinuousClock.now
        var looks = 0
        while true {
            if looks > 1 { Pause.seconds(Self.pause) }
            looks += 1
            var (reading, isSettled) = guarded.withLock { look(&$0, ofDead: isDead, at: moment) }
            let limit = began + Self.patience(isDead: isDead, with: reading.unknownReason)
            let isOver = ContinuousClock.now >= limit || interruption.isRaised
            guard isSettled || isOver && looks >= Self.leastLooks else { continue }
            // On a busy machine the origin may tell of the last answer only after the look.
            if let active = moment.flatMap(activeRequests) { reading.activeRequests = active }
            return reading
        }
    }

    private func look(
        _ guarded: inout ConnectionRegister, ofDead isDead: Bool,
        at moment: ContinuousClock.Instant?
    ) -> (reading: SocketReading, isSettled: Bool) {
        keepUp(&guarded)
        let doubt = guarded.doubt
        let open = doubt == nil ? lookAtOpenOnes(&guarded, mustBeClosed: isDead) : nil
        let total = total(guarded, at: moment)
        if let reason = doubt ?? open ?? total.loss {
            let isLost = doubt == nil || !isBlind
            return (SocketReading(unknown: reason, isLost: isLost), open == nil)
        }
        if let doubt = total.doubt { return (SocketReading(unknown: doubt), true) }
        return (SocketReading(answers: total.answers), true)
    }

    private static func patience(isDead: Bool, with obstacle: String?) -> Duration {
        guard isDead else { return patience }
        return obstacle == untold ? patienceWithTheKernel : patienceWithTheDead
    }

    private func total(
        _ guarded: ConnectionRegister, at moment: ContinuousClock.Instant?
    ) -> TakenPositions {
        var total = TakenPositions(doubt: guarded.doubt)
        for stream in guarded.streams where stream.concerns(guarded.mounts) {
            stream.place(in: guarded.mounts, at: moment, into: &total)
        }
        return total
    }

    /// Looks at each open connection; returns what prevents an exact reading, if anything.
    @discardableResult
    private func lookAtOpenOnes(
        _ guarded: inout ConnectionRegister, mustBeClosed: Bool = false
    ) -> String? {
        guard let source else { return guarded.doubt }
        var obstacle: String?
        for index in guarded.streams.indices where guarded.isOpen(guarded.streams[index]) {
            guarded.streams[index].isGone = false
            switch source.look(clientPort: guarded.streams[index].clientPort) {
            case .open(let figures):
                if !guarded.streams[index].note(figures) {
                    obstacle = "a connection did not come to rest"
                } else if mustBeClosed, !figures.isClosed {
                    obstacle = "a connection outlived the worker"
                }
            case .gone where guarded.claimEnd(ofStream: index): break
            case .gone where guarded.endUnsent(stream: index): break
            case .gone:
                _ = guarded.streams[index].note(nil)
                guarded.streams[index].isGone = true
                obstacle = obstacle ?? Self.untold
            case .failed:
                _ = guarded.streams[index].note(nil)
                obstacle = "the kernel did not answer"
            }
        }
        return obstacle
    }

    private func keepUp(_ guarded: inout ConnectionRegister) {
        // The ends are read first: the answers of an ended connection are then already in the tap.
        let ended = source?.ended()
        let moment = ContinuousClock.now
        for answer in tap.take() { guarded.add(answer) }
        guard let source else { return }
        guard let ended else {
            guarded.doubt =
                guarded.doubt ?? "more connections ended at once than the kernel could tell of"
            return
        }
        for socket in ended where !Self.isStrangers(socket, guarded, source) {
            guarded.end(socket, at: moment)
        }
    }

    /// True for a socket without a remote port if its port belongs to another, open connection.
    private static func isStrangers(
        _ socket: EndedSocket, _ guarded: ConnectionRegister, _ source: any SocketSource
    ) -> Bool {
        guard socket.isDisconnected,
            guarded.cookie(ofPort: socket.clientPort) != socket.figures.cookie,
            case .open = source.look(clientPort: socket.clientPort)
        else { return false }
        return true
    }
}
