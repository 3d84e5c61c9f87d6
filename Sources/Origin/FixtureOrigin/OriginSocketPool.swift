internal import FlyingSocks

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The server's socket pool; a wait for a client that does not read can be cut.
///
/// It also disables Nagle's algorithm (RFC 896): head and body are written separately, so a body's
/// end would wait up to 40 ms for the client's delayed acknowledgement.
struct OriginSocketPool: AsyncSocketPool {
    let base: any AsyncSocketPool
    let connections: ConnectionTable

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The listening socket waits here before its first client; client sockets inherit this.
        if events.contains(.read) { Self.sendAtOnce(socket) }
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

    private static func sendAtOnce(_ socket: Socket) {
        var isOn: Int32 = 1
        // If the socket is being closed, its reader gets the error; this one can be ignored.
        _ = setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn,
            socklen_t(MemoryLayout<Int32>.size))
    }
}
