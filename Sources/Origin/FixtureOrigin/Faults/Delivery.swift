/// How a body is sent: extra bytes beside the video's, and where it breaks off.
struct Delivery: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case positions(Range<Int64>)
        case literal([UInt8])

        var count: Int64 {
            switch self {
            case .positions(let range): range.upperBound - range.lowerBound
            case .literal(let bytes): Int64(bytes.count)
            }
        }
    }

    enum Ending: Sendable, Hashable {
        case close
        case reset
        /// Nothing: the connection stays open.
        case silence
    }

    struct BreakOff: Sendable, Hashable {
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
    var hasBody: Bool { body != nil || delivery.parts != nil }

    private var announced: [Delivery.Piece] {
        delivery.parts ?? body.map { [.positions($0)] } ?? []
    }

    var bodyLength: Int64 { announced.reduce(0) { $0 + $1.count } }

    var pieces: [Delivery.Piece] {
        guard delivery.surplus > 0 else { return announced }
        // Not the video's own bytes, so a client that keeps them is detected.
        let surplus = [UInt8](repeating: 0xEE, count: Int(delivery.surplus))
        return announced + [.literal(surplus)]
    }
}
