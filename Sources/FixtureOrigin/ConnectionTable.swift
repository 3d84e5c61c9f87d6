internal import FlyingSocks
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The connections with a body under way, by the client's port (that of the relay, behind one).
///
/// A body that waits for its client to read sits in the socket pool, where its mount cannot reach
/// it. This table can: it knows the sockets that wait, and shuts them down.
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
        /// The socket, while it waits for the client to read: it cannot be closed meanwhile.
        var waiting: Socket?
    }

    private struct Guarded: Sendable {
        var connections: [UInt16: Connection] = [:]
        var lastNumber = 0
        var port: UInt16 = 0
        var relay: TCPRelay?
        var basins: [ObjectIdentifier: AnswerBasin] = [:]
    }

    private let guarded = Mutex(Guarded())

    /// The port that the origin listens on; 0 before it has started.
    var port: UInt16 {
        get { guarded.withLock { $0.port } }
        set { guarded.withLock { $0.port = newValue } }
    }

    /// The relay that clients connect to; nil where they connect to the server itself.
    var relay: TCPRelay? {
        get { guarded.withLock { $0.relay } }
        set { guarded.withLock { $0.relay = newValue } }
    }

    /// Has a body's connection reset, instead of closed, when the server closes it.
    func resetAtEnd(_ token: Token) {
        relay?.resetAtEnd(serverSidePort: token.clientPort)
    }

    /// Hands every answer from now on to a tap.
    func add(_ basin: AnswerBasin) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = basin }
    }

    /// Ends that.
    func remove(_ basin: AnswerBasin) {
        guarded.withLock { $0.basins[ObjectIdentifier(basin)] = nil }
    }

    /// True when somebody wants to know of the answers.
    var isTapped: Bool { guarded.withLock { !$0.basins.isEmpty } }

    /// Hands an answer to whoever follows them; to be called before its head leaves.
    ///
    /// - Parameter answer: with the port that the server sees as its client's.
    func note(_ answer: ServedAnswer) {
        let (relay, basins) = guarded.withLock { ($0.relay, Array($0.basins.values)) }
        var answer = answer
        if let relay {
            // A connection that the relay no longer has takes nothing any more.
            guard let client = relay.client(serverSidePort: answer.clientPort) else { return }
            answer.clientPort = client.port
            answer.relayed = client.passedOn
        }
        for basin in basins { basin.add(answer) }
    }

    /// How many bodies are under way, and how many of them wait for their client to read.
    var counts: (underWay: Int, waiting: Int) {
        guarded.withLock { guarded in
            (guarded.connections.count, guarded.connections.values.count { $0.waiting != nil })
        }
    }

    /// Enters a body.
    func begin(clientPort: UInt16, for mount: Mount) -> Token {
        guarded.withLock { guarded in
            guarded.lastNumber += 1
            guarded.connections[clientPort] = Connection(
                number: guarded.lastNumber, mount: ObjectIdentifier(mount))
            return Token(clientPort: clientPort, number: guarded.lastNumber)
        }
    }

    /// Removes a body, unless the connection has gone on to another.
    func end(_ token: Token) {
        guarded.withLock { guarded in
            guard guarded.connections[token.clientPort]?.number == token.number else { return }
            guarded.connections[token.clientPort] = nil
        }
    }

    /// Ends what waits for the clients of a mount to read, now and later.
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

    /// Notes that a socket begins to wait for its client; false when its body has been cut.
    func beginWaiting(_ socket: Socket, clientPort: UInt16) -> Bool {
        guarded.withLock { guarded in
            guard let connection = guarded.connections[clientPort] else { return true }
            guard !connection.isCut else { return false }
            guarded.connections[clientPort]?.waiting = socket
            return true
        }
    }

    /// Notes that a socket no longer waits.
    func endWaiting(clientPort: UInt16) {
        guarded.withLock { $0.connections[clientPort]?.waiting = nil }
    }
}
