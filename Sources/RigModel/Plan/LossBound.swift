/// What a kill may cost, as a worker's profile states it.
package enum LossBound: Sendable, Hashable {
    /// The policy's threshold for each active request (B1), where its commits survive the fault; for
    /// one that has brought less, as much as that.
    case threshold
    /// So many bytes, of all requests together.
    case bytes(Int64)
    /// What the origin can send in so many seconds; not judged when its pace is not limited.
    case seconds(Double)

    /// The bound of one kill in bytes; nil where nothing is promised, or it cannot be known.
    ///
    /// - Parameters:
    ///   - policy: the worker's commit policy.
    ///   - fault: what happens at the kill.
    ///   - activeRequests: how many requests were under way; nil when that is not known.
    ///   - taken: what each of them, or more, had brought; nil when that is not known.
    ///   - bytesPerSecond: the origin's pace; nil when it is not limited.
    /// - Returns: bytes.
    package func bytes(
        policy: Policy, fault: Fault, activeRequests: Int?, taken: [Int64]? = nil,
        bytesPerSecond: Int64?
    ) -> Int64? {
        switch self {
        case .threshold:
            guard let promised = policy.boundPerRequest(under: fault), let activeRequests else {
                return nil
            }
            let (bound, overflow) = promised.multipliedReportingOverflow(
                by: Int64(max(1, activeRequests)))
            guard let taken else { return overflow ? .max : bound }
            // A connection that stands idle has nothing to lose, and must not make room for others.
            let others = taken.sorted(by: >).prefix(activeRequests).dropFirst()
            return others.reduce(promised) { $0 + min($1, promised) }
        case .bytes(let bytes): return bytes
        case .seconds(let seconds):
            // A time may be longer than any number of bytes: then there is no end to the bound.
            return bytesPerSecond.map {
                Int64(exactly: (Double($0) * seconds).rounded(.up)) ?? .max
            }
        }
    }
}

/// A server that is killed, with the processes it started, while a client asks it for the video.
package struct WorkerServer: Sendable, Hashable, Codable {
    /// How it is known that the server answers.
    package enum Readiness: Sendable, Hashable, Codable {
        /// It accepts connections on `{port}`.
        case port
        /// It answers a request for this address with any status; may have placeholders.
        case url(String)
    }

    /// Program and arguments that run it in the foreground; `{port}` is a free port for it.
    package let command: [String]
    /// When it is ready for its client.
    package let ready: Readiness

    /// How to start a server.
    package init(command: [String], ready: Readiness = .port) {
        self.command = command
        self.ready = ready
    }
}
