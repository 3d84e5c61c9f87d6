import FlyingSocks
import Foundation
import Testing
import TestSupport

@testable import LoopbackHTTP

@Suite(.serialized) struct LoopbackServerTests {
    @Test func aRequestInPiecesIsOne() async throws {
        try await ServerFixture.run { fixture in
            let reply = try await SocketClient.work(at: fixture.server.port) { client in
                for byte in "GET /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" {
                    client.send(raw: String(byte))
                }
                return try client.textToEnd()
            }
            #expect(reply == ServerFixture.echoed("GET /a?b=c"))
        }
    }

    @Test func requestsThatComeTogetherAreAnsweredInTurn() async throws {
        try await ServerFixture.run { fixture in
            let reply = try await fixture.reply(
                to: "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nHEAD /2 HTTP/1.1\nHost: x\n\n"
                    + "POST /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                    + "GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /5 HTTP/1.1\r\nHost: x\r\n\r\n"
            )
            let targets = ["GET /1", "HEAD /2", "POST /3", "GET /4"]
            #expect(reply == targets.map { ServerFixture.echoed($0) }.joined())
        }
    }

    @Test(arguments: [
        ("HTTP/1.1", "close", false), ("HTTP/1.1", "keep-alive, Close", false),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true), ("HTTP/1.1", "x", true),
    ])
    func aConnectionStaysOpenIfTheClientWantsIt(
        version: String, connection: String, staysOpen: Bool
    ) async throws {
        try await ServerFixture.run { fixture in
            let reply = try await fixture.reply(
                to: "GET /1 \(version)\r\nHost: x\r\nConnection: \(connection)\r\n\r\n"
                    + "GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let first = ServerFixture.echoed(
                "GET /1", staysOpen ? "Connection: \(connection)\r\n" : "")
            #expect(reply == first + (staysOpen ? ServerFixture.echoed("GET /2") : ""))
        }
    }

    /// A body that is not read ends the connection, or it would be taken for a request.
    @Test(arguments: [
        "Expect: 100-continue\r\nContent-Length: 9", "Content-Length: 9999999999",
        "Transfer-Encoding: chunked\r\n\r\n7FFFFFFF", "Transfer-Encoding: Chunked\r\n\r\nx",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n",
    ])
    func aBodyThatIsNotReadEndsTheConnection(field: String) async throws {
        try await ServerFixture.run { fixture in
            let reply = try await fixture.reply(
                to:
                    "POST /1 HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
            )
            #expect(reply == ServerFixture.echoed("POST /1", "Connection: close\r\n"))
        }
    }

    @Test func aLongHeadIsRead() async throws {
        try await ServerFixture.run { fixture in
            let target = "/" + String(repeating: "x", count: RequestReader.mostHeadBytes - 100)
            let reply = try await fixture.reply(
                to: "GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(reply == ServerFixture.echoed("GET \(target)"))
        }
    }

    /// The descriptors of a thousand connections are free again, those of clients that left too.
    @Test func connectionsLeaveNoDescriptor() async throws {
        try await ServerFixture.run { fixture in
            let port = fixture.server.port
            for round in 0..<20 {
                let replies = try await offPool {
                    let clients = try (0..<50).map { _ in try SocketClient(port: port) }
                    for client in clients.dropFirst(10) {
                        client.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    }
                    return try clients.dropFirst(20).map {
                        try $0.text(ServerFixture.echoed("GET /").utf8.count)
                    }
                }
                #expect(Set(replies) == [ServerFixture.echoed("GET /")], "round \(round)")
            }
            try await eventually("only the listening socket is left") { descriptors(on: port) == 1 }
        }
    }

    /// How many of this process's descriptors are sockets with a local port.
    private func descriptors(on port: UInt16) -> Int {
        (0..<Int32(4096)).count { descriptor in
            let name = try? Socket(file: .init(rawValue: descriptor)).sockname()
            guard case .ip4(_, port)? = name else { return false }
            return true
        }
    }

    @Test func aServerThatRunsCannotBeStartedAndAPortThatIsTakenIsSaid() async throws {
        try await ServerFixture.run { fixture in
            let port = fixture.server.port
            let again = await #expect(throws: ListenError.self) {
                try await fixture.server.start(on: 0, answer: ServerFixture.echo)
            }
            #expect(again == .alreadyStarted)
            let second = LoopbackServer()
            let error = await #expect(throws: ListenError.self) {
                try await second.start(on: port, answer: ServerFixture.echo)
            }
            guard case .refused(EADDRINUSE, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(second.port == 0)
        }
    }

    @Test func aStopEndsAnswersAndConnectionsAndAStartServesAgain() async throws {
        let hold: LoopbackServer.Answer = { request, connection in
            if request.target == "/held" { try await Task.sleep(for: .seconds(3600)) }
            try await ServerFixture.echo(request, connection)
        }
        try await ServerFixture.run(answer: hold) { fixture in
            let port = fixture.server.port
            let (idle, held) = try await SocketClient.work(at: fixture.server.port) { idle in
                idle.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try idle.text(ServerFixture.echoed("GET /").utf8.count)
                let held = try SocketClient(port: port)
                held.send(raw: "GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
                return (idle, held)
            }
            await fixture.server.stop()
            let rest = try await offPool { try idle.textToEnd() + held.textToEnd() }
            #expect(rest == "")
            await #expect(throws: SocketClient.Failure.self) {
                try await offPool { _ = try SocketClient(port: port) }
            }
            await fixture.server.stop()
            try await fixture.server.start(on: port, answer: ServerFixture.echo)
            #expect(fixture.server.port == port)
            let next = "GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let answer = try await fixture.reply(to: next)
            #expect(answer == ServerFixture.echoed("GET /2"))
        }
    }
}
