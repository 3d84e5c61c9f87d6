import FlyingSocks
import Foundation
import Testing

@testable import LoopbackHTTP

/// A client made of one blocking socket, so that a test sees every byte and the connection's end.
///
/// Its calls block, so they must be made within `offPool`.
final class TestClient: Sendable {
    private let socket: Socket

    init(port: UInt16) throws {
        socket = try Socket(domain: AF_INET)
        // A lost wake-up in the server must fail the test instead of hanging the run.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            socket.file.rawValue, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        try socket.connect(to: .inet(ip4: "127.0.0.1", port: port))
    }

    deinit { try? socket.close() }

    /// Disconnects at once.
    func hangUp() { shutdown(socket.file.rawValue, Int32(SHUT_RDWR)) }

    /// Sends text, as far as the server has not closed the connection.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes, as far as the server has not closed the connection.
    func send(_ bytes: [UInt8]) {
        let bytes = Data(bytes)
        var sent = 0
        while sent < bytes.count, let next = try? socket.write(bytes, from: sent) { sent = next }
    }

    /// Reads up to this many bytes, fewer only at the connection's end.
    func read(_ count: Int) throws -> String {
        var bytes: [UInt8] = []
        do {
            while bytes.count < count {
                bytes += try socket.read(atMost: min(count - bytes.count, 1 << 20))
            }
        } catch SocketError.disconnected {
        } catch SocketError.failed(_, ECONNRESET, _) {}
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads everything until the connection's end.
    func readToEnd() throws -> String { try read(.max) }
}

/// A server for one test, which answers with the request's method and target unless told otherwise.
struct ServerFixture: Sendable {
    let server: LoopbackServer

    /// Answers with the method and the target.
    static let echo: LoopbackServer.Answer = { request, connection in
        let body = Array("\(request.method) \(request.target)\n".utf8)
        let head = ResponseHead(200, "OK", length: Int64(body.count))
        try await connection.write(
            (head.bytes(answering: request, by: connection.clock) + body)[...])
    }

    /// Stands still.
    static let clock = WallClock { 784_111_777 }

    /// The field of the clock's date, which is the example of RFC 9110, 5.6.7.
    static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    /// The bytes of an answer of ``echo``.
    static func echoed(_ text: String, _ fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(text.utf8.count + 1)\r\n\(date)\r\n"
            + "\(text)\n"
    }

    /// Starts a server, runs the test, and stops the server.
    static func run(
        atMost mostConnections: Int? = nil, answer: @escaping LoopbackServer.Answer = echo,
        _ test: (ServerFixture) async throws -> Void
    ) async throws {
        let fixture = ServerFixture(
            server: LoopbackServer(clock: Self.clock, mostConnections: mostConnections))
        try await fixture.server.start(on: 0, answer: answer)
        let result: Result<Void, any Error>
        do { result = .success(try await test(fixture)) } catch { result = .failure(error) }
        await fixture.server.stop()
        try result.get()
    }
}

extension ClientConnection {
    private struct ReadyPool: AsyncSocketPool {
        func prepare() async throws {}
        func run() async throws {}
        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {}
    }

    /// A connection that no server serves, and the descriptor of its client, which the test closes.
    static func unserved() throws -> (client: Int32, connection: ClientConnection) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let pool = ReadyPool()
        let socket = try AsyncSocket(socket: Socket(file: .init(rawValue: pair[1])), pool: pool)
        return (pair[0], ClientConnection(socket, pool: pool))
    }
}
