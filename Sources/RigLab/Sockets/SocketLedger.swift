internal import FixtureOrigin
internal import RigModel
internal import Synchronization

/// What a worker has taken off its sockets in one life, over every connection that it has made to
/// some mounts of the origin.
///
/// The origin says which connections there are and what their bytes are; the kernel says how many of
/// them a program has read, whichever process of the worker's it was.
final class SocketLedger: Sendable {
    /// What a reading comes to.
    enum Reading: Sendable {
        /// Exact, if nothing reads meanwhile, but for connections that were closed abruptly.
        case known([TakenAnswer])
        /// Something is under way: another look may know.
        case unsettled(String)
        /// Not known, and not to be known any more: the kernel or the origin does not tell.
        case unknown(String)
        /// The same, by the way in which the worker used its connections.
        case lost(String)
    }

    /// How long a reading looks before it gives up, of a worker that waits and of a dead one, and how
    /// long it waits in between.
    private static let patience = Duration.milliseconds(10)
    private static let patienceWithTheDead = Duration.seconds(5)
    /// The kernel tells of ends by a work queue of one processor, which something else may keep busy:
    /// once in some hundred kills on a crowded machine all of them were more than 5 s late.
    private static let patienceWithTheKernel = Duration.seconds(30)
    private static let untold = "a connection was gone, and the kernel did not say how it ended"
    private static let pause = 0.000_1
    private static let leastLooks = 40

    private let tap: AnswerTap
    private let source: (any SocketSource)?
    private let interruption: Interruption
    private let guarded: Mutex<ConnectionRegister>

    /// Follows the connections that are made from now on.
    ///
    /// - Parameters:
    ///   - origin: a running origin.
    ///   - mounts: the mounts whose bytes count.
    ///   - interruption: ends every wait.
    convenience init(
        origin: FixtureOrigin, mounts: FollowedMounts, interruption: Interruption = Interruption()
    ) {
        do throws(SocketDiagnosticsError) {
            let source = try SocketDiagnostics(originPort: origin.port)
            self.init(
                tap: origin.tap(), mounts: mounts, source: source, interruption: interruption)
        } catch {
            self.init(
                tap: origin.tap(), mounts: mounts, source: nil, doubt: error.description,
                interruption: interruption)
        }
    }

    /// A ledger over some source of figures.
    ///
    /// - Parameters:
    ///   - tap: the origin's answers.
    ///   - mounts: the mounts whose bytes count.
    ///   - source: where the figures come from; nil where there are none, which `doubt` explains.
    ///   - doubt: why nothing can be known; nil where it can.
    ///   - interruption: ends every wait.
    init(
        tap: AnswerTap, mounts: FollowedMounts, source: (any SocketSource)?, doubt: String? = nil,
        interruption: Interruption = Interruption()
    ) {
        self.tap = tap
        self.source = source
        self.interruption = interruption
        guarded = Mutex(ConnectionRegister(mounts: mounts, doubt: doubt))
    }

    /// What was taken so far, at least: for a worker that runs.
    var glance: TakenPositions {
        guarded.withLock { guarded in
            keepUp(&guarded)
            lookAtOpenOnes(&guarded)
            return total(guarded, at: nil)
        }
    }

    /// The requests of whose bodies something was taken, as far as the last look showed.
    ///
    /// A request of a worker that is gone may be answered after the next one's launch: only what is
    /// taken tells them apart.
    var readRequests: [ServedAnswer] {
        guarded.withLock { $0.streams.flatMap(\.readAnswers) }
    }

    /// True when the kernel cannot be asked at all, so that nothing will ever be seen.
    var isBlind: Bool { source == nil }

    /// True when a look finds nothing that waits to be read from an open connection, or where none
    /// can be looked at.
    var hasNothingUnread: Bool {
        guard !isBlind else { return true }
        return guarded.withLock { guarded in
            keepUp(&guarded)
            lookAtOpenOnes(&guarded)
            return guarded.streams.allSatisfy { stream in
                stream.endedAt != nil || !stream.concerns(guarded.mounts) || stream.isGone
                    || stream.last?.queued == 0
            }
        }
    }

    /// True while a connection is open, as far as the last look showed, or where none can be seen.
    var hasOpenConnection: Bool {
        guard !isBlind else { return true }
        return guarded.withLock { guarded in
            guarded.streams.contains {
                $0.endedAt == nil && !$0.isGone && $0.concerns(guarded.mounts)
            }
        }
    }

    /// How many requests can have been under way at a moment; nil where the kernel cannot be asked.
    ///
    /// Exact as long as connections are looked at all the time, and the moment is of the last second.
    /// Known also where it is not what they brought.
    func activeRequests(at moment: ContinuousClock.Instant) -> Int? {
        guard !isBlind else { return nil }
        return guarded.withLock { guarded in
            keepUp(&guarded)
            return total(guarded, at: moment).answers.count(where: \.isUnderWay)
        }
    }

    /// What was taken, exactly, off connections that nothing reads from meanwhile: of a worker that
    /// is dead, or waits.
    ///
    /// - Parameters:
    ///   - isDead: true to wait until every connection has been closed as well.
    ///   - moment: the kill's; nil where there is none.
    /// - Returns: what was taken of each answer, or why it is not known.
    func reading(
        ofDead isDead: Bool = false, killedAt moment: ContinuousClock.Instant? = nil
    ) -> Reading {
        // The kernel tells of an ended socket a little later, and a child may die a little later.
        let began = ContinuousClock.now
        var unsettled = ""
        var looks = 0
        while looks < Self.leastLooks
            || ContinuousClock.now < began + Self.patience(isDead: isDead, with: unsettled)
                && !interruption.isRaised
        {
            if looks > 1 { Pause.seconds(Self.pause) }
            looks += 1
            let reading: Reading = guarded.withLock { guarded in
                keepUp(&guarded)
                if let doubt = guarded.doubt { return isBlind ? .unknown(doubt) : .lost(doubt) }
                if let open = lookAtOpenOnes(&guarded, mustBeClosed: isDead) {
                    return .unsettled(open)
                }
                let total = total(guarded, at: moment)
                if let loss = total.loss { return .lost(loss) }
                if let doubt = total.doubt { return .unknown(doubt) }
                return .known(total.answers)
            }
            guard case .unsettled(let reason) = reading else { return reading }
            unsettled = reason
        }
        return .unsettled(unsettled)
    }

    private static func patience(isDead: Bool, with obstacle: String) -> Duration {
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

    /// Looks at each open connection; says what stands in the way of an exact reading, if anything.
    @discardableResult
    private func lookAtOpenOnes(_ guarded: inout ConnectionRegister, mustBeClosed: Bool = false)
        -> String?
    {
        guard let source else { return guarded.doubt }
        var obstacle: String?
        for index in guarded.streams.indices
        where guarded.streams[index].endedAt == nil
            && guarded.streams[index].concerns(guarded.mounts)
        {
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
        // What a connection brought was asked for before it ended: its answers are there by then.
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

    /// True for a socket without a remote port whose own port a connection has that is still there.
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
