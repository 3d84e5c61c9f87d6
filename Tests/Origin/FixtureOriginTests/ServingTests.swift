import Fixture
import Foundation
import OriginFaults
import Testing
import TestSupport

@testable import FixtureOrigin

@Suite("The origin speaks HTTP/1.1 over real sockets") struct ServingTests {
    static let length: Int64 = 2 << 20

    @Test(
        "Bodies are the video's bytes, and lengths agree",
        arguments: [
            (nil, 200, 0..<length), ("bytes=0-1", 206, 0..<2), ("bytes=0-", 206, 0..<length),
            ("bytes=19200-19300", 206, 19_200..<19_301), ("bytes=-1", 206, length - 1..<length),
            ("bytes=1000000-99999999", 206, 1_000_000..<length),
            ("bytes=262143-524289", 206, 262_143..<524_290), ("bytes=1-0", 200, 0..<length),
            ("bytes=0-1,7-9", 200, 0..<length),
        ] as [(String?, Int, Range<Int64>)])
    func bodies(range: String?, status: Int, positions: Range<Int64>) async throws {
        try await OriginFixture.run(length: Self.length) { fixture in
            let reply = try await fixture.exchange(
                "GET", OriginFixture.path, range.map { ["Range: \($0)"] } ?? [])
            #expect(reply.status == status)
            #expect(reply.headers["content-length"] == String(positions.count))
            #expect(reply.headers["accept-ranges"] == "bytes")
            #expect(reply.headers["content-type"] == "video/mp4")
            #expect(reply.headers["etag"] == fixture.mount.resource.etag)
            let isSame = try reply.body == fixture.video.bytes(in: positions)
            #expect(isSame)
        }
    }

    @Test("Answers without a body, on one connection that stays open")
    func bodiless() async throws {
        try await OriginFixture.run { fixture in
            let tag = fixture.mount.resource.etag
            let video = fixture.video
            try await SocketClient.work(at: fixture.port) { client in
                let path = OriginFixture.path
                let head = try client.exchange("HEAD", path)
                #expect(head.status == 200)
                #expect(head.headers["content-length"] == String(video.length))
                let beyond = try client.exchange("GET", path, ["Range: bytes=\(video.length)-"])
                #expect(beyond.status == 416)
                #expect(beyond.headers["content-range"] == "bytes */\(video.length)")
                let same = try client.exchange("GET", path, ["If-None-Match: \(tag)"])
                #expect(same.status == 304)
                // A cache that reads 0 here would empty its entry.
                #expect(same.headers["content-length"] == String(video.length))
                let post = try client.exchange("POST", path, ["Content-Length: 0"])
                #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD")
                #expect(try client.exchange("GET", "/none").status == 404)
                #expect(try client.exchange("DELETE", "/none").status == 404)
                let old = try client.exchange(
                    "GET", path, ["range: bytes=5-6", "if-range: \"old\""])
                #expect(old.status == 200)
                let body = try client.exchange("GET", path, ["RANGE: bytes=5-6"]).body
                #expect(try body == video.bytes(in: 5..<7))
                #expect(!client.isReadable)
            }
        }
    }

    @Test("The ledger names every request, what it asked for and what it was served")
    func ledger() async throws {
        try await OriginFixture.run { fixture in
            let length = fixture.video.length
            try await SocketClient.work(at: fixture.port) { client in
                let path = OriginFixture.path
                _ = try client.exchange("GET", path, ["Range: bytes=0-1"])
                _ = try client.exchange("HEAD", path)
                _ = try client.exchange("GET", path, ["Range: bytes=1000000-", "If-Range: \"x\""])
                _ = try client.exchange("GET", path, ["Range: bytes=9999999-"])
                _ = try client.exchange("GET", path, ["Range: bytes=-300000"])
            }
            try await fixture.settled()
            let ledger = fixture.mount.ledger
            #expect(ledger.map(\.ordinal) == [1, 2, 3, 4, 5])
            #expect(ledger.map(\.method) == ["GET", "HEAD", "GET", "GET", "GET"])
            #expect(ledger.map(\.status) == [206, 200, 200, 416, 206])
            #expect(
                ledger.map(\.requested) == [0..<2, nil, 0..<length, nil, length - 300_000..<length])
            #expect(ledger.map(\.servedBytes) == [2, 0, length, 0, 300_000])
            #expect(ledger.allSatisfy { $0.state == .complete })
            #expect(ledger[0].rangeHeader == "bytes=0-1")
            #expect(ledger[1].rangeHeader == nil)
            #expect(ledger[2].ifRange == "\"x\"")
            #expect(ledger[1].firstByteAt == nil)
            let times = [ledger[2].startedAt, ledger[2].firstByteAt, ledger[2].endedAt]
                .compactMap { $0 }
            #expect(times.count == 3 && times == times.sorted())
            #expect(fixture.mount.distinctBytesServed == length)
            fixture.mount.resetLedger()
            #expect(fixture.mount.ledger.isEmpty)
        }
    }

    @Test("Two mounts share neither ledger, hold nor bytes; an unmounted path is unknown")
    func mounts() async throws {
        try await OriginFixture.run { fixture in
            let other = try FixtureVideo(seed: 12, length: 1 << 20)
            let second = fixture.origin.mount(Resource(source: other), at: "/2/video.mp4")
            fixture.mount.hold(afterDistinctBytes: 0)
            let reply = try await fixture.exchange("GET", "/2/video.mp4")
            let isSame = try reply.body == other.bytes(in: 0..<other.length)
            #expect(isSame)
            #expect(fixture.mount.ledger.isEmpty)
            #expect(second.ledger.count == 1)
            #expect(second.url == "http://127.0.0.1:\(fixture.port)/2/video.mp4")
            fixture.origin.unmount(second)
            #expect(try await fixture.exchange("GET", "/2/video.mp4").status == 404)
            #expect(second.ledger.count == 1)
            #expect(try await fixture.exchange("HEAD").status == 200)
        }
    }

    @Test("A mount at a path that is taken cuts and replaces the old one, which cannot remove it")
    func replaced() async throws {
        try await OriginFixture.run { fixture in
            let old = fixture.mount
            old.hold(afterDistinctBytes: 0)
            let client = try await fixture.client()
            _ = try await client.answer()
            let other = try FixtureVideo(seed: 12, length: 1 << 20)
            _ = fixture.origin.mount(Resource(source: other), at: OriginFixture.path)
            #expect(try await client.taken(1).isEmpty)
            #expect(old.ledger.map(\.state) == [.cut])
            fixture.origin.unmount(old)
            let reply = try await fixture.exchange("HEAD")
            #expect(reply.headers["content-length"] == String(1 << 20))
        }
    }

    @Test(
        "Many clients at once each get their own bytes",
        arguments: [[], [.init(.latency, .milliseconds(2))]] as [[OriginFault]])
    func many(toxics: [OriginFault]) async throws {
        try await OriginFixture.run(faults: toxics) { fixture in
            let video = fixture.video
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<48 {
                    group.addTask {
                        let start = Int64(index * 40_001)
                        let positions = start..<min(start + 700_000, video.length)
                        let range = "\(positions.lowerBound)-\(positions.upperBound - 1)"
                        let body = try await fixture.exchange(
                            "GET", OriginFixture.path, ["Range: bytes=\(range)"]
                        ).body
                        return try body == video.bytes(in: positions)
                    }
                }
                for try await isSame in group { #expect(isSame) }
            }
            try await fixture.settled()
            #expect(Set(fixture.mount.ledger.map(\.ordinal)) == Set(1...48))
        }
    }

    @Test(
        "A paced body takes at least its time, and so does that of a slow origin",
        arguments: [(2_000_000, []), (nil, [.init(.slow, .pace(2_000_000))])]
            as [(Double?, [OriginFault])])
    func paced(bytesPerSecond: Double?, faults: [OriginFault]) async throws {
        try await OriginFixture.run(bytesPerSecond: bytesPerSecond, faults: faults) { fixture in
            let reply = try await fixture.exchange(
                "GET", OriginFixture.path, ["Range: bytes=0-999999"])
            #expect(reply.body.count == 1_000_000)
            try await fixture.settled()
            let entry = try #require(fixture.mount.ledger.first)
            let end = try #require(entry.endedAt)
            let seconds = (end - entry.startedAt) / .seconds(1)
            // No upper limit, because the machine may be busy: PacerTests checks the rate itself.
            #expect(seconds > 0.49)
        }
    }
}
