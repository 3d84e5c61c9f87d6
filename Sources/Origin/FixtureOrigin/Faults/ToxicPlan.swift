internal import LoopbackHTTP
internal import OriginFaults
internal import Synchronization

/// What happens to one connection: a pure function of the faults and the connection's number.
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
    init(_ faults: [OriginFault], connection: Int) {
        for fault in faults where connection <= fault.times ?? .max {
            if case .connection(let change) = fault.action { change(&self) }
        }
    }

    /// Ends it after so many bytes, unless it ends earlier.
    mutating func end(after bytes: Int64, delay: Duration, isReset: Bool) {
        if let earlyEnd, earlyEnd.bytes <= bytes { return }
        earlyEnd = EarlyEnd(bytes: bytes, delay: delay, isReset: isReset)
    }
}

extension [OriginFault] {
    /// Makes the links of a server's connections, which it counts; nil if no fault needs any.
    func makeLinks() -> LoopbackServer.MakeLink? {
        let needLinks = contains { fault in
            if case .connection = fault.action { true } else { fault.kind == .reset }
        }
        guard needLinks else { return nil }
        let accepted = Atomic(0)
        return { [self] in
            let number = accepted.add(1, ordering: .relaxed).newValue
            return ToxicLink(ToxicPlan(self, connection: number))
        }
    }
}
