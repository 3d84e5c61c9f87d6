import Fixture
import FixtureOrigin
import OriginFaults
import TestSupport
import Testing
import VideoCache

@testable import PlaybackProxy

/// The proxy joined two versions of one length, and refused seeks where each server had its own tag.
@Suite("A player gets one version from servers that name none (K3)") struct NoVersionTests {
    private static let length: Int64 = 2 << 20

    private func twin(of fixture: ProxyFixture, changedFrom: Int64) throws -> MemoryVideo {
        var bytes = try fixture.bytes(0..<Self.length)
        for place in Int(changedFrom)..<bytes.count { bytes[place] ^= 0xFF }
        return MemoryVideo(bytes)
    }

    /// The first difference lies where the compared bytes show it: all over, or right before the gap.
    @Test(
        "after another version of the same length an answer is of the new one alone",
        arguments: [0, 700_000], StorageLayout.allCases)
    func twins(changedFrom: Int64, layout: StorageLayout) async throws {
        try await ProxyFixture.run(length: Self.length, layout: layout) { fixture in
            let faults = [OriginFault(.noValidators)]
            let old = fixture.origin.mount(
                Resource(source: fixture.video), at: "/twin.mp4", faults: faults)
            let path = fixture.path(of: old.url)
            let part = try await fixture.exchange("GET", path, ["Range: bytes=0-749999"])
            #expect(try part.body == fixture.bytes(0..<750_000))
            try await fixture.settled()
            let video = try twin(of: fixture, changedFrom: changedFrom)
            _ = fixture.origin.mount(Resource(source: video), at: "/twin.mp4", faults: faults)
            let expected = try video.bytes(in: 0..<Self.length)
            // The player has the beginning, and asks for the rest.
            let rest = try await fixture.exchange("GET", path, ["Range: bytes=750000-"])
            #expect(rest.status == 206 && rest.body == Array(expected[750_000...]))
            let whole = try await fixture.exchange("GET", path)
            #expect(whole.status == 200 && whole.body == expected)
        }
    }

    @Test(
        "seeks play, and are kept, where servers in turn have tags of their own",
        arguments: [1, 3], StorageLayout.allCases)
    func edges(more: Int, layout: StorageLayout) async throws {
        try await ProxyFixture.run(length: Self.length, layout: layout) { fixture in
            let mount = fixture.origin.mount(
                Resource(source: fixture.video, etag: "\"a\""), at: "/edges.mp4",
                faults: [OriginFault(.edges, .number(more))])
            let path = fixture.path(of: mount.url)
            for seek in 0..<20 {
                let first = Int64(seek * 7 % 20) * 100_000
                let range = first..<first + 50_000
                let reply = try await fixture.exchange(
                    "GET", path, ["Range: bytes=\(first)-\(range.upperBound - 1)"])
                #expect(reply.status == 206)
                #expect(try reply.body == fixture.bytes(range))
            }
            #expect(try await fixture.exchange("GET", path).body == fixture.bytes(0..<Self.length))
            try await fixture.settled()
            #expect(try fixture.cache.cachedBytes(of: mount.url) == Self.length)
            let asked = mount.ledger.count
            #expect(try await fixture.exchange("GET", path).body == fixture.bytes(0..<Self.length))
            #expect(mount.ledger.count == asked)
        }
    }

    /// A player is played to from the version that answers: never 502, and never bytes of both.
    @Test(
        "seeks play where two versions come in turn, each with its own tag",
        arguments: [1, 2, 3], StorageLayout.allCases)
    func versionsInTurn(ofTheFirst count: Int, layout: StorageLayout) async throws {
        try await ProxyFixture.run(length: Self.length, layout: layout) { fixture in
            let other = try twin(of: fixture, changedFrom: 0)
            let first = Resource(source: fixture.video, etag: "\"a\"")
            let second = Resource(source: other, etag: "\"b\"")
            let mount = fixture.origin.mount(at: "/turns.mp4") { number in
                number % (count + 1) == 0 ? second : first
            }
            let path = fixture.path(of: mount.url)
            // Backwards, so that no seek begins in what another one has brought.
            for seek in stride(from: Int64(9), through: 0, by: -1) {
                let range = seek * 200_000..<seek * 200_000 + 50_000
                let reply = try await fixture.exchange(
                    "GET", path, ["Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
                #expect(reply.status == 206)
                let versions = [try fixture.bytes(range), try other.bytes(in: range)]
                let isOfOne = versions.contains(reply.body)
                #expect(isOfOne)
            }
            var kept: Set<String> = []
            let everything = ByteRange(offset: 0, length: Self.length)
            try fixture.cache.readParts(in: everything, of: mount.url) { start, bytes in
                let range = start..<start + Int64(bytes.count)
                let isFirst = try Array(bytes) == fixture.bytes(range)
                let isSecond = try Array(bytes) == other.bytes(in: range)
                kept.insert(isFirst ? "the first" : isSecond ? "the second" : "both")
            }
            #expect(kept == ["the first"] || kept == ["the second"])
        }
    }
}
