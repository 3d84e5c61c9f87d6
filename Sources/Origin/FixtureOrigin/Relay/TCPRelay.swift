internal import Dispatch
internal import Foundation
internal import LoopbackHTTP
internal import Synchronization

/// A TCP relay in front of a server on 127.0.0.1 that imitates network faults.
///
/// It does not interpret HTTP. Each connection has its own threads, so a delay on one never delays
/// another or the server. Everything the server sends and no toxic drops is delivered.
package final class TCPRelay: Sendable {
    private struct Guarded: Sendable {
        var listener: RelayListener?
        var port: UInt16 = 0
        var connections: [Int: RelayConnection] = [:]
        var accepted = 0
    }

    private static let mostBeyond = 8

    private let wantedPort: UInt16
    private let upstream: UInt16
    private let toxics: [Toxic]
    private let guarded = Mutex(Guarded())
    private let stopped = DispatchSemaphore(value: 0)

    /// Creates a relay that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 picks a free one, which later starts keep.
    ///   - upstream: the server's port on 127.0.0.1.
    package init(port: UInt16 = 0, upstream: UInt16, toxics: [Toxic] = []) {
        wantedPort = port
        self.upstream = upstream
        self.toxics = toxics
    }

    /// The port that the relay listens on; 0 before its first start.
    package var port: UInt16 { guarded.withLock { $0.port } }

    /// How many connections clients have made since the relay was created.
    package var acceptedConnections: Int { guarded.withLock { $0.accepted } }

    /// How many of them have not ended.
    var openConnections: Int { guarded.withLock { $0.connections.count } }

    /// Starts listening; clients can connect when it returns.
    ///
    /// - Throws: ``OriginError``, among them `portTaken`.
    package func start() throws(OriginError) {
        let listener = try guarded.withLock { guarded throws(OriginError) in
            guard guarded.listener == nil else { throw .alreadyStarted(port: guarded.port) }
            let listener = try RelayListener(port: guarded.port == 0 ? wantedPort : guarded.port)
            guarded.listener = listener
            guarded.port = listener.port
            return listener
        }
        Thread.detachNewThread { [self] in listen(with: listener) }
    }

    /// Stops listening, and ends all connections.
    package func stop() {
        let (listener, connections) = guarded.withLock { guarded in
            defer {
                guarded.listener = nil
                guarded.connections = [:]
            }
            return (guarded.listener, guarded.connections)
        }
        guard let listener else { return }
        listener.wake()
        stopped.wait()
        for connection in connections.values { connection.end() }
    }

    /// Makes a connection reset towards its client when the server closes it.
    func resetAtEnd(serverSidePort: UInt16) {
        let connection = guarded.withLock { guarded in
            guarded.connections.values.first { $0.serverSidePort == serverSidePort }
        }
        connection?.resetAtEnd()
    }

    /// The client of a connection, found by the port that the server sees as its client's; nil once
    /// the connection has ended.
    func client(serverSidePort: UInt16) -> (port: UInt16, passedOn: RelayedBytes)? {
        guarded.withLock { guarded in
            guarded.connections.values.first { $0.serverSidePort == serverSidePort }
        }
        .map { ($0.clientPort, $0.passedOn) }
    }

    private func listen(with listener: RelayListener) {
        while let client = listener.accept() {
            relay(client)
            waitForRoom()
        }
        stopped.signal()
    }

    /// Waits while there are more connections than the server behind may have.
    ///
    /// With a few more than that, the server ends those that wait for a request, and theirs end, too.
    /// Without a limit, idle connections would use up the process's descriptors here.
    private func waitForRoom() {
        let most = LoopbackServer.mostConnections + Self.mostBeyond
        while guarded.withLock({ $0.listener != nil && $0.connections.count > most }) {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    private func relay(_ client: RelaySocket) {
        // Without a server, the client's connection is closed, as in toxiproxy.
        guard let server = RelaySocket.connected(to: upstream) else { return }
        let entered: (number: Int, connection: RelayConnection)? = guarded.withLock { guarded in
            guard guarded.listener != nil else { return nil }
            guarded.accepted += 1
            let connection = RelayConnection(
                client: client, server: server,
                plan: ToxicPlan(toxics, connection: guarded.accepted))
            guarded.connections[guarded.accepted] = connection
            return (guarded.accepted, connection)
        }
        guard let (number, connection) = entered else { return }
        connection.start { [weak self] in
            self?.forget(number)
        }
    }

    private func forget(_ number: Int) {
        guarded.withLock { $0.connections[number] = nil }
    }
}
