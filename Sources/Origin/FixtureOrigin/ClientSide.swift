internal import Synchronization

/// What clients see of an origin: its port, and its answers.
final class ClientSide: Sendable {
    private struct Guarded: Sendable {
        var port: UInt16 = 0
        var basins: [ObjectIdentifier: ResponseQueue] = [:]
    }

    private let scheme: String
    private let guarded = Mutex(Guarded())

    /// The side of an origin that has not started; clients must speak TLS if it is encrypted.
    init(isEncrypted: Bool = false) { scheme = isEncrypted ? "https" : "http" }

    /// The port that the origin listens on; 0 before it has started.
    var port: UInt16 {
        get { guarded.withLock { $0.port } }
        set { guarded.withLock { $0.port = newValue } }
    }

    /// Where the addresses of all videos begin, such as `http://127.0.0.1:4711`.
    var base: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Sends every later answer to a tap's basin, too.
    func add(_ basin: ResponseQueue) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = basin }
    }

    /// Stops sending answers to a basin.
    func remove(_ basin: ResponseQueue) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = nil }
    }

    /// Hands an answer to every tap; must be called before the answer's head is sent.
    func note(_ answer: ServedAnswer) {
        for basin in guarded.withLock({ Array($0.basins.values) }) { basin.add(answer) }
    }
}
