internal import FlyingSocks

/// The server's socket pool, where waits for a client that does not read can be cut.
struct OriginSocketPool: AsyncSocketPool {
    let base: any AsyncSocketPool
    let connections: ConnectionTable

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        guard events.contains(.write), case .ip4(_, let clientPort)? = try? socket.remotePeer()
        else {
            try await base.suspendSocket(socket, untilReadyFor: events)
            return
        }
        guard connections.beginWaiting(socket, clientPort: clientPort) else {
            throw SocketError.disconnected
        }
        defer { connections.endWaiting(clientPort: clientPort) }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
