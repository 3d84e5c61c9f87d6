internal import Synchronization

/// One answer of an origin, a head and a body, and its place in its connection's byte stream: how
/// much a client read from that tells which positions it received.
package struct ServedAnswer: Sendable {
    package enum Body: Sendable, Hashable {
        case none
        /// Positions of the served resource, then extra bytes, or fewer if it breaks off.
        case positions(Range<Int64>, streamBytes: Int64)
        /// Bytes that are no one range of positions, such as chunks; nil for an unknown number.
        case unplaced(streamBytes: Int64?)

        package var streamBytes: Int64? {
            switch self {
            case .none: 0
            case .positions(_, let streamBytes): streamBytes
            case .unplaced(let streamBytes): streamBytes
            }
        }
    }

    /// The path of the mount that answered; nil when the request's path has no mount.
    package var mountPath: String?
    /// The request's number at its mount, from 1; 0 without a mount.
    package var ordinal: Int
    package var clientPort: UInt16
    /// The bytes of the status line and the header fields, including the empty line after them.
    package var headBytes: Int64
    package var body: Body
    /// When the request's headers had been read.
    package var startedAt: ContinuousClock.Instant
    /// What was sent to the client on its connection; nil if the connection has no faults.
    package var sent: SentBytes?
    /// The records of its connection, if that is encrypted; nil if not.
    package var records: RecordMap?

    package init(
        mountPath: String?, ordinal: Int = 1, clientPort: UInt16, headBytes: Int64, body: Body,
        startedAt: ContinuousClock.Instant, sent: SentBytes? = nil, records: RecordMap? = nil
    ) {
        (self.mountPath, self.ordinal, self.clientPort) = (mountPath, ordinal, clientPort)
        (self.headBytes, self.body, self.startedAt, self.sent) = (headBytes, body, startedAt, sent)
        self.records = records
    }
}

/// How many bytes were sent to the client of one connection, heads included.
package final class SentBytes: Sendable {
    private let sent = Atomic<Int64>(0)

    package init() {}
    package var count: Int64 { sent.load(ordering: .acquiring) }
    func add(_ count: Int) { sent.add(Int64(count), ordering: .acquiringAndReleasing) }
}

/// Follows every answer of an origin, on any path, as long as it is kept.
package final class ResponseSubscription: Sendable {
    private let answers = Mutex<[ServedAnswer]>([])

    func add(_ answer: ServedAnswer) { answers.withLock { $0.append(answer) } }

    /// The answers since the last call, in order; each is recorded before its head is sent.
    package func take() -> [ServedAnswer] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

extension ResponsePlan {
    /// What follows the head of this answer; encoded, its positions are not the video's.
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
