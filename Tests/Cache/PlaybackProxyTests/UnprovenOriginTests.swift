import Foundation
import LoopbackHTTP
import TestSupport
import Testing
import VideoCache

@testable import PlaybackProxy

/// What a player is told where the origin's answer is not believed.
@Suite struct UnprovenOriginTests {
    enum Manner: CaseIterable, Sendable {
        case empty, chunkedEmpty, page, part

        var answer: (head: ResponseHead, body: [UInt8]) {
            switch self {
            case .empty: return (ResponseHead(200, "OK", fields: [:], length: 0), [])
            case .chunkedEmpty: return (ResponseHead(200, "OK", fields: [:], length: nil), [])
            case .page:
                let body = Array("<p>log in</p>".utf8)
                let type = ["Content-Type": "text/html", "ETag": "\"p\""]
                return (ResponseHead(200, "OK", fields: type, length: Int64(body.count)), body)
            case .part:
                let range = ["Content-Range": "bytes 0-999/300000", "ETag": "\"p\""]
                let body = [UInt8](repeating: 7, count: 1000)
                return (ResponseHead(200, "OK", fields: range, length: 1000), body)
            }
        }
    }

    @Test(arguments: Manner.allCases)
    func whatIsNotBelievedIs502(manner: Manner) async throws {
        try await ProxyFixture.run { request, connection in
            let (head, body) = manner.answer
            try await connection.write(head.bytes(answering: request, by: connection.clock)[...])
            if manner == .chunkedEmpty { return try await connection.writeChunk([]) }
            try await connection.write(body[...])
        } _: { fixture, origin in
            let path = fixture.path(of: origin + "/v.mp4")
            let get = try await fixture.exchange("GET", path)
            #expect(get.status == 502)
            #expect(get.text.contains("answered"), "\(get.text)")
            // Whether chunks bring anything is not known from their head.
            guard manner != .chunkedEmpty else { return }
            #expect(try await fixture.exchange("HEAD", path).status == 502)
        }
    }
}
