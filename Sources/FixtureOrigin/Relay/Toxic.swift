/// What a relay does to its connections, in toxiproxy's words and with its meaning.
///
/// All of them act on the way from the server to the client, as toxiproxy's do by default.
package enum Toxic: Sendable, Hashable {
    /// Every byte, and the end, arrives so much later; the rate stays as it is.
    case latency(Duration)
    /// Each connection goes at most at this pace.
    case bandwidth(bytesPerSecond: Double)
    /// The end of a connection is passed on so much later.
    case slowClose(Duration)
    /// A connection is reset at its first byte, once some time has passed; nothing is delivered.
    ///
    /// Strikes the first so many connections; every one when `connections` is nil.
    case resetPeer(after: Duration, connections: Int?)
    /// A connection is reset once so many bytes have been delivered, heads of answers included.
    case resetPeerAt(bytes: Int64, connections: Int?)
    /// Bytes are passed on in pieces of at most this size, each sent on its own.
    case slicer(bytes: Int)
    /// A connection is closed once so many bytes have been delivered, heads of answers included.
    case limitData(bytes: Int64, connections: Int?)
}

/// What a relay does to one connection: a pure function of its toxics and the connection's number.
struct ToxicPlan: Sendable, Hashable {
    /// How a connection ends before the server ends it.
    struct EarlyEnd: Sendable, Hashable {
        /// How many bytes are delivered.
        var bytes: Int64
        /// How long to wait between the last of them, or the first undelivered one, and the end.
        var delay: Duration
        /// True for a reset, false for a close.
        var isReset: Bool
    }

    /// How much later bytes arrive; toxics of a kind add up.
    var latency = Duration.zero
    /// The pace in bytes a second; unlimited when nil.
    var bytesPerSecond: Double?
    /// How much later the end arrives.
    var closeDelay = Duration.zero
    /// The most bytes to send at once; unlimited when nil.
    var sliceSize: Int?
    /// The earliest early end.
    var earlyEnd: EarlyEnd?

    /// The plan of the connection with a number, from 1.
    init(_ toxics: [Toxic], connection: Int) {
        for toxic in toxics {
            switch toxic {
            case .latency(let delay): latency += delay
            case .bandwidth(let pace): bytesPerSecond = min(bytesPerSecond ?? pace, pace)
            case .slowClose(let delay): closeDelay += delay
            case .slicer(let size): sliceSize = min(sliceSize ?? size, size)
            case .resetPeer(let delay, let connections):
                end(
                    .init(bytes: 0, delay: delay, isReset: true),
                    if: connection <= connections ?? .max)
            case .resetPeerAt(let bytes, let connections):
                end(
                    .init(bytes: bytes, delay: .zero, isReset: true),
                    if: connection <= connections ?? .max)
            case .limitData(let bytes, let connections):
                end(
                    .init(bytes: bytes, delay: .zero, isReset: false),
                    if: connection <= connections ?? .max)
            }
        }
    }

    private mutating func end(_ candidate: EarlyEnd, if strikes: Bool) {
        guard strikes else { return }
        if let earlyEnd, earlyEnd.bytes <= candidate.bytes { return }
        earlyEnd = candidate
    }
}
