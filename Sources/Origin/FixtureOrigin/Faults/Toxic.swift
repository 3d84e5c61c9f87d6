/// A fault of connections, with toxiproxy's name and meaning.
///
/// All toxics act on the direction from server to client, toxiproxy's default.
package enum Toxic: Sendable, Hashable {
    /// Every byte, and the end, arrives later by this delay; the rate is unchanged.
    case latency(Duration)
    /// Each connection is limited to this rate.
    case bandwidth(bytesPerSecond: Double)
    /// The end of a connection is passed on later by this delay.
    case slowClose(Duration)
    /// A connection is reset after its first byte and a delay; nothing is delivered.
    ///
    /// Strikes the first `connections` connections; all of them when nil.
    case resetPeer(after: Duration, connections: Int?)
    /// A connection is reset after this many delivered bytes, heads of answers included.
    case resetPeerAt(bytes: Int64, connections: Int?)
    /// Bytes are passed on in pieces of at most this size, each sent separately.
    case slicer(bytes: Int)
    /// A connection is closed after this many delivered bytes, heads of answers included.
    case limitData(bytes: Int64, connections: Int?)
}

/// What happens to one connection: a pure function of the toxics and the connection's number.
struct ToxicPlan: Sendable, Hashable {
    /// How a connection ends before the server ends it.
    struct EarlyEnd: Sendable, Hashable {
        /// How many bytes are delivered.
        var bytes: Int64
        /// How long to wait after the last delivered, or the first undelivered, byte.
        var delay: Duration
        /// True for a reset, false for a close.
        var isReset: Bool
    }

    /// How much later bytes arrive; several latencies add up.
    var latency = Duration.zero
    /// The rate in bytes a second; nil for unlimited.
    var bytesPerSecond: Double?
    /// How much later the end arrives.
    var closeDelay = Duration.zero
    /// The most bytes to send at once; nil for unlimited.
    var sliceSize: Int?
    /// The early end with the fewest bytes.
    var earlyEnd: EarlyEnd?

    /// The plan of a connection, numbered from 1.
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
