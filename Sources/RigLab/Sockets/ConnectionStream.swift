internal import FixtureOrigin
internal import RigModel

/// What was taken of some connections, in positions of the video.
struct TakenPositions: Sendable {
    /// What was taken of each answer that has a place, if anything.
    var answers: [TakenAnswer] = []
    /// Bodies of the video that were asked for, also those of which nothing was taken.
    var bodies = 0
    /// Why the connections do not tell what was taken, which a worker brings about; nil where they do.
    var loss: String?
    /// Why the origin's answers do not tell where it lies; nil where they do.
    var doubt: String?

    /// The positions taken for certain.
    var received: ByteRanges { ByteRanges(answers.map(\.taken)) }

    /// True where these are all positions.
    var isKnown: Bool {
        doubt == nil && loss == nil && answers.allSatisfy { $0.mostTaken == $0.taken.upperBound }
    }
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
    /// True when the last look found no such socket: nothing is left to be read there.
    var isGone = false
    /// When a look first found no such socket where none had ever been seen; nil where none did.
    var goneSince: ContinuousClock.Instant?
    /// What had been taken at some earlier looks, a hundredth of a second or more apart.
    private var history: [(at: ContinuousClock.Instant, taken: Int64)] = []

    /// A connection, by its first answer.
    init(_ answer: ServedAnswer) {
        clientPort = answer.clientPort
        answers = [answer]
    }

    /// True for the answers of a mount that is followed.
    func concerns(_ mounts: FollowedMounts) -> Bool {
        answers.contains { mounts.base(of: $0) != nil }
    }

    /// True where its program had read all that there was to be read of its answers, and nothing more
    /// than that: only then can another request have come by it.
    var wasReadToItsEnd: Bool {
        guard !isCut else { return false }
        var length: Int64 = 0
        for answer in answers {
            guard let bytes = answer.body.streamBytes else { return false }
            length += answer.headBytes + bytes
        }
        // The end of the stream counts as a byte.
        return (length...length + 1).contains(min(taken, answers.last?.relayed?.count ?? .max))
    }

    /// The answers of whose bodies something was taken.
    var readAnswers: [ServedAnswer] {
        var start: Int64 = 0
        return answers.filter { answer in
            let body = start + answer.headBytes
            start = body + (answer.body.streamBytes ?? 0)
            return taken > body
        }
    }

    /// The bytes that had been taken at a moment, at least.
    private func taken(at moment: ContinuousClock.Instant) -> Int64 {
        history.last { $0.at <= moment }?.taken ?? 0
    }

    /// True where the connection was open at a moment.
    private func isOpen(at moment: ContinuousClock.Instant) -> Bool {
        endedAt.map { $0 >= moment } ?? true
    }

    private mutating func remember() {
        let now = ContinuousClock.now
        guard history.last.map({ now - $0.at > .milliseconds(10) }) ?? true else { return }
        history.append((now, taken))
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
        remember()
        return last == figures
    }

    /// Takes the notice of its socket's end.
    mutating func end(_ socket: EndedSocket, at moment: ContinuousClock.Instant) {
        if socket.isDisconnected {
            cut(socket.figures, at: moment)
        } else {
            end(socket.figures, at: moment)
        }
    }

    /// Takes the last figures that there are.
    mutating func end(_ figures: SocketFigures, at moment: ContinuousClock.Instant) {
        cookie = figures.cookie
        taken = figures.taken
        last = figures
        endedAt = moment
    }

    /// Takes that it was closed abruptly, which leaves no figures: what the looks showed has to do.
    private mutating func cut(_ figures: SocketFigures, at moment: ContinuousClock.Instant) {
        guard figures.received == 0 else { return end(figures, at: moment) }
        isCut = true
        endedAt = moment
    }

    /// Says where the bytes taken lie.
    ///
    /// - Parameters:
    ///   - mounts: those that are followed; what others answered is no part of it.
    ///   - moment: the kill's; nil where there is none.
    ///   - total: takes the outcome.
    func place(
        in mounts: FollowedMounts, at moment: ContinuousClock.Instant?,
        into total: inout TakenPositions
    ) {
        // The end of the stream counts as a byte read, and comes where the relay has no more.
        let sent = answers.last?.relayed?.count ?? .max
        let taken = min(taken, sent)
        var start: Int64 = 0
        var reading: Int?
        for answer in answers {
            // Who has not read an answer has not asked for the next one on its connection: the two
            // came by connections with the same port, one right after the other.
            if start > taken, !isCut { total.loss = Self.mixed }
            start += answer.headBytes
            if let base = mounts.base(of: answer), answer.body != .none {
                total.bodies += 1
                let part = Part(start: start, taken: taken, most: isCut ? sent : taken, base: base)
                if let answer = self.answer(answer.body, part, at: moment, into: &total) {
                    if answer.count > 0 { reading = total.answers.count }
                    total.answers.append(answer)
                }
            }
            guard let bytes = answer.body.streamBytes else {
                if isCut { total.loss = SocketReading.abrupt }
                return
            }
            start += bytes
        }
        if let reading, let moment, isOpen(at: moment) {
            total.answers[reading] = total.answers[reading].beingRead
        }
    }

    /// Why two connections are as good as none.
    static let mixed = "two connections with the same port could not be told apart"

    /// Where an answer's body lies in the stream, what of the stream was taken for certain and at
    /// most, and where the body's video begins.
    private struct Part {
        let start: Int64
        let taken: Int64
        let most: Int64
        let base: Int64
    }

    private func answer(
        _ body: ServedAnswer.Body, _ part: Part, at moment: ContinuousClock.Instant?,
        into total: inout TakenPositions
    ) -> TakenAnswer? {
        guard case .positions(let positions, let streamBytes) = body else {
            if part.most > part.start { Self.miss(body, in: &total) }
            return nil
        }
        let length = min(streamBytes, positions.upperBound - positions.lowerBound)
        func bytes(of stream: Int64) -> Int64 { min(max(0, stream - part.start), length) }
        let first = positions.lowerBound + part.base
        // What had all come by then, or on a connection that was closed, is saved by the moment.
        let settled = moment.map { $0 - .seconds(Tolerances.settlingSeconds) }
        let isUnderWay =
            settled.map { isOpen(at: $0) && taken(at: $0) < part.start + streamBytes } ?? false
        return TakenAnswer(
            taken: first..<first + bytes(of: part.taken),
            mostTaken: first + bytes(of: part.most),
            isWhole: part.taken >= part.start + streamBytes, isUnderWay: isUnderWay,
            isBeingRead: false)
    }

    /// Notes bytes that have no place: chunks are the origin's choice, all else is asked for.
    private static func miss(_ body: ServedAnswer.Body, in total: inout TakenPositions) {
        if body.streamBytes == nil {
            total.doubt = "an answer came in chunks: its bytes have no place"
        } else {
            total.loss = "an answer came in parts or encoded: its bytes have no place"
        }
    }
}

extension TakenAnswer {
    /// The same answer, of which a read may be in hand.
    fileprivate var beingRead: Self {
        Self(
            taken: taken, mostTaken: mostTaken, isWhole: isWhole, isUnderWay: isUnderWay,
            isBeingRead: true)
    }
}
