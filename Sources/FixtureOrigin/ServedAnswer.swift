internal import FlyingFox
internal import Synchronization

/// One answer of an origin, as it lies in the stream of bytes of its connection.
///
/// A connection's stream is made of its answers, in their order, each a head and then a body: who
/// knows how many bytes a client took off a connection knows which positions they are.
package struct ServedAnswer: Sendable {
    /// What follows the head.
    package enum Body: Sendable, Hashable {
        /// Nothing.
        case none
        /// These positions of what is served, and then bytes beyond them, where the stream has more.
        ///
        /// It has fewer where the answer is to break off.
        case positions(Range<Int64>, streamBytes: Int64)
        /// Bytes that are no run of positions: chunks, several parts, another encoding. Their number
        /// is nil where it is not known beforehand.
        case unplaced(streamBytes: Int64?)

        /// How many bytes of the stream it takes; nil when not known.
        package var streamBytes: Int64? {
            switch self {
            case .none: 0
            case .positions(_, let streamBytes): streamBytes
            case .unplaced(let streamBytes): streamBytes
            }
        }
    }

    /// The path of the mount that answered; nil where there was none under the request's path.
    package var mountPath: String?
    /// The request's number among those of the mount, from 1; 0 where there is no mount.
    package var ordinal: Int
    /// The port of the client's own socket, also behind a relay.
    package var clientPort: UInt16
    /// The bytes of the status line and the header fields, with the empty line after them.
    package var headBytes: Int64
    /// What follows the head.
    package var body: Body
    /// When the request's headers had been read.
    package var startedAt: ContinuousClock.Instant
    /// What the relay before the origin has passed on to the client; nil without a relay.
    package var relayed: RelayedBytes?

    /// An answer as given.
    package init(
        mountPath: String?, ordinal: Int = 1, clientPort: UInt16, headBytes: Int64, body: Body,
        startedAt: ContinuousClock.Instant, relayed: RelayedBytes? = nil
    ) {
        self.mountPath = mountPath
        self.ordinal = ordinal
        self.clientPort = clientPort
        self.headBytes = headBytes
        self.body = body
        self.startedAt = startedAt
        self.relayed = relayed
    }
}

/// How many bytes a relay has passed on to the client of one connection, heads included.
package final class RelayedBytes: Sendable {
    private let passedOn = Atomic<Int64>(0)

    /// Nothing yet.
    package init() {}

    /// The bytes so far.
    package var count: Int64 { passedOn.load(ordering: .acquiring) }

    /// Adds bytes that are about to be passed on.
    func add(_ count: Int) {
        passedOn.add(Int64(count), ordering: .acquiringAndReleasing)
    }
}

/// Follows every answer of an origin, whatever its path, for as long as it lives.
package final class AnswerTap: Sendable {
    private let basin: AnswerBasin
    private let connections: ConnectionTable

    init(of connections: ConnectionTable) {
        self.connections = connections
        basin = AnswerBasin()
        connections.add(basin)
    }

    deinit { connections.remove(basin) }

    /// The answers since the last call, in the order in which they began.
    ///
    /// An answer is there before the first byte of its head has left.
    package func take() -> [ServedAnswer] { basin.take() }
}

/// Where the answers that a tap has not taken yet wait.
final class AnswerBasin: Sendable {
    private let answers = Mutex<[ServedAnswer]>([])

    func add(_ answer: ServedAnswer) { answers.withLock { $0.append(answer) } }

    func take() -> [ServedAnswer] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

extension ResponsePlan {
    /// What follows the head of this answer.
    ///
    /// - Parameter isEncoded: true when positions are not those of the video.
    /// - Returns: the body's place in the stream.
    func servedBody(isEncoded: Bool) -> ServedAnswer.Body {
        guard hasBody else { return .none }
        guard !delivery.isChunked else { return .unplaced(streamBytes: nil) }
        let whole = pieces.reduce(0) { $0 + $1.count }
        let streamBytes = min(whole, delivery.breakOff?.after ?? .max)
        guard let body, delivery.parts == nil, !isEncoded else {
            return .unplaced(streamBytes: streamBytes)
        }
        return .positions(body, streamBytes: streamBytes)
    }
}

/// The size of what the server writes before a body: a sum, so that the order does not matter.
///
/// The server adds what a plan leaves out: a length, or that there are chunks; and it repeats the
/// client's `Connection` where the connection stays open. The tests compare it with what arrives.
struct ResponseHead {
    private static let version = "HTTP/1.1"

    /// How many bytes the head has.
    let byteCount: Int64

    /// The head of an answer.
    ///
    /// - Parameters:
    ///   - status: its code and phrase.
    ///   - headers: its fields as planned.
    ///   - contentLength: how many bytes the server is told that the body has; nil for chunks.
    ///   - request: what it answers.
    init(
        _ status: HTTPStatusCode, headers: [String: String], contentLength: Int64?,
        answering request: HTTPRequest
    ) {
        var fields = headers
        if let contentLength, fields["Content-Length"] == nil {
            fields["Content-Length"] = String(contentLength)
        } else if contentLength == nil {
            fields["Transfer-Encoding"] = "chunked"
        }
        if fields["Connection"] == nil, Self.staysOpen(request) {
            fields["Connection"] = request.headers[.connection]
        }
        let statusLine = "\(Self.version) \(status.code) \(status.phrase)\r\n"
        byteCount = fields.reduce(Int64(statusLine.utf8.count + 2)) {
            $0 + Int64($1.key.utf8.count + 2 + $1.value.utf8.count + 2)
        }
    }

    private static func staysOpen(_ request: HTTPRequest) -> Bool {
        let words = (request.headers[.connection] ?? "").split(separator: ",").map {
            $0.filter { !$0.isWhitespace }.lowercased()
        }
        return request.version == .http11 ? !words.contains("close") : words.contains("keep-alive")
    }
}
