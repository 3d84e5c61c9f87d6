extension LossBound {
    /// Parses `threshold`, a size such as `4096` or `1MB`, or a time such as `1s`.
    package init?(_ text: String) {
        if text == "threshold" {
            self = .threshold
        } else if let size = ByteSize(text) {
            self = .bytes(size.bytes)
        } else if text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds.isFinite,
            seconds >= 0
        {
            self = .seconds(seconds)
        } else {
            return nil
        }
    }

    /// The text that ``init(_:)`` parses.
    package var text: String {
        switch self {
        case .threshold: "threshold"
        case .bytes(let bytes): ByteSize(bytes: bytes).name
        case .seconds(let seconds):
            seconds == seconds.rounded() && seconds < 1e15
                ? "\(Int64(seconds))s" : "\(seconds)s"
        }
    }
}

extension LossBound {
    package var words: String {
        switch self {
        case .threshold: "the threshold per active request"
        case .bytes(let bytes): bytes < 1024 ? "\(bytes) B" : ByteSize(bytes: bytes).name
        case .seconds: "what the origin sends in \(text)"
        }
    }
}

extension LossBound: TextCoded {
    /// What a text that is none is said not to be.
    package static var kind: String { "bound" }
}
