internal import FixtureOrigin
internal import RigModel

/// What was taken of some connections, in positions of the video.
struct TakenPositions: Sendable {
    /// The positions.
    var received: [Range<Int64>] = []
    /// Bodies of the video that were asked for, also those of which nothing was taken.
    var bodies = 0
    /// Why not all positions are known; nil where they are.
    var doubt: String?
    /// Why what was taken is known no more, whatever it was once; nil where it is.
    var loss: String?
}

/// One connection of a client to the origin: the answers that make up its stream of bytes, and how
/// much of the stream its program has read.
struct ConnectionStream: Sendable {
    /// Its client's port.
    let clientPort: UInt16
    /// Its answers, in their order.
    var answers: [ServedAnswer]
    /// Its socket's; nil as long as nobody has looked.
    private(set) var cookie: UInt64?
    /// When it was known to have ended; nil as long as it has not.
    private(set) var endedAt: ContinuousClock.Instant?
    /// What the last look showed; nil where there was none, or where it showed nothing.
    private(set) var last: SocketFigures?
    /// The bytes read at least: exact where the program is stopped or dead.
    private(set) var taken: Int64 = 0
    /// True when it was closed abruptly, and the kernel no longer says what had been read.
    private(set) var isCut = false
    /// True when the last look found no such socket: nobody has anything left to read there.
    var isGone = false

    /// A connection, by its first answer.
    init(_ answer: ServedAnswer) {
        clientPort = answer.clientPort
        answers = [answer]
    }

    /// True for the answers of a mount that is followed.
    func concerns(_ mounts: FollowedMounts) -> Bool {
        answers.contains { mounts.base(of: $0) != nil }
    }

    /// True where a request can have been under way at a moment: an answer with bytes of a mount
    /// that is followed had come, and the connection was open, or had been closed shortly before.
    ///
    /// - Parameters:
    ///   - moment: the moment.
    ///   - mounts: those that are followed.
    /// - Returns: false where the connection had been closed for longer than
    ///   ``Tolerances/settlingSeconds``.
    func canHaveRequest(at moment: ContinuousClock.Instant, in mounts: FollowedMounts) -> Bool {
        guard answers.contains(where: { mounts.base(of: $0) != nil && $0.body != .none }) else {
            return false
        }
        return endedAt.map { $0 >= moment - .seconds(Tolerances.settlingSeconds) } ?? true
    }

    /// Takes what a look showed.
    ///
    /// The kernel reads its two figures one after the other, so that what arrives in between would
    /// count as read. What lay there a look ago, less what lies there now, is certainly read.
    ///
    /// - Parameter figures: nil where the look found no socket.
    /// - Returns: true when it shows what the look before it did.
    mutating func note(_ figures: SocketFigures?) -> Bool {
        guard let figures, cookie == nil || cookie == figures.cookie else {
            last = nil
            return false
        }
        defer { last = figures }
        cookie = figures.cookie
        guard let last else { return false }
        taken = max(taken, last.received - figures.queued)
        return last == figures
    }

    /// Takes the last figures that there are.
    mutating func end(_ figures: SocketFigures, at moment: ContinuousClock.Instant) {
        cookie = figures.cookie
        taken = figures.taken
        last = figures
        endedAt = moment
    }

    /// Takes that it was closed abruptly, which leaves no figures: what the looks showed has to do.
    mutating func cut(_ figures: SocketFigures, at moment: ContinuousClock.Instant) {
        guard figures.received == 0 else { return end(figures, at: moment) }
        isCut = true
        endedAt = moment
    }

    /// Says where the bytes taken lie.
    ///
    /// - Parameters:
    ///   - mounts: those that are followed; what others answered is no part of it.
    ///   - total: takes the outcome.
    func place(in mounts: FollowedMounts, into total: inout TakenPositions) {
        // The end of the stream counts as a byte read, and comes where the relay has no more.
        let taken = min(taken, answers.last?.relayed?.count ?? .max)
        var start: Int64 = 0
        for answer in answers {
            // Who has not read an answer has not asked for the next one on its connection: the two
            // came by connections with the same port, one right after the other.
            if start > taken, !isCut { total.doubt = Self.mixed }
            start += answer.headBytes
            let rest = taken - start
            if let base = mounts.base(of: answer) {
                Self.place(answer.body, rest: rest, base: base, into: &total)
            }
            guard let bytes = answer.body.streamBytes else {
                if isCut { total.loss = Self.abrupt }
                return
            }
            start += bytes
        }
        // More may have been read after the last look, unless there was no more.
        if isCut, taken < start { total.loss = Self.abrupt }
    }

    /// Why it is not known what was read of a connection without figures.
    static let abrupt =
        "a connection was closed abruptly (SO_LINGER), after which the kernel does not tell what"
        + " was read of it"

    /// Why two connections are as good as none.
    static let mixed = "two connections with the same port could not be told apart"

    private static func place(
        _ body: ServedAnswer.Body, rest: Int64, base: Int64, into total: inout TakenPositions
    ) {
        switch body {
        case .none: return
        case .unplaced:
            total.bodies += 1
            if rest > 0 {
                total.doubt =
                    "an answer came in chunks, in parts or encoded: its bytes have no place"
            }
        case .positions(let positions, let streamBytes):
            total.bodies += 1
            let length = positions.upperBound - positions.lowerBound
            let count = min(max(0, rest), streamBytes, length)
            let first = positions.lowerBound + base
            if count > 0 { total.received.append(first..<first + count) }
        }
    }
}
