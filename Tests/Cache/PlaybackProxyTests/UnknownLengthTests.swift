import FlyingFox
import FlyingSocks
import Foundation
import Synchronization
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

/// An origin that sends no length: the video plays, and the proxy promises no length.
@Suite struct UnknownLengthTests {
    /// Answers every request with a chunked body.
    ///
    /// It pauses in the middle until the gate is open, and then continues, or is cut.
    private struct ChunkedOrigin: HTTPHandler {
        let bytes: [UInt8]
        let gate: Gate

        func handleRequest(_ request: FlyingFox.HTTPRequest) async throws -> HTTPResponse {
            let isCut = request.path == "/cut.mp4"
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "video/mp4"],
                body: HTTPBodySequence(from: Pieces(bytes: bytes, isCut: isCut, gate: gate)))
        }
    }

    private final class Gate: Sendable {
        private let state = Atomic(false)
        var isOpen: Bool { state.load(ordering: .acquiring) }
        func open() { state.store(true, ordering: .releasing) }
    }

    private static let half = 50_000

    private struct Pieces: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
        typealias Element = UInt8
        struct Cut: Error {}

        var bytes: [UInt8]
        var isCut: Bool
        let gate: Gate

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if bytes.count <= UnknownLengthTests.half {
                try await eventually("the gate is open") { gate.isOpen }
                if isCut { throw Cut() }
            }
            guard !bytes.isEmpty else { return nil }
            let piece = Array(
                bytes.prefix(
                    bytes.count > UnknownLengthTests.half ? UnknownLengthTests.half : count))
            bytes.removeFirst(piece.count)
            return piece
        }
    }

    private func withOrigin(
        _ test: (ProxyFixture, _ origin: String, _ bytes: [UInt8], Gate) async throws -> Void
    ) async throws {
        let bytes = (0..<2 * Self.half).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let gate = Gate()
        // A body that pauses half-way must not keep the server from ending.
        defer { gate.open() }
        var address = sockaddr_in.inet(port: 0)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let server = HTTPServer(
            config: .init(address: address, logger: .disabled),
            handler: ChunkedOrigin(bytes: bytes, gate: gate))
        let task = Task { try await server.run() }
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            Issue.record("the origin has no port")
            return
        }
        try await ProxyFixture.run { fixture in
            try await test(fixture, "http://127.0.0.1:\(port)", bytes, gate)
        }
        await server.stop(timeout: 0)
        _ = await task.result
    }

    @Test(arguments: [[], ["Range: bytes=0-"], ["Range: bytes=5-9"]])
    func theWholeComesInChunks(headers: [String]) async throws {
        try await withOrigin { fixture, origin, bytes, gate in
            let path = PlayAddress.pathAndQuery(of: origin + "/v.mp4")
            let head = try await fixture.exchange("HEAD", path, headers)
            let port = fixture.proxy.port
            let (get, body) = try await offPool {
                let player = try Player(port: port)
                player.send("GET", path, headers)
                let get = try player.readHead()
                gate.open()
                return (get, try player.readChunks())
            }
            #expect(get.status == 200)
            let isWhole = body == bytes
            #expect(isWhole, "\(body.count) bytes came")
            #expect(get.headers["content-length"] == nil)
            #expect(get.headers["accept-ranges"] == "none")
            #expect(head.headers == get.headers)
        }
    }

    /// Once the whole video has come, its length is known, and it can be seeked like any other.
    @Test func whatHasComeCanBeSeekedIn() async throws {
        try await withOrigin { fixture, origin, bytes, gate in
            gate.open()
            let path = PlayAddress.pathAndQuery(of: origin + "/v.mp4")
            #expect(try await fixture.exchange("GET", path).body.count == bytes.count)
            try await eventually("the end is known") {
                try await fixture.exchange("HEAD", path).headers["content-length"] != nil
            }
            let part = try await fixture.exchange("GET", path, ["Range: bytes=5-9"])
            #expect(part.status == 206)
            #expect(part.body == Array(bytes[5..<10]))
        }
    }

    @Test func aBodyThatIsCutHasNoLastChunk() async throws {
        try await withOrigin { fixture, origin, _, gate in
            let (port, path) = (
                fixture.proxy.port, PlayAddress.pathAndQuery(of: origin + "/cut.mp4")
            )
            await #expect(throws: Player.Failure.self) {
                try await offPool {
                    let player = try Player(port: port)
                    player.send("GET", path)
                    #expect(try player.readHead().status == 200)
                    gate.open()
                    _ = try player.readChunks()
                }
            }
        }
    }

    @Test func aPlayerOfHTTP10IsTold() async throws {
        try await withOrigin { fixture, origin, _, _ in
            let port = fixture.proxy.port
            let reply = try await offPool {
                let player = try Player(port: port)
                player.send(
                    "GET", PlayAddress.pathAndQuery(of: origin + "/v.mp4"), version: "HTTP/1.0")
                return try player.readHead()
            }
            #expect(reply.status == 505)
        }
    }
}
