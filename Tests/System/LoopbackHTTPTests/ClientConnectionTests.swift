import FlyingSocks
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import LoopbackHTTP

/// An answer is written as fast as its client reads, and ends when the client leaves.
///
/// One at a time: each server occupies a thread of its pool's dispatch queue, and the tests of one
/// process start hundreds of servers.
@Suite(.serialized) struct ClientConnectionTests {
    /// More than the sockets of both sides buffer.
    private static let bytes = [UInt8](repeating: 7, count: 32 << 20)

    private final class Report: Sendable {
        private let guarded = Mutex<(connection: ClientConnection?, ends: [String])>((nil, []))

        var connection: ClientConnection? { guarded.withLock { $0.connection } }
        var ends: [String] { guarded.withLock { $0.ends } }

        func on(_ connection: ClientConnection, _ answer: () async throws -> Void) async throws {
            guarded.withLock { $0.connection = connection }
            do {
                try await answer()
                guarded.withLock { $0.ends.append("done") }
            } catch {
                guarded.withLock { $0.ends.append("\(type(of: error))") }
                throw error
            }
        }
    }

    /// Sends a request to a server with an answer, and gives the test the client and the report.
    private func withClient(
        _ answer: @escaping @Sendable (ClientConnection) async throws -> Void,
        _ test: (SocketClient, Report) async throws -> Void
    ) async throws {
        let report = Report()
        try await ServerFixture.run { _, connection in
            try await report.on(connection) { try await answer(connection) }
        } _: { fixture in
            let client = try await SocketClient.work(at: fixture.server.port) { client in
                client.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                return client
            }
            try await test(client, report)
        }
    }

    @Test func aClientThatDoesNotReadIsWaitedForAndGetsEverything() async throws {
        try await withClient { connection in
            try await connection.write(Self.bytes[...])
            connection.shutDown()
        } _: { client, report in
            try await eventually("the write waits") { report.connection?.isWaiting == true }
            let count = try await offPool { try client.readToEnd().count }
            #expect(count == Self.bytes.count)
            #expect(report.connection?.isWaiting == false)
            try await eventually("the answer ends") { report.ends == ["done"] }
        }
    }

    @Test func aClientThatLeavesInTheMiddleEndsTheWrite() async throws {
        let report = Report()
        try await ServerFixture.run { _, connection in
            try await report.on(connection) { try await connection.write(Self.bytes[...]) }
        } _: { fixture in
            // The client is closed with most of the answer unread.
            let start = try await SocketClient.work(at: fixture.server.port) { client in
                client.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                return try client.text(1000)
            }
            #expect(start.utf8.count == 1000)
            try await eventually("the write ends") { !report.ends.isEmpty }
            #expect(report.ends != ["done"])
        }
    }

    @Test func aShutDownEndsAWriteThatWaits() async throws {
        try await withClient {
            try await $0.write(Self.bytes[...])
        } _: { client, report in
            try await eventually("the write waits") { report.connection?.isWaiting == true }
            report.connection?.shutDown()
            try await eventually("the write ends") { !report.ends.isEmpty }
            let received = try await offPool { try client.textToEnd() }
            #expect(received.utf8.count < Self.bytes.count)
            // The descriptor may be another connection's by now.
            report.connection?.shutDown()
        }
    }

    @Test func workIsCancelledWhenTheClientLeaves() async throws {
        try await withClient { connection in
            try await connection.untilClosed { try await Task.sleep(for: .seconds(3600)) }
        } _: { client, report in
            try await eventually("the answer begins") { report.connection != nil }
            client.hangUp()
            try await eventually("the work ends") { report.ends == ["CancellationError"] }
        }
    }

    @Test func workIsCancelledWhenTheClientLeavesItsBodyUnread() async throws {
        try await withClient { connection in
            try await connection.untilClosed { try await connection.write(Self.bytes[...]) }
        } _: { client, report in
            try await eventually("the write waits") { report.connection?.isWaiting == true }
            client.hangUp()
            try await eventually("the work ends") { !report.ends.isEmpty }
            #expect(report.ends != ["done"])
        }
    }

    /// An early next request does not end the one before, and is answered after it.
    @Test func workGoesOnWhenTheNextRequestComesEarly() async throws {
        let gate = Flag()
        try await withClient { connection in
            try await connection.untilClosed {
                try await eventually("the gate is open") { gate.value }
                try await connection.write(ArraySlice("x".utf8))
            }
        } _: { client, report in
            try await offPool { client.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
            try await eventually("the answer begins") { report.connection != nil }
            gate.set(true)
            let answers = try await offPool { try client.text(2) }
            #expect(answers == "xx")
            try await eventually("both end") { report.ends == ["done", "done"] }
        }
    }

    @Test func chunksSayTheirSize() async throws {
        try await withClient { connection in
            for size in [3, 16, 300] {
                try await connection.writeChunk(Self.bytes[..<size].map { $0 + 58 }[...])
            }
            try await connection.writeChunk([])
            connection.shutDown()
        } _: { client, _ in
            let body = try await offPool { try client.textToEnd() }
            let text = { String(repeating: "A", count: $0) }
            #expect(
                body
                    == "03\r\n\(text(3))\r\n10\r\n\(text(16))\r\n12C\r\n\(text(300))\r\n0\r\n\r\n")
        }
    }

    /// The second answer on a kept-alive connection took 40 ms.
    ///
    /// A head and a body are written separately. With Nagle's algorithm on, the body waited for the
    /// acknowledgement of the head, which a client delays by up to 40 ms once its connection is no
    /// longer new. A paced or held body lost as much at its end, and so did every kill that waited
    /// for its last byte.
    @Test func answersDoNotWaitForAcknowledgements() async throws {
        try await withClient { _ in
        } _: { _, report in
            try await eventually("the request is answered") { report.ends == ["done"] }
            let connection = try #require(report.connection)
            let option = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
            #expect(try connection.socket.socket.getValue(for: option))
            let other = try Socket(domain: AF_INET)
            #expect(!(try other.getValue(for: option)), "the system already sends at once")
            try other.close()
        }
    }
}

/// Bytes that a thread writes arrive, and a client that does not read holds it up only briefly.
@Suite struct PuttingTests {
    private let bytes = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    private func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
        var read = [UInt8](repeating: 0, count: count)
        let done = recv(descriptor, &read, count, Int32(MSG_WAITALL))
        return Array(read.prefix(max(0, done)))
    }

    @Test(arguments: [0, 20] as [Int32]) func aFullSocketTakesAPartAndTheRestLater(patience: Int32)
        throws
    {
        let (mine, connection) = try ClientConnection.unserved()
        defer { close(mine) }
        // More than any socket buffers, and no reader.
        let taken = try bytes.withUnsafeBytes { try connection.put($0, patience: patience) }
        #expect(taken > 0 && taken < bytes.count)
        #expect(read(taken, from: mine) == Array(bytes[..<taken]))
        let rest = Array(bytes[taken..<taken + 1000])
        #expect(try rest.withUnsafeBytes { try connection.put($0, patience: patience) } == 1000)
        #expect(read(1000, from: mine) == rest)
        try connection.socket.close()
    }

    @Test func aClientThatHasGoneIsAnErrorAndNoSignal() throws {
        let (mine, connection) = try ClientConnection.unserved()
        close(mine)
        #expect(throws: ClientConnection.Gone.self) {
            try bytes.withUnsafeBytes { _ = try connection.put($0) }
        }
        try connection.socket.close()
    }
}
