internal import Dispatch
internal import Foundation
internal import Synchronization

/// A TCP relay on 127.0.0.1 before a server there, which does to connections what a network does.
///
/// It knows nothing of HTTP. Each connection has threads of its own, so that no delay of one holds
/// up another, or the server. What the server lets out and no toxic drops is delivered, all of it.
package final class TCPRelay: Sendable {
    private struct Guarded: Sendable {
        var listener: RelayListener?
        var port: UInt16 = 0
        var connections: [Int: RelayConnection] = [:]
        var accepted = 0
    }

    private let wantedPort: UInt16
    private let upstream: UInt16
    private let toxics: [Toxic]
    private let guarded = Mutex(Guarded())
    private let stopped = DispatchSemaphore(value: 0)

    /// A relay that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 picks a free one, which later starts keep.
    ///   - upstream: the server's port on 127.0.0.1.
    ///   - toxics: what happens to the connections; nothing by default.
    package init(port: UInt16 = 0, upstream: UInt16, toxics: [Toxic] = []) {
        wantedPort = port
        self.upstream = upstream
        self.toxics = toxics
    }

    /// The port that the relay listens on; 0 before its first start.
    package var port: UInt16 { guarded.withLock { $0.port } }

    /// How many connections clients have made since the relay was made.
    package var acceptedConnections: Int { guarded.withLock { $0.accepted } }

    /// How many of them have not ended.
    var openConnections: Int { guarded.withLock { $0.connections.count } }

    /// Starts listening; clients can connect from now on.
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

    /// Stops listening, and ends every connection.
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

    /// Has a connection reset towards its client when the server closes it.
    ///
    /// - Parameter serverSidePort: what the server sees as its client's port.
    func resetAtEnd(serverSidePort: UInt16) {
        let connection = guarded.withLock { guarded in
            guarded.connections.values.first { $0.serverSidePort == serverSidePort }
        }
        connection?.resetAtEnd()
    }

    /// The client of a connection, by what the server sees as its client's port; nil once the
    /// connection has ended.
    func client(serverSidePort: UInt16) -> (port: UInt16, passedOn: RelayedBytes)? {
        guarded.withLock { guarded in
            guarded.connections.values.first { $0.serverSidePort == serverSidePort }
        }
        .map { ($0.clientPort, $0.passedOn) }
    }

    private func listen(with listener: RelayListener) {
        while let client = listener.accept() { relay(client) }
        stopped.signal()
    }

    private func relay(_ client: RelaySocket) {
        // A client of a server that is not there loses its connection, as through toxiproxy.
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
