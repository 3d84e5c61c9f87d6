import Foundation
import LoopbackHTTP
import TestSupport
import Testing
import VideoCache

@testable import PlaybackProxy

/// What a player is told where the origin's answer is not believed, or another form is needed.
@Suite struct UnprovenOriginTests {
    private static let video = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    enum Manner: String, CaseIterable, Sendable {
        case empty, chunkedEmpty, page, part
        case refuses403, refuses503, wrongRange

        var isBelieved: Bool { [.refuses403, .refuses503, .wrongRange].contains(self) }
    }

    private static func answer(
        _ request: RequestHead, _ manner: Manner, on connection: ClientConnection
    ) async throws {
        let (head, body): (ResponseHead, [UInt8])
        switch manner {
        case .empty: (head, body) = (ResponseHead(200, "OK", fields: [:], length: 0), [])
        case .chunkedEmpty: (head, body) = (ResponseHead(200, "OK", fields: [:], length: nil), [])
        case .page:
            body = Array("<p>log in</p>".utf8)
            let type = ["Content-Type": "text/html", "ETag": "\"p\""]
            head = ResponseHead(200, "OK", fields: type, length: Int64(body.count))
        case .part:
            body = Array(video[..<1000])
            let range = ["Content-Range": "bytes 0-999/300000", "ETag": "\"p\""]
            head = ResponseHead(200, "OK", fields: range, length: 1000)
        case .refuses403 where request["Range"] != nil:
            (head, body) = (ResponseHead(403, "No", fields: [:], length: 0), [])
        case .refuses503 where request["Range"] != nil:
            (head, body) = (ResponseHead(503, "No", fields: [:], length: 0), [])
        case .wrongRange where request["Range"] != nil:
            let range = ["Content-Range": "bytes 7-8/300000"]
            (head, body) = (ResponseHead(206, "Part", fields: range, length: 2), [1, 2])
        case .refuses403, .refuses503, .wrongRange:
            (head, body) = (ResponseHead(200, "OK", fields: [:], length: 300_000), video)
        }
        try await connection.write(head.bytes(answering: request, by: connection.clock)[...])
        if manner == .chunkedEmpty { return try await connection.writeChunk([]) }
        try await connection.write(body[...])
    }

    private func withOrigin(
        _ manner: Manner, _ test: (ProxyFixture, _ path: String) async throws -> Void
    ) async throws {
        try await ProxyFixture.run { request, connection in
            try await Self.answer(request, manner, on: connection)
        } _: { fixture, origin in
            try await test(fixture, fixture.path(of: origin + "/v.mp4"))
        }
    }

    @Test(arguments: Manner.allCases.filter { !$0.isBelieved })
    func whatIsNotBelievedIs502(manner: Manner) async throws {
        try await withOrigin(manner) { fixture, path in
            let get = try await fixture.exchange("GET", path)
            #expect(get.status == 502)
            #expect(get.text.contains("answered"), "\(get.text)")
            // Whether chunks bring anything is not known from their head.
            guard manner != .chunkedEmpty else { return }
            #expect(try await fixture.exchange("HEAD", path).status == 502)
        }
    }

    @Test(arguments: Manner.allCases.filter(\.isBelieved))
    func whatIsRefusedIsAskedForWhole(manner: Manner) async throws {
        try await withOrigin(manner) { fixture, path in
            let head = try await fixture.exchange("HEAD", path)
            #expect(head.status == 200 && head.headers["content-length"] == "300000")
            let part = try await fixture.exchange("GET", path, ["Range: bytes=1000-1999"])
            #expect(part.status == 206 && part.body == Array(Self.video[1000..<2000]))
            #expect(try await fixture.exchange("GET", path).body == Self.video)
        }
    }
}
