import Foundation
import LoopbackHTTP
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

/// An origin that sends no length: the video plays, and the proxy promises no length.
@Suite struct UnknownLengthTests {
    private static let half = 50_000

    private struct Cut: Error {}

    /// Starts an origin of a chunked body, which pauses until the gate is open, or is cut then.
    private func withOrigin(
        _ test: (ProxyFixture, _ origin: String, _ bytes: [UInt8], Flag) async throws -> Void
    ) async throws {
        let bytes = (0..<2 * Self.half).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let gate = Flag()
        // A body that pauses half-way must not keep the server from ending.
        defer { gate.set(true) }
        try await ProxyFixture.run { request, connection in
            let head = ResponseHead(200, "OK", fields: ["Content-Type": "video/mp4"], length: nil)
            try await connection.write(head.bytes(answering: request, by: .system)[...])
            try await connection.writeChunk(bytes[..<Self.half])
            try await eventually("the gate is open") { gate.value }
            if request.path == "/cut.mp4" { throw Cut() }
            for start in stride(from: Self.half, to: bytes.count, by: 4096) {
                try await connection.writeChunk(bytes[start...].prefix(4096))
            }
            try await connection.writeChunk([])
        } _: { fixture, origin in
            try await test(fixture, origin, bytes, gate)
        }
    }

    @Test(arguments: [[], ["Range: bytes=0-"], ["Range: bytes=5-9"]])
    func theWholeComesInChunks(headers: [String]) async throws {
        try await withOrigin { fixture, origin, bytes, gate in
            let path = fixture.path(of: origin + "/v.mp4")
            let head = try await fixture.exchange("HEAD", path, headers)
            let (get, body) = try await SocketClient.work(at: fixture.proxy.port) { player in
                player.send("GET", path, headers)
                let get = try player.readHead()
                gate.set(true)
                return (get, try player.readChunks())
            }
            #expect(get.status == 200)
            let isWhole = body == bytes
            #expect(isWhole, "\(body.count) bytes came")
            #expect(get.headers["content-length"] == nil && get.headers["accept-ranges"] == "none")
            // These follow the clock.
            let times: Set = ["age", "date"]
            #expect(
                head.headers.filter { !times.contains($0.key) }
                    == get.headers.filter { !times.contains($0.key) })
        }
    }

    /// Once the whole video has come, its length is known, and it can be seeked like any other.
    @Test func whatHasComeCanBeSeekedIn() async throws {
        try await withOrigin { fixture, origin, bytes, gate in
            gate.set(true)
            let path = fixture.path(of: origin + "/v.mp4")
            #expect(try await fixture.exchange("GET", path).body.count == bytes.count)
            try await eventually("the end is known") {
                try await fixture.exchange("HEAD", path).headers["content-length"] != nil
            }
            let part = try await fixture.exchange("GET", path, ["Range: bytes=5-9"])
            #expect(part.status == 206 && part.body == Array(bytes[5..<10]))
        }
    }

    @Test func aBodyThatIsCutHasNoLastChunk() async throws {
        try await withOrigin { fixture, origin, _, gate in
            let path = fixture.path(of: origin + "/cut.mp4")
            await #expect(throws: SocketClient.Failure.self) {
                try await SocketClient.work(at: fixture.proxy.port) { player in
                    player.send("GET", path)
                    #expect(try player.readHead().status == 200)
                    gate.set(true)
                    _ = try player.readChunks()
                }
            }
        }
    }

    @Test func aPlayerOfHTTP10IsTold() async throws {
        try await withOrigin { fixture, origin, _, _ in
            let reply = try await SocketClient.work(at: fixture.proxy.port) { player in
                player.send("GET", fixture.path(of: origin + "/v.mp4"), version: "HTTP/1.0")
                return try player.readHead()
            }
            #expect(reply.status == 505)
        }
    }
}
