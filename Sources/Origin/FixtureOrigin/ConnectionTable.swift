internal import FlyingSocks
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The connections with a body in transfer, by the client's port (the relay's, if there is one).
///
/// A body that waits for its client to read is suspended in the socket pool, out of its mount's
/// reach. This table knows the waiting sockets and can shut them down.
final class ConnectionTable: Sendable {
    /// Names one body on one connection.
    struct Token: Sendable, Hashable {
        var clientPort: UInt16
        var number: Int
    }

    private struct Connection: Sendable {
        var number: Int
        var mount: ObjectIdentifier
        var isCut = false
        /// The socket, while it waits for the client to read; it cannot be closed during the wait.
        var waiting: Socket?
    }

    private struct Guarded: Sendable {
        var connections: [UInt16: Connection] = [:]
        var lastNumber = 0
        var port: UInt16 = 0
        var relay: TCPRelay?
        var basins: [ObjectIdentifier: ResponseQueue] = [:]
    }

    private let guarded = Mutex(Guarded())

    /// The port that the origin listens on; 0 before it has started.
    var port: UInt16 {
        get { guarded.withLock { $0.port } }
        set { guarded.withLock { $0.port = newValue } }
    }

    /// The relay that clients connect to; nil when they connect to the server directly.
    var relay: TCPRelay? {
        get { guarded.withLock { $0.relay } }
        set { guarded.withLock { $0.relay = newValue } }
    }

    /// Makes the relay reset a body's connection, instead of closing it, when the server closes it.
    func resetAtEnd(_ token: Token) {
        relay?.resetAtEnd(serverSidePort: token.clientPort)
    }

    /// Sends every later answer to a tap's basin, too.
    func add(_ basin: ResponseQueue) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = basin }
    }

    /// Stops sending answers to a basin.
    func remove(_ basin: ResponseQueue) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = nil }
    }

    /// True when at least one tap follows the answers.
    var isTapped: Bool { guarded.withLock { !$0.basins.isEmpty } }

    /// Hands an answer to every tap; must be called before the answer's head is sent.
    ///
    /// - Parameter answer: its client port is the one that the server sees.
    func note(_ answer: ServedAnswer) {
        let (relay, basins) = guarded.withLock { ($0.relay, Array($0.basins.values)) }
        var answer = answer
        if let relay {
            // The relay has dropped this connection, so the answer reaches no client.
            guard let client = relay.client(serverSidePort: answer.clientPort) else { return }
            answer.clientPort = client.port
            answer.relayed = client.passedOn
        }
        for basin in basins { basin.add(answer) }
    }

    /// How many bodies are in transfer, and how many of them wait for their client to read.
    var counts: (underWay: Int, waiting: Int) {
        guarded.withLock { guarded in
            (guarded.connections.count, guarded.connections.values.count { $0.waiting != nil })
        }
    }

    /// Registers a body.
    func begin(clientPort: UInt16, for mount: Mount) -> Token {
        guarded.withLock { guarded in
            guarded.lastNumber += 1
            guarded.connections[clientPort] = Connection(
                number: guarded.lastNumber, mount: ObjectIdentifier(mount))
            return Token(clientPort: clientPort, number: guarded.lastNumber)
        }
    }

    /// Removes a body, unless the connection already carries another one.
    func end(_ token: Token) {
        guarded.withLock { guarded in
            guard guarded.connections[token.clientPort]?.number == token.number else { return }
            guarded.connections[token.clientPort] = nil
        }
    }

    /// Shuts down the mount's sockets that wait for their client to read, now and in future.
    func cut(_ mount: Mount) {
        guarded.withLock { guarded in
            for (clientPort, connection) in guarded.connections
            where connection.mount == ObjectIdentifier(mount) {
                guarded.connections[clientPort]?.isCut = true
                if let socket = connection.waiting {
                    shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// Records that a socket starts to wait for its client; false when its body has been cut.
    func beginWaiting(_ socket: Socket, clientPort: UInt16) -> Bool {
        guarded.withLock { guarded in
            guard let connection = guarded.connections[clientPort] else { return true }
            guard !connection.isCut else { return false }
            guarded.connections[clientPort]?.waiting = socket
            return true
        }
    }

    /// Records that a socket no longer waits.
    func endWaiting(clientPort: UInt16) {
        guarded.withLock { $0.connections[clientPort]?.waiting = nil }
    }
}
