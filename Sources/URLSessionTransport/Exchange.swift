internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VideoCache

/// What URLSession has brought of one answer, and the handler has not taken yet: it grows without
/// a limit, because nothing tells URLSession to wait.
final class Exchange: Sendable {
    /// How an answer ended.
    enum End: Sendable {
        case complete
        case cancelled
        case failed(TransportError)
    }

    /// What there is for the handler.
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
        // What counts bytes at their arrival, and those that came before it was known.
        var counter: (@Sendable (Int) -> Void)?
        var uncounted = 0
        var redirectsLeft: Int
    }

    /// The address that was asked for.
    let url: String
    private let state: Mutex<State>
    private let arrivals = DispatchSemaphore(value: 0)

    /// An exchange whose answer has not come yet.
    init(url: String, redirectsLeft: Int) {
        self.url = url
        state = Mutex(State(redirectsLeft: redirectsLeft))
    }

    /// Takes the head; `goOn` lets the body come.
    func take(_ head: HTTPResponseHead, goOn: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.head = head
            state.goOn = goOn
        }
        arrivals.signal()
    }

    /// Takes the next piece of the body, and counts it as received.
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

    /// Ends the exchange; the first end holds.
    func end(_ end: End) {
        state.withLock { $0.end = $0.end ?? end }
        arrivals.signal()
    }

    /// Names who counts bytes from the moment they arrive; those that are here are counted now.
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

    /// Waits for what comes next.
    ///
    /// - Parameter patience: how long to wait for it at most.
    /// - Returns: the head, then all of the body that has come, then the end; nil when nothing
    ///   came in time.
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
        // What came before the end, a cancellation too, is handed over before it (S2, S3).
        if !state.pieces.isEmpty {
            defer { state.pieces = [] }
            return .body(state.pieces)
        }
        return state.end.map { .end($0) }
    }
}

/// Hands what has come to the handler, on the thread that performs the request.
struct Delivery {
    let exchange: Exchange
    let handler: any HTTPResponseHandler
    let url: String

    /// Runs until the answer's end.
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

    /// In one piece, since a handler that is cancelled takes no second one (S3).
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
