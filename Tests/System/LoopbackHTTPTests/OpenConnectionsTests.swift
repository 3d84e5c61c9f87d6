import Foundation
import Testing
import TestSupport

@testable import LoopbackHTTP

/// A server has no more connections than it may have.
///
/// There was no limit: 1,200 idle connections used up the descriptors of a process that may have
/// 1,024, and the library below it ended the process by SIGILL.
@Suite struct OpenConnectionsTests {
    private static let request = "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func theOneThatHasWaitedLongestGoes() async throws {
        try await ServerFixture.run(atMost: 3) { fixture in
            let port = fixture.server.port
            try await offPool {
                let clients = try (0..<3).map { _ in try SocketClient(port: port) }
                let answer = ServerFixture.echoed("GET /1")
                // The first is the last to have been of use. Many requests, because on a busy machine
                // a connection may begin to wait only when another one has had its answer.
                for (number, requests) in [(1, 1), (2, 20), (0, 20)] {
                    for _ in 0..<requests {
                        clients[number].send(raw: Self.request)
                        #expect(try clients[number].text(answer.utf8.count) == answer)
                    }
                }
                let fourth = try SocketClient(port: port)
                #expect(try clients[1].textToEnd() == "")
                for client in [fourth, clients[0], clients[2]] {
                    client.send(raw: Self.request)
                    #expect(try client.text(answer.utf8.count) == answer)
                }
            }
        }
    }

    /// A body that was announced and never came counted as an answer: 64 such clients, without the
    /// key, kept all others out.
    @Test(arguments: [
        "GET /1 HTTP/1.1\r\nX: ", "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234",
    ])
    func halfARequestDoesNotKeepAConnection(half: String) async throws {
        try await ServerFixture.run(atMost: 2) { fixture in
            let port = fixture.server.port
            try await SocketClient.work(at: fixture.server.port) { slow in
                slow.send(raw: half)
                let answer = ServerFixture.echoed("GET /1")
                // Before the first of them has its answer, what came of the half has been read.
                let others = try (0..<2).map { _ in
                    let client = try SocketClient(port: port)
                    client.send(raw: Self.request)
                    #expect(try client.text(answer.utf8.count) == answer)
                    return client
                }
                #expect(try slow.textToEnd() == "")
                for client in others {
                    client.send(raw: Self.request)
                    #expect(try client.text(answer.utf8.count) == answer)
                }
            }
        }
    }

    /// While one was closing none was let in, and each of those cost 10 ms: a player behind 900 idle
    /// connections waited for ten seconds.
    @Test(.timeLimit(.minutes(1))) func oneThatIsClosingKeepsNoneWaiting() async throws {
        let connections = OpenConnections(most: 2)
        // None of them is served, so that they do not come to their end.
        let clients = try (0..<10).map { _ in try ClientConnection.unserved() }
        for client in clients { try await connections.add(client.connection) }
        #expect(clients.map { $0.connection.hasEnded } == (0..<10).map { $0 < 8 })
        for client in clients {
            close(client.client)
            close(client.connection.descriptor)
        }
    }

    /// An answer under way is not cut: the next connection waits for its end.
    @Test func anAnswerIsNotCut() async throws {
        let (hasBegun, mayEnd) = (Flag(), Flag())
        let echo = ServerFixture.echo
        try await ServerFixture.run(
            atMost: 1,
            answer: { request, connection in
                if request.target == "/slow" {
                    hasBegun.set(true)
                    try await eventually("the answer may end") { mayEnd.value }
                }
                try await echo(request, connection)
            }
        ) { fixture in
            let port = fixture.server.port
            try await SocketClient.work(at: fixture.server.port) { slow in
                slow.send(raw: "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                // Until then it waits for a request, and is the one that has to go.
                try blockUntil("the answer has begun") { hasBegun.value }
                let next = try SocketClient(port: port)
                next.send(raw: Self.request)
                mayEnd.set(true)
                #expect(try slow.textToEnd() == ServerFixture.echoed("GET /slow"))
                let answer = ServerFixture.echoed("GET /1")
                #expect(try next.text(answer.utf8.count) == answer)
            }
        }
    }

    @Test(arguments: [1, 3, 8]) func theLimitLeavesRoomForAnswers(each: Int) {
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(OpenConnections.allowed(each: each) > 0)
        #expect(OpenConnections.allowed(each: each) * each <= limit.rlim_cur)
    }
}
