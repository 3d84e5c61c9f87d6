/// How a body is sent: extra bytes beside the video's, and where it breaks off.
struct Delivery: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        /// Positions of the served resource.
        case positions(Range<Int64>)
        /// Bytes that are not part of the resource.
        case literal([UInt8])

        /// How many bytes the piece has.
        var count: Int64 {
            switch self {
            case .positions(let range): range.upperBound - range.lowerBound
            case .literal(let bytes): Int64(bytes.count)
            }
        }
    }

    /// How a body that breaks off ends.
    enum Ending: Sendable, Hashable {
        case close
        case reset
        /// Nothing: the connection stays open.
        case silence
    }

    /// Where a body breaks off, and how.
    struct BreakOff: Sendable, Hashable {
        /// How many bytes of the body are sent.
        var after: Int64
        var ending: Ending
    }

    /// The body's pieces, when they are more than one range of positions.
    var parts: [Piece]?
    /// How many bytes are sent beyond the announced length.
    var surplus: Int64 = 0
    /// True when the body is sent in chunks, without a length.
    var isChunked = false
    var breakOff: BreakOff?
}

extension ResponsePlan {
    /// True when a body follows the head.
    var hasBody: Bool { body != nil || delivery.parts != nil }

    /// The announced pieces of the body, in order.
    private var announced: [Delivery.Piece] {
        delivery.parts ?? body.map { [.positions($0)] } ?? []
    }

    /// The announced length of the body, in bytes.
    var bodyLength: Int64 { announced.reduce(0) { $0 + $1.count } }

    /// The pieces that are sent, in order.
    var pieces: [Delivery.Piece] {
        guard delivery.surplus > 0 else { return announced }
        // Not the video's own bytes, so a client that keeps them is detected.
        let surplus = [UInt8](repeating: 0xEE, count: Int(delivery.surplus))
        return announced + [.literal(surplus)]
    }
}
