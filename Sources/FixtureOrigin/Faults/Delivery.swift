/// How a body goes out: what is sent beside the video's bytes, and what becomes of the rest.
struct Delivery: Sendable, Hashable {
    /// A part of a body.
    enum Piece: Sendable, Hashable {
        /// Positions of what is served.
        case positions(Range<Int64>)
        /// Bytes that are no part of it.
        case literal([UInt8])

        /// How many bytes the piece has.
        var count: Int64 {
            switch self {
            case .positions(let range): range.upperBound - range.lowerBound
            case .literal(let bytes): Int64(bytes.count)
            }
        }
    }

    /// What happens in the middle of a body that goes no further.
    enum Ending: Sendable, Hashable {
        /// The connection is closed.
        case close
        /// The connection is reset.
        case reset
        /// Nothing: the connection stays open.
        case silence
    }

    /// Where a body goes no further, and how.
    struct BreakOff: Sendable, Hashable {
        /// How many bytes of the body go out.
        var after: Int64
        var ending: Ending
    }

    /// The body's pieces, where they are more than one run of positions.
    var parts: [Piece]?
    /// How many bytes follow the announced ones.
    var surplus: Int64 = 0
    /// True when the body goes in chunks, with no length.
    var isChunked = false
    /// Where the body goes no further.
    var breakOff: BreakOff?
}

extension ResponsePlan {
    /// True when a body follows the head.
    var hasBody: Bool { body != nil || delivery.parts != nil }

    /// The announced pieces of the body, in their order.
    private var announced: [Delivery.Piece] {
        delivery.parts ?? body.map { [.positions($0)] } ?? []
    }

    /// How many bytes the body is announced to have.
    var bodyLength: Int64 { announced.reduce(0) { $0 + $1.count } }

    /// The pieces that are sent, in their order.
    var pieces: [Delivery.Piece] {
        guard delivery.surplus > 0 else { return announced }
        // No byte of a video's own, so that whoever takes it for one is found out.
        let surplus = [UInt8](repeating: 0xEE, count: Int(delivery.surplus))
        return announced + [.literal(surplus)]
    }
}
