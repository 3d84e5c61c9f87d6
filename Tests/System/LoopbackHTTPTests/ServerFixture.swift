import FlyingSocks
import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

extension SocketClient {
    func text(_ count: Int) throws -> String { String(decoding: try read(count), as: UTF8.self) }
    func textToEnd() throws -> String { String(decoding: try readToEnd(), as: UTF8.self) }
}

/// A server for one test, which answers with the request's method and target unless told otherwise.
struct ServerFixture: Sendable {
    let server: LoopbackServer

    static let echo: LoopbackServer.Answer = { request, connection in
        let body = Array("\(request.method) \(request.target)\n".utf8)
        let head = ResponseHead(200, "OK", length: Int64(body.count))
        try await connection.write(
            (head.bytes(answering: request, by: connection.clock) + body)[...])
    }

    static let clock = WallClock { 784_111_777 }

    /// The field of the clock's date, which is the example of RFC 9110, 5.6.7.
    static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    static func echoed(_ text: String, _ fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(text.utf8.count + 1)\r\n\(date)\r\n"
            + "\(text)\n"
    }

    static func run(
        atMost mostConnections: Int? = nil, answer: @escaping LoopbackServer.Answer = echo,
        _ test: (ServerFixture) async throws -> Void
    ) async throws {
        let fixture = ServerFixture(
            server: LoopbackServer(clock: Self.clock, mostConnections: mostConnections))
        try await fixture.server.start(on: 0, answer: answer)
        try await ending({ try await test(fixture) }, with: { await fixture.server.stop() })
    }

    /// Sends text on one connection, in Latin-1, and reads until the server closes it.
    func reply(to text: String) async throws -> String {
        try await SocketClient.work(at: server.port) { client in
            client.send(raw: text)
            return try client.textToEnd()
        }
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
