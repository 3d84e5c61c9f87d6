internal import FlyingSocks

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The server's socket pool with Nagle's algorithm turned off (RFC 896).
///
/// The server writes a head and then a body. With Nagle's algorithm, the end of a body would wait
/// up to 40 ms for the player's delayed acknowledgement.
struct ProxySocketPool: AsyncSocketPool {
    let base: any AsyncSocketPool

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The listening socket waits here first, and players' sockets inherit from it.
        if events.contains(.read) {
            var isOn: Int32 = 1
            // An error is ignored: if the socket is closing, its reader notices.
            _ = setsockopt(
                socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn,
                socklen_t(MemoryLayout<Int32>.size))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
