internal import FixtureOrigin
internal import RigModel

/// What was taken from some connections, in positions of the video.
struct TakenPositions: Sendable {
    /// What was taken of each answer that has positions.
    var answers: [TakenAnswer] = []
    /// The number of answers with a body of the video, also those of which nothing was taken.
    var bodies = 0
    /// Why the worker's use of the connections hides what was taken; nil if it does not.
    var loss: String?
    /// Why the origin's answers do not give the positions of what was taken; nil if they do.
    var doubt: String?

    /// The answers that may be under way: whether they were wholly taken, and when they were open.
    fileprivate(set) var underWay: [(isWhole: Bool, open: Range<ContinuousClock.Instant>)] = []

    /// How many requests may have bytes left to save.
    ///
    /// All of those that were broken off count, and of those that were wholly taken one more than
    /// were ever open at the same time: a worker that makes many small requests one after the other
    /// saves their bytes one after the other, too, and may not lose all of the last second's.
    var activeRequests: Int {
        let whole = underWay.count(where: \.isWhole)
        let atOnce = underWay.map { one in
            underWay.count { $0.open.contains(one.open.lowerBound) }
        }
        return underWay.count - whole + min(whole, (atOnce.max() ?? 0) + 1)
    }

    /// The positions taken for certain.
    var received: ByteRanges { ByteRanges(answers.map(\.taken)) }

    /// True if no other positions were taken.
    var isKnown: Bool {
        doubt == nil && loss == nil && answers.allSatisfy { $0.mostTaken == $0.taken.upperBound }
    }
}

/// One connection of a client to the origin: the answers that make up its byte stream, and how much
/// of the stream the client's program has read.
struct ConnectionStream: Sendable {
    let clientPort: UInt16
    var answers: [ServedAnswer]
    /// The socket's cookie; nil until a look or an end has shown it.
    private(set) var cookie: UInt64?
    /// When the end of the connection was noted; nil while it is open.
    private(set) var endedAt: ContinuousClock.Instant?
    /// What the last look showed; nil if there was none, or if it found nothing.
    private(set) var last: SocketFigures?
    /// A lower bound of the bytes read, encrypted or not; exact for a stopped or dead program.
    private(set) var taken: Int64 = 0
    /// True if the connection was closed abruptly, so that the kernel no longer says what was read.
    private(set) var isCut = false
    /// True when the last look found no such socket: nothing is left to be read there.
    var isGone = false
    /// When a look first found no such socket, if none had ever been seen; nil otherwise.
    var goneSince: ContinuousClock.Instant?
    /// What had been taken at some earlier looks, at least 10 ms apart.
    private var history: [(at: ContinuousClock.Instant, taken: Int64)] = []

    init(_ answer: ServedAnswer) { (clientPort, answers) = (answer.clientPort, [answer]) }

    func concerns(_ mounts: FollowedMounts) -> Bool {
        answers.contains { mounts.base(of: $0) != nil }
    }

    /// How many bytes of the answers a program has that has read so many bytes of the connection;
    /// of an encrypted one, those that it could decrypt.
    private func plaintext(of bytes: Int64) -> Int64 {
        answers.first?.records?.plaintext(of: bytes) ?? bytes
    }

    /// True if the program had read exactly the bytes of its answers: only then can another request
    /// have used the connection.
    var wasReadToItsEnd: Bool {
        guard !isCut else { return false }
        var length: Int64 = 0
        for answer in answers {
            guard let bytes = answer.body.streamBytes else { return false }
            length += answer.headBytes + bytes
        }
        // The kernel counts the end of the stream as a byte.
        let read = plaintext(of: min(taken, answers.last?.sent?.count ?? .max))
        return (length...length + 1).contains(read)
    }

    /// The answers with a body of which something was taken.
    var readAnswers: [ServedAnswer] {
        var start: Int64 = 0
        let taken = plaintext(of: taken)
        return answers.filter { answer in
            let body = start + answer.headBytes
            start = body + (answer.body.streamBytes ?? 0)
            return taken > body
        }
    }

    /// A lower bound of the bytes of the answers taken by a moment.
    private func taken(at moment: ContinuousClock.Instant) -> Int64 {
        plaintext(of: history.last { $0.at <= moment }?.taken ?? 0)
    }

    private func isOpen(at moment: ContinuousClock.Instant) -> Bool {
        endedAt.map { $0 >= moment } ?? true
    }

    private mutating func remember() {
        let now = ContinuousClock.now
        guard history.last.map({ now - $0.at > .milliseconds(10) }) ?? true else { return }
        history.append((now, taken))
    }

    /// Records what a look showed, nil for no socket; true if the look before showed the same.
    ///
    /// The kernel reads `received` and `queued` one after the other, so bytes that arrive in
    /// between would count as read. The previous look's `received` less the current `queued` is
    /// certainly read.
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

    mutating func end(_ socket: EndedSocket, at moment: ContinuousClock.Instant) {
        // An abrupt close leaves no figures, so the lower bound from the looks is kept.
        isCut = socket.isDisconnected && socket.figures.received == 0
        guard isCut else { return end(socket.figures, at: moment) }
        endedAt = moment
    }

    mutating func end(_ figures: SocketFigures, at moment: ContinuousClock.Instant) {
        (cookie, taken) = (figures.cookie, figures.taken)
        (last, endedAt) = (figures, moment)
    }

    /// Adds the positions of the bytes taken to a total, but for answers of other mounts; `moment`
    /// is that of the kill.
    func place(
        in mounts: FollowedMounts, at moment: ContinuousClock.Instant?,
        into total: inout TakenPositions
    ) {
        // The end of the stream counts as a byte read, and comes after the last byte sent.
        let sentBytes = answers.last?.sent?.count ?? .max
        let sent = plaintext(of: sentBytes)
        let taken = plaintext(of: min(taken, sentBytes))
        var start: Int64 = 0
        var reading: Int?
        for (number, answer) in answers.enumerated() {
            // A client that has not read an answer has not asked for the next one on its
            // connection. The two came by successive connections with the same port.
            if start > taken, !isCut { total.loss = Self.mixed }
            start += answer.headBytes
            if let base = mounts.base(of: answer), answer.body != .none {
                total.bodies += 1
                let part = (start, taken, isCut ? sent : taken, base)
                if let found = self.answer(answer.body, part, at: moment, into: &total) {
                    if found.count > 0 { reading = total.answers.count }
                    total.answers.append(found)
                    if found.isUnderWay, let moment {
                        let end = whenOver(number, at: start + (answer.body.streamBytes ?? 0))
                        total.underWay.append(
                            (found.isWhole, answer.startedAt..<max(end ?? moment, answer.startedAt))
                        )
                    }
                }
            }
            guard let bytes = answer.body.streamBytes else {
                if isCut { total.loss = SocketReading.abrupt }
                return
            }
            start += bytes
        }
        if let reading, let moment, isOpen(at: moment) {
            total.answers[reading].isBeingRead = true
        }
    }

    /// When an answer that ends at a place of the stream was over, as far as is known: a client
    /// asks for the next one when it has read it.
    private func whenOver(_ number: Int, at end: Int64) -> ContinuousClock.Instant? {
        let isTaken = history.first { plaintext(of: $0.taken) >= end }?.at
        let next = number + 1 < answers.count ? answers[number + 1].startedAt : nil
        return [isTaken, next, endedAt].compactMap(\.self).min()
    }

    static let mixed = "two connections with the same port could not be told apart"

    /// Where an answer's body begins in the stream, how much of the stream was taken for certain
    /// and at most, and where the body's video begins in the position space.
    private typealias Part = (start: Int64, taken: Int64, most: Int64, base: Int64)

    private func answer(
        _ body: ServedAnswer.Body, _ part: Part, at moment: ContinuousClock.Instant?,
        into total: inout TakenPositions
    ) -> TakenAnswer? {
        guard case .positions(let positions, let streamBytes) = body else {
            guard part.most > part.start else { return nil }
            // Chunks are the origin's choice; parts and encodings are requested by the worker.
            if body.streamBytes == nil {
                total.doubt = "an answer came in chunks: its bytes have no place"
            } else {
                total.loss = "an answer came in parts or encoded: its bytes have no place"
            }
            return nil
        }
        let length = min(streamBytes, positions.upperBound - positions.lowerBound)
        func bytes(of stream: Int64) -> Int64 { min(max(0, stream - part.start), length) }
        let first = positions.lowerBound + part.base
        // An answer that had all arrived, or was on a connection closed by then, is saved by
        // the kill.
        let settled = moment.map { $0 - .seconds(Tolerances.settlingSeconds) }
        let isUnderWay =
            settled.map { isOpen(at: $0) && taken(at: $0) < part.start + streamBytes } ?? false
        return TakenAnswer(
            taken: first..<first + bytes(of: part.taken), mostTaken: first + bytes(of: part.most),
            isWhole: part.taken >= part.start + streamBytes, isUnderWay: isUnderWay,
            isBeingRead: false)
    }
}
