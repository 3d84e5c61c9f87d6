import Fixture
import Foundation
import OriginFaults
import Testing
import TestSupport

@testable import FixtureOrigin

@Suite("A client on a real socket sees each fault") struct FaultServingTests {
    private static let length: Int64 = 2 << 20

    private func readToEnd(
        _ fixture: OriginFixture, _ headers: [String] = []
    ) async throws -> (head: Reply, body: [UInt8], wasReset: Bool) {
        let client = try await fixture.client(headers)
        let reply = try await client.answer(Int(Self.length) * 2)
        return (reply, reply.body, client.wasReset)
    }

    private func isPrefix(_ body: [UInt8], of video: FixtureVideo) throws -> Bool {
        try body == video.bytes(in: 0..<Int64(body.count))
    }

    @Test("A resource that has moved is found where its redirect leads") func moved() async throws {
        try await OriginFixture.run(.moved) { fixture in
            let reply = try await fixture.exchange()
            #expect(reply.status == 302 && reply.body.isEmpty)
            let home = try #require(reply.headers["location"])
            #expect(home == "/moved\(OriginFixture.path)")
            let whole = try await fixture.exchange("GET", home, ["Range: bytes=100-"])
            #expect(whole.status == 206)
            #expect(try whole.body == fixture.video.bytes(in: 100..<Self.length))
            #expect(whole.headers["etag"] == fixture.mount.resource.etag)
            // One ledger covers both paths, and unmounting removes both.
            #expect(fixture.mount.ledger.map(\.status) == [302, 206])
            fixture.origin.unmount(fixture.mount)
            for path in [OriginFixture.path, home] {
                #expect(try await fixture.exchange("GET", path).status == 404)
            }
        }
    }

    @Test("A mount may have a fault of its own") func ownFault() async throws {
        try await OriginFixture.run { fixture in
            let other = fixture.origin.mount(
                fixture.mount.resource, at: "/2/video.mp4", faults: [OriginFault(.ignoreRange)])
            let range = ["Range: bytes=5-"]
            let struck = try await fixture.exchange("GET", other.path, range)
            #expect(struck.status == 200)
            let spared = try await fixture.exchange("GET", OriginFixture.path, range)
            #expect(spared.status == 206)
        }
    }

    @Test(
        "The next version differs in every byte and both validators",
        arguments: OriginFault.NextLength.allCases)
    func nextVersion(length: OriginFault.NextLength) throws {
        let video = try FixtureVideo(seed: 11, length: Self.length + 1)
        let resource = Resource(source: video, bytesPerSecond: 5).dated
        let next = resource.nextVersion(length)
        let expected =
            switch length {
            case .same: Self.length + 1
            case .half: Self.length / 2 + 1
            case .longer: Self.length + 1 + Self.length / 2 + 1
            }
        #expect(next.source.length == expected && next.etag != resource.etag)
        #expect(next.lastModified != nil && next.lastModified != resource.lastModified)
        #expect(next.bytesPerSecond == 5)
        let bytes = try next.source.bytes(in: 0..<next.source.length)
        let both = min(next.source.length, video.length)
        let old = try video.bytes(in: 0..<both)
        #expect(!zip(bytes, old).contains { $0 == $1 })
        // A window over the old end reads as the two sides of it do.
        if both < next.source.length {
            let seam = Int(both) - 3..<Int(both) + 3
            #expect(try next.source.bytes(in: both - 3..<both + 3) == Array(bytes[seam]))
        }
        #expect(throws: (any Error).self) {
            try next.source.bytes(in: next.source.length - 1..<next.source.length + 1)
        }
    }

    @Test("A truncated body is shorter than announced, and its connection closed")
    func truncate() async throws {
        try await OriginFixture.run(.truncate, .bytes(300_001)) { fixture in
            let (head, body, wasReset) = try await readToEnd(fixture)
            #expect(head.headers["content-length"] == String(Self.length))
            #expect(body.count == 300_001)
            #expect(try isPrefix(body, of: fixture.video))
            #expect(!wasReset)
            try await fixture.settled()
            #expect(fixture.mount.ledger.map(\.state) == [.cut])
            #expect(fixture.mount.ledger.map(\.servedBytes) == [300_001])
        }
    }

    /// A program that asks for the length first, and reads no body, was never cut: the kernel takes
    /// the first megabytes of any answer.
    @Test("A client that leaves before an answer is cut is not counted; the next one is cut")
    func leavesBefore() async throws {
        try await OriginFixture.run(.truncate, .bytes(1_000_000), times: 1) { fixture in
            let client = try await fixture.client(receiveBuffer: 16_384)
            _ = try await client.answer()
            client.hangUp()
            let (_, cut, _) = try await readToEnd(fixture)
            #expect(cut.count == 1_000_000)
            let whole = try await fixture.exchange()
            #expect(whole.body.count == Int(Self.length))
            try await fixture.settled()
            #expect(
                fixture.mount.ledger.map(\.strikes) == [
                    [], [OriginFault(.truncate, .bytes(1_000_000), times: 1)], [],
                ])
        }
    }

    /// The next request found the connection closed, and gave the silence back for ever.
    @Test("A client that leaves in the silence has seen it; the next answer is whole")
    func leavesInTheSilence() async throws {
        try await OriginFixture.run(.silent, .bytes(500_000), times: 1) { fixture in
            let client = try await fixture.client()
            #expect(try await client.answer(500_000).body.count == 500_000)
            client.hangUp()
            let whole = try await fixture.exchange()
            #expect(whole.body.count == Int(Self.length))
        }
    }

    @Test("A reset comes after exactly the bytes before it") func reset() async throws {
        try await OriginFixture.run(.reset, .bytes(700_001), times: 1) { fixture in
            let (head, body, wasReset) = try await readToEnd(fixture)
            #expect(head.headers["content-length"] == String(Self.length))
            #expect(body.count == 700_001)
            #expect(try isPrefix(body, of: fixture.video))
            #expect(wasReset)
            let rest = try await fixture.exchange(
                "GET", OriginFixture.path, ["Range: bytes=700001-"])
            #expect(try rest.body == fixture.video.bytes(in: 700_001..<Self.length))
        }
    }

    /// A reset discards what the client's kernel has not received, so it has to wait for that.
    @Test("A client that reads late still gets every byte before the reset")
    func lateReader() async throws {
        try await OriginFixture.run(.reset, .bytes(200_001)) { fixture in
            let client = try await fixture.client(receiveBuffer: 16_384)
            try await eventually("the origin has ended the body") {
                fixture.mount.ledger.map(\.state) == [.cut]
            }
            #expect(try await client.answer(Int(Self.length)).body.count == 200_001)
            #expect(client.wasReset)
        }
    }

    @Test("A silent origin sends no more, and keeps the connection open until it is cut")
    func silent() async throws {
        try await OriginFixture.run(.silent, .bytes(100_000)) { fixture in
            let mount = fixture.mount
            let client = try await fixture.client()
            let body = try await client.answer(100_000).body
            #expect(try isPrefix(body, of: fixture.video))
            #expect(mount.ledger.map(\.state) == [.running])
            #expect(!client.isReadable)
            mount.cut()
            #expect(try await client.taken(1).isEmpty)
            #expect(mount.ledger.map(\.servedBytes) == [100_000])
        }
    }

    @Test("An over-long body goes on beyond its announced length") func overlong() async throws {
        try await OriginFixture.run(.overlong, .bytes(5000)) { fixture in
            let video = fixture.video
            try await SocketClient.work(at: fixture.port) { client in
                let reply = try client.exchange("GET", OriginFixture.path, ["Range: bytes=0-99999"])
                #expect(reply.headers["content-length"] == "100000")
                #expect(try reply.body == video.bytes(in: 0..<100_000))
                #expect(try client.read(5000) == [UInt8](repeating: 0xEE, count: 5000))
            }
            try await fixture.settled()
            #expect(fixture.mount.ledger.map(\.servedBytes) == [100_000])
        }
    }

    @Test("A body without length goes in chunks; a HEAD announces them, and ends the connection")
    func noLength() async throws {
        try await OriginFixture.run(.noLength) { fixture in
            let head = try await fixture.client(method: "HEAD").answer(1)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers["transfer-encoding"] == "chunked")
            #expect(head.headers["content-length"] == nil)
        }
    }

    @Test("Parts carry the ranges asked for") func multipart() async throws {
        try await OriginFixture.run(.multipart) { fixture in
            let reply = try await fixture.exchange(
                "GET", OriginFixture.path, ["Range: bytes=0-3,1000000-1000004"])
            #expect(reply.status == 206)
            let head = { (first: Int, last: Int) in
                Array(
                    """
                    --part-of-the-video\r\nContent-Type: video/mp4\r\n\
                    Content-Range: bytes \(first)-\(last)/\(Self.length)\r\n\r\n
                    """.utf8)
            }
            let video = fixture.video
            #expect(
                try reply.body == head(0, 3) + video.bytes(in: 0..<4) + Array("\r\n".utf8)
                    + head(1_000_000, 1_000_004) + video.bytes(in: 1_000_000..<1_000_005)
                    + Array("\r\n--part-of-the-video--\r\n".utf8))
            try await fixture.settled()
            #expect(fixture.mount.ledger.map(\.servedBytes) == [9])
        }
    }

    @Test("Simple answers carry their status and their phrase") func statuses() async throws {
        for (kind, argument, method, status) in [
            (OriginFault.Kind.status, OriginFault.Argument.number(503), "GET", 503),
            (.status, .number(418), "GET", 418), (.refuseHead, .none, "HEAD", 405),
            (.always416, .none, "GET", 416), (.notModified, .none, "GET", 304),
        ] {
            try await OriginFixture.run(kind, argument, times: 1) { fixture in
                // One connection: an answer must not leave bytes behind.
                try await SocketClient.work(at: fixture.port) { client in
                    let headers = ["Range: bytes=9-", "If-Range: \"x\""]
                    let first = try client.exchange(method, OriginFixture.path, headers)
                    #expect(first.status == status && first.body.isEmpty)
                    #expect(try client.exchange("HEAD", OriginFixture.path).status == 200)
                }
            }
        }
    }

    @Test("A changed video is served whole to a client that has the old one's tag")
    func changed() async throws {
        try await OriginFixture.run(.changeETag, .number(1)) { fixture in
            let old = try await fixture.exchange("GET", OriginFixture.path, ["Range: bytes=0-9"])
            let tag = try #require(old.headers["etag"])
            let new = try await fixture.exchange(
                "GET", OriginFixture.path, ["Range: bytes=10-", "If-Range: \(tag)"])
            #expect(new.status == 200 && new.headers["etag"] != tag)
            #expect(try new.body == fixture.video.bytes(in: 0..<Self.length).map { ~$0 })
        }
    }

    @Test("A hold stays exact where bodies break off: positions handed out go again freely")
    func hold() async throws {
        try await OriginFixture.run(.truncate, .bytes(100_000)) { fixture in
            fixture.mount.hold(afterDistinctBytes: 150_000)
            let (_, first, _) = try await readToEnd(fixture)
            #expect(first.count == 100_000)
            let client = try await fixture.client(["Range: bytes=90000-"])
            #expect(try await client.answer(60_000).body.count == 60_000)
            try await eventually("the body is held") { fixture.mount.heldBodies == 1 }
            #expect(!client.isReadable)
            #expect(fixture.mount.distinctBytesServed == 150_000)
        }
    }
}
