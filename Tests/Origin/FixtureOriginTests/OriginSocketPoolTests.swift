import FlyingSocks
import Testing

@testable import FixtureOrigin

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pool in which every socket is ready at once: it replaces only the scheduling.
private struct ReadyPool: AsyncSocketPool {
    func prepare() async throws {}
    func run() async throws {}
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {}
}

struct OriginSocketPoolTests {
    /// The second answer on a kept-alive connection took 40 ms.
    ///
    /// The server writes a head and then a body. With Nagle's algorithm on, the body waited for
    /// the acknowledgement of the head, which a client delays by up to 40 ms once its connection
    /// is no longer new. A paced or held body lost as much at its end, and so did every kill that
    /// waited for its last byte.
    @Test func answersDoNotWaitForAcknowledgements() async throws {
        let listening = try Socket(domain: AF_INET)
        try listening.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        try listening.listen()
        #expect(!(try sendsAtOnce(listening)), "the system already sends at once: nothing is shown")
        let pool = OriginSocketPool(base: ReadyPool(), connections: ConnectionTable())
        try await pool.suspendSocket(listening, untilReadyFor: .connection)
        #expect(try sendsAtOnce(listening))
        let client = try Socket(domain: AF_INET)
        try client.connect(to: listening.sockname().inet)
        let accepted = Socket(file: try listening.accept().file)
        #expect(try sendsAtOnce(accepted))
        for socket in [listening, client, accepted] { try socket.close() }
    }

    private func sendsAtOnce(_ socket: Socket) throws -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let status = getsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size)
        #expect(status == 0)
        return value != 0
    }
}

extension Socket.Address {
    /// The same address, as a target to connect to.
    fileprivate var inet: some SocketAddress {
        guard case .ip4(let address, let port) = self,
            let inet = try? sockaddr_in.inet(ip4: address, port: port)
        else { return sockaddr_in.inet(port: 0) }
        return inet
    }
}
