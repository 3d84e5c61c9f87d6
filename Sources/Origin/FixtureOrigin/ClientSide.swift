internal import LoopbackHTTP
internal import Synchronization

/// What clients see of an origin: its port, and its answers.
final class ClientSide: Sendable {
    let server: LoopbackServer
    private let scheme: String
    private let taps = Mutex<[Tap]>([])

    private struct Tap: Sendable {
        weak var subscription: ResponseSubscription?
    }

    /// The side of an origin with a server; clients must speak TLS if it is encrypted.
    init(of server: LoopbackServer = LoopbackServer(), isEncrypted: Bool = false) {
        (self.server, scheme) = (server, isEncrypted ? "https" : "http")
    }

    var port: UInt16 { server.port }

    /// Where the addresses of all videos begin, such as `http://127.0.0.1:4711`.
    var base: String { "\(scheme)://127.0.0.1:\(port)" }

    func tap() -> ResponseSubscription {
        let subscription = ResponseSubscription()
        taps.withLock { taps in
            taps.removeAll { $0.subscription == nil }
            taps.append(Tap(subscription: subscription))
        }
        return subscription
    }

    /// Hands an answer to every tap; must be called before the answer's head is sent.
    func note(_ answer: ServedAnswer) {
        for tap in taps.withLock({ $0 }) { tap.subscription?.add(answer) }
    }
}
