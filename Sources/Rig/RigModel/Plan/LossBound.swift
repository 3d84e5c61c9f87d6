/// The most data that a kill may lose, as a worker's profile states it.
package enum LossBound: Sendable, Hashable, TextCoded {
    package static var kind: String { "bound" }

    /// One threshold per active request (B1), or what it received, if commits survive the fault.
    case threshold
    /// A number of bytes for all requests together.
    case bytes(Int64)
    /// What the origin can send in that many seconds; not judged when its bandwidth is unlimited.
    case seconds(Double)

    /// The bound of one kill in bytes; nil when nothing is promised or it cannot be known.
    ///
    /// `taken` is what each of these requests, or of more, had received; nil if unknown, and for
    /// several players, each of which has a bound of its own. A worker that saves by the threshold
    /// and ended when asked (`hasEnded`) has saved everything (S2, T12).
    package func bytes(
        policy: Policy, fault: Fault, activeRequests: Int?, taken: [Int64]? = nil,
        bytesPerSecond: Int64?, hasEnded: Bool = false
    ) -> Int64? {
        switch self {
        case .threshold:
            guard let promised = policy.boundPerRequest(under: fault), let activeRequests else {
                return nil
            }
            if hasEnded { return 0 }
            guard let taken else {
                return policy.mayLose(activeRequests: activeRequests)?.upperBound
            }
            // An idle connection has nothing to lose, and must not raise the bound for others.
            let others = taken.sorted(by: >).prefix(activeRequests).dropFirst()
            return others.reduce(promised) { $0 + min($1, promised) }
        case .bytes(let bytes): return bytes
        case .seconds(let seconds):
            // The product may exceed Int64; the bound is then unlimited.
            return bytesPerSecond.map {
                Int64(exactly: (Double($0) * seconds).rounded(.up)) ?? .max
            }
        }
    }

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

    package var text: String {
        switch self {
        case .threshold: "threshold"
        case .bytes(let bytes): ByteSize(bytes: bytes).name
        case .seconds(let seconds):
            seconds == seconds.rounded() && seconds < 1e15 ? "\(Int64(seconds))s" : "\(seconds)s"
        }
    }

    package var words: String {
        switch self {
        case .threshold: "the threshold per active request"
        case .bytes(let bytes): bytes < 1024 ? "\(bytes) B" : ByteSize(bytes: bytes).name
        case .seconds: "what the origin sends in \(text)"
        }
    }
}
