import Synchronization
import Testing
import VideoCache

@testable import CurlTransport

/// Two versions of the same length, without a validator, were joined, and the fetch ended with 0.
@Suite("Without a validator only kept bytes show which version an answer is of (C5)", .serialized)
struct OverlapTests {
    private static let length = 600_000
    static let old = videoBytes(length, seed: 1)
    static let new = videoBytes(length, seed: 2)

    struct Kept: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parts: [Range<Int>]
        /// The ranges that are asked for while the version is the same.
        var asked: [String]
    }

    static let kept = [
        Kept(
            testDescription: "the first half", parts: [0..<300_000],
            asked: ["bytes=0-16383", "bytes=234464-"]),
        Kept(testDescription: "less than an overlap", parts: [0..<10_000], asked: ["bytes=0-"]),
        Kept(testDescription: "one byte", parts: [0..<1], asked: ["bytes=0-"]),
        Kept(
            testDescription: "a hole in the middle", parts: [0..<200_000, 300_000..<length],
            asked: ["bytes=0-16383", "bytes=134464-299999"]),
        Kept(
            testDescription: "a hole in front", parts: [300_000..<length],
            asked: ["bytes=300000-365535", "bytes=365536-381919", "bytes=0-299999"]),
        Kept(
            testDescription: "several gaps, and little before one of them",
            parts: [0..<200_000, 250_000..<251_000, 400_000..<500_000],
            asked: [
                "bytes=0-16383", "bytes=134464-249999", "bytes=185464-250999",
                "bytes=185464-399999", "bytes=434464-",
            ]),
    ]

    private func origin(_ bytes: [UInt8]) throws -> TestOrigin {
        try TestOrigin.video(bytes, etag: nil)
    }

    @Test(
        "the same version goes on where it stopped, and status says how that was seen",
        arguments: kept, StorageLayout.allCases)
    func same(kept: Kept, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try origin(Self.old)
        try cache.seed(origin.url, Self.old, kept.parts, etag: nil)
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete)
        #expect(try cache.bytes(of: origin.url, count: Self.length) == Self.old)
        #expect(try cache.cache.video(origin.url)?.information.isComparedByBytes == true)
        let had = kept.parts.reduce(0) { $0 + $1.count }
        #expect(summary.storedBytes == Int64(Self.length - had), "nothing is stored twice")
        #expect(summary.requests == origin.ranges.count)
        if kept.testDescription.hasPrefix("several") {
            // The little between two gaps is joined to what the first brought.
            #expect(origin.ranges.first == "bytes=0-16383")
        } else {
            #expect(origin.ranges == kept.asked)
        }
    }

    @Test(
        "another version of the same length is fetched whole, and nothing of the old one stays",
        arguments: kept, StorageLayout.allCases)
    func changed(kept: Kept, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try origin(Self.new)
        try cache.seed(origin.url, Self.old, kept.parts, etag: nil)
        try cache.expectFetch(of: origin.url, brings: Self.new)
        #expect(origin.ranges.last == "none")
    }

    @Test(
        "one byte that differs in what is compared is enough",
        arguments: [
            0, 16_383,  // the first and the last byte of the sample
            234_464, 299_999,  // those of the overlap
        ], StorageLayout.allCases)
    func oneByte(position: Int, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        var version = Self.old
        version[position] ^= 1
        let origin = try origin(version)
        try cache.seed(origin.url, Self.old, [0..<300_000], etag: nil)
        #expect(try cache.download(origin.url).run().isComplete)
        let isNew = try cache.bytes(of: origin.url, count: Self.length) == version
        #expect(isNew)
    }

    @Test("an origin that answers the overlap with the whole is fetched whole")
    func answersWhole() throws {
        for bytes in [Self.old, Self.new] {
            let cache = try TemporaryCache()
            let origin = try TestOrigin { _ in Reply(body: bytes) }
            try cache.seed(origin.url, Self.old, [0..<300_000], etag: nil)
            try cache.expectFetch(of: origin.url, brings: bytes)
        }
    }

    @Test("a damaged overlap is dropped, and what is left is compared") func damaged() throws {
        let cache = try TemporaryCache(layout: .file)
        let origin = try origin(Self.old)
        try cache.seed(origin.url, Self.old, [0..<200_000, 200_000..<300_000], etag: nil)
        try cache.store.damage(offset: 250_000)
        try cache.expectFetch(of: origin.url, brings: Self.old)
    }

    @Test("an origin with a strong tag is asked for nothing more", arguments: kept)
    func strongTag(kept: Kept) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.old)
        try cache.seed(origin.url, Self.old, kept.parts)
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete)
        #expect(origin.requests.allSatisfy { $0.headers["if-range"] == "\"v1\"" })
        let asked = origin.requests.compactMap(\.range).map(\.first)
        #expect(asked.allSatisfy { first in !kept.parts.contains { $0.contains(first) } })
    }

    @Test(
        "killed after each part: what is complete in the end is of one version",
        arguments: [1, 2, 10], StorageLayout.allCases)
    func killedInBetween(turns: Int, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let count = Atomic(0)
        let origin = try TestOrigin { request in
            // Another version comes after so many launches, and each answer breaks off.
            let launch = count.load(ordering: .relaxed)
            let bytes = launch / turns % 2 == 0 ? Self.old : Self.new
            var reply = TestOrigin.honest(request, bytes, etag: nil)
            reply.sendsOnly = min(150_000, reply.body.count)
            if reply.body.count <= 150_000 { reply.sendsOnly = nil }
            return reply
        }
        var isComplete = false
        for _ in 0..<60 where !isComplete {
            isComplete = (try? cache.download(origin.url).run().isComplete) ?? false
            count.add(1, ordering: .relaxed)
            let bytes = try cache.bytes(of: origin.url, count: Self.length)
            let isOfOne = [Self.old, Self.new].contains { Array($0[..<bytes.count]) == bytes }
            #expect(isOfOne, "\(bytes.count) bytes are of two versions")
            if !isOfOne { return }
        }
        // Where the version changes each time, nothing can be finished.
        #expect(isComplete || turns < 10)
    }
}

/// An ETag per server of a CDN dropped what was cached at every other request.
@Suite("Tags that come in turn name one version where kept bytes agree (C5)", .serialized)
struct TagsInTurnTests {
    private func edges(_ versions: [[UInt8]], obeysIfRange: Bool) throws -> TestOrigin {
        try TestOrigin { request in
            let edge = request.number % versions.count
            var request = request
            if !obeysIfRange { request.headers["if-range"] = nil }
            return TestOrigin.honest(request, versions[edge], etag: "\"edge-\(edge)\"")
        }
    }

    @Test("a download goes on, and every tag is kept", arguments: [2, 3, 5], [true, false])
    func download(edges count: Int, obeysIfRange: Bool) throws {
        for layout in StorageLayout.allCases {
            let cache = try TemporaryCache(layout: layout)
            let bytes = OverlapTests.old
            let origin = try edges(
                Array(repeating: bytes, count: count), obeysIfRange: obeysIfRange)
            try cache.seed(
                origin.url, bytes, [0..<100_000, 200_000..<300_000, 400_000..<500_000],
                etag: "\"edge-1\"")
            let number = try cache.cache.video(origin.url)?.id
            let summary = try cache.download(origin.url).run()
            #expect(summary.isComplete && summary.storedBytes == 300_000)
            #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
            let video = try #require(try cache.cache.video(origin.url))
            #expect(video.id == number, "what was cached was not dropped")
            #expect(video.information.etag == "\"edge-1\"")
            #expect(!video.information.otherETags.isEmpty)
        }
    }

    @Test("tags that are known cost nothing more in a later launch") func knownTags() throws {
        let cache = try TemporaryCache()
        let bytes = OverlapTests.old
        let origin = try edges([bytes, bytes], obeysIfRange: true)
        try cache.seed(origin.url, bytes, [0..<100_000, 200_000..<300_000], etag: "\"edge-1\"")
        #expect(try cache.download(origin.url).run().isComplete)
        let video = try #require(try cache.cache.video(origin.url))
        for part in [100_000..<150_000, 400_000..<500_000] {
            try cache.store.discard(
                ByteRange(from: Int64(part.lowerBound), to: Int64(part.upperBound)), of: video)
        }
        let missing = try cache.cache.missingRanges(of: origin.url)
        let before = origin.requests.count
        #expect(try cache.download(origin.url).run().isComplete)
        #expect(origin.requests.count == before + missing.count)
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("two versions with tags in turn are never joined, whatever the order", arguments: [2, 3])
    func unlike(count: Int) throws {
        for layout in StorageLayout.allCases {
            let cache = try TemporaryCache(layout: layout)
            let versions = [OverlapTests.old, OverlapTests.new, videoBytes(600_000, seed: 3)]
            let origin = try edges(Array(versions[..<count]), obeysIfRange: true)
            try cache.seed(origin.url, versions[0], [0..<300_000], etag: "\"edge-0\"")
            _ = try? cache.download(origin.url).run()
            let bytes = try cache.bytes(of: origin.url, count: 600_000)
            #expect(versions.contains { Array($0[..<bytes.count]) == bytes })
        }
    }

    @Test(
        "a player that seeks gets every byte of one version, whatever the tags",
        arguments: [true, false])
    func seeks(obeysIfRange: Bool) throws {
        for layout in StorageLayout.allCases {
            let cache = try TemporaryCache(layout: layout)
            let bytes = OverlapTests.old
            let origin = try edges([bytes, bytes, bytes], obeysIfRange: obeysIfRange)
            let loader = cache.loader()
            defer { loader.close() }
            for start in stride(from: Int64(0), to: 600_000, by: 90_000).reversed() {
                let range = ByteRange(offset: start, length: min(20_000, 600_000 - start))
                let read = try loader.reader(of: origin.url, range: range).all()
                #expect(read == Array(bytes[Int(range.offset)..<Int(range.end)]))
            }
        }
    }

    /// A tag made up for each answer names nothing.
    @Test("a tag for every answer keeps the cache, and the index does not grow with it")
    func neverTheSameTag() throws {
        let cache = try TemporaryCache()
        let bytes = OverlapTests.old
        let origin = try TestOrigin { request in
            TestOrigin.honest(request, bytes, etag: "\"answer-\(request.number)\"")
        }
        let parts = (0..<20).map { $0 * 30_000..<$0 * 30_000 + 15_000 }
        try cache.seed(origin.url, bytes, parts, etag: "\"answer\"")
        try cache.expectFetch(of: origin.url, brings: bytes)
        let tags = try #require(try cache.cache.video(origin.url)).information.otherETags
        #expect((1...8).contains(tags.count))
    }
}
