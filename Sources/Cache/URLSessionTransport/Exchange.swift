internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VideoCache

/// Queues what URLSession has received of one response until the handler takes it; the queue has no
/// limit, because URLSession cannot be told to wait.
final class Exchange: Sendable {
    /// How a response ended.
    enum End: Sendable {
        case complete
        case cancelled
        case failed(TransportError)
    }

    /// The next thing for the handler.
    enum Arrival {
        case head(HTTPResponseHead, goOn: @Sendable () -> Void)
        case body([Data])
        case end(End)
    }

    private struct State {
        var head: HTTPResponseHead?
        var goOn: @Sendable () -> Void = {}
        var pieces: [Data] = []
        var end: End?
        // Counts bytes on arrival; `uncounted` are those that arrived before it was set.
        var counter: (@Sendable (Int) -> Void)?
        var uncounted = 0
        var redirectsLeft: Int
    }

    /// The requested URL.
    let url: String
    private let state: Mutex<State>
    private let arrivals = DispatchSemaphore(value: 0)

    /// Creates an exchange for a response that has not arrived yet.
    init(url: String, redirectsLeft: Int) {
        self.url = url
        state = Mutex(State(redirectsLeft: redirectsLeft))
    }

    /// Stores the head; `goOn` allows the body to arrive.
    func take(_ head: HTTPResponseHead, goOn: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.head = head
            state.goOn = goOn
        }
        arrivals.signal()
    }

    /// Queues the next piece of the body, and counts it as received.
    func take(_ piece: Data) {
        state.withLock { state in
            state.pieces.append(piece)
            if let counter = state.counter {
                counter(piece.count)
            } else {
                state.uncounted += piece.count
            }
        }
        arrivals.signal()
    }

    /// Ends the exchange; only the first end counts.
    func end(_ end: End) {
        state.withLock { $0.end = $0.end ?? end }
        arrivals.signal()
    }

    /// Sets what counts bytes on arrival; bytes that are already queued are counted now.
    func count(by counter: (@Sendable (Int) -> Void)?) {
        state.withLock { state in
            state.counter = counter
            if state.uncounted > 0 { counter?(state.uncounted) }
            state.uncounted = 0
        }
    }

    /// Follows a redirect, unless the exchange is over or this is one too many.
    func takeRedirect(_ follow: () -> Void) {
        let isTooMany = state.withLock { state in
            guard state.end == nil else { return false }
            state.redirectsLeft -= 1
            if state.redirectsLeft >= 0 { follow() }
            return state.redirectsLeft < 0
        }
        if isTooMany { end(.failed(.tooManyRedirects(url: url))) }
    }

    /// Waits for the next arrival.
    ///
    /// - Parameter patience: the longest wait.
    /// - Returns: the head, then all queued bytes of the body, then the end; nil if nothing arrived
    ///   in time.
    func next(patience: Duration) -> Arrival? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(patience / .nanoseconds(1)))
        while true {
            if let arrival = state.withLock({ Self.pop(&$0) }) { return arrival }
            guard arrivals.wait(timeout: deadline) == .success else { return nil }
        }
    }

    private static func pop(_ state: inout State) -> Arrival? {
        if let head = state.head {
            state.head = nil
            return .head(head, goOn: state.goOn)
        }
        // Bytes from before the end are delivered first, even after a cancellation (S2, S3).
        if !state.pieces.isEmpty {
            defer { state.pieces = [] }
            return .body(state.pieces)
        }
        return state.end.map { .end($0) }
    }
}

/// Passes arrivals to the handler, on the thread that performs the request.
struct Delivery {
    let exchange: Exchange
    let handler: any HTTPResponseHandler
    let url: String

    /// Runs until the response ends.
    ///
    /// - Parameter patience: the longest time without a byte.
    /// - Throws: ``TransportError``, or what the handler threw.
    func run(patience: Duration) throws {
        var hasHead = false
        while true {
            switch exchange.next(patience: patience) {
            case nil: throw TransportError.timedOut(url: url)
            case .head(let head, let goOn):
                hasHead = true
                try handler.head(head)
                exchange.count(by: handler.arrivalCounter)
                goOn()
            case .body(let pieces):
                guard hasHead else { throw noHead }
                try hand(over: pieces)
            case .end(.cancelled): throw TransportError.cancelled
            case .end(.failed(let error)): throw error
            case .end(.complete):
                guard hasHead else { throw noHead }
                return
            }
        }
    }

    private var noHead: TransportError {
        .failed(url: url, reason: "the answer has no head that says what it is")
    }

    /// Passes all pieces as one, because a handler that is cancelled accepts no second one (S3).
    private func hand(over pieces: [Data]) throws {
        var whole = Data()
        if pieces.count == 1, let only = pieces.first {
            whole = only
        } else {
            whole.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
            for piece in pieces { whole.append(piece) }
        }
        try whole.withUnsafeBytes { try handler.body($0) }
    }
}
