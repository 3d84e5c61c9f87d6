internal import FlyingSocks

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The server's socket pool, with two things added: waits for a client can be cut, and no child
/// process inherits a socket.
struct OriginSocketPool: AsyncSocketPool {
    let base: any AsyncSocketPool
    let connections: ConnectionTable

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // A worker that inherited a connection would keep it open after its end here.
        _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
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
