import FixtureOrigin
import Foundation
import Testing
import TestSupport
import VideoCache

@Suite struct VideoReadTests {
    /// A body read one byte at a time used to lose bytes.
    ///
    /// For each byte it took 64 KB from the video and returned only the first.
    @Test func noByteIsLostWhereOneIsAskedFor() async throws {
        try await ProxyFixture.run { fixture in
            let read = fixture.loader.read(
                of: fixture.mount.url, in: ByteRange(offset: 0, length: 300))
            var bytes: [UInt8] = []
            while let next = try await read.value({ try $0.next(limit: 1) }) {
                #expect(next.count == 1)
                bytes += next
            }
            #expect(bytes == (try fixture.bytes(0..<300)))
        }
    }

    /// What is cached is there without a wait, to the end of the range; what is not is left to a
    /// thread, and nothing is requested.
    @Test func onlyCachedBytesAreThereAtOnce() async throws {
        try await ProxyFixture.run { fixture in
            let url = fixture.mount.url
            #expect(fixture.loader.read(of: url, in: nil).known == nil)
            let early = fixture.loader.read(of: url, in: ByteRange(offset: 0, length: 10))
            #expect(try Self.takeAtOnce(from: early).isWhole == false)
            #expect(fixture.mount.ledger.isEmpty)

            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-599999"])
            try await fixture.settled()
            try await eventually("the download has ended") {
                fixture.loader.read(of: url, in: nil).known != nil
            }
            let requests = fixture.mount.ledger.count
            let cached = try fixture.cachedBytes()
            let whole = fixture.loader.read(of: url, in: ByteRange(offset: 0, length: cached))
            let (bytes, isWhole) = try Self.takeAtOnce(from: whole)
            let part = fixture.loader.read(of: url, in: nil)
            #expect(part.known != nil)
            part.narrow(to: ByteRange(offset: 1000, length: 500))
            #expect(try Self.takeAtOnce(from: part).bytes == fixture.bytes(1000..<1500))
            #expect(isWhole)
            #expect(bytes == (try fixture.bytes(0..<cached)))
            #expect(try Self.takeAtOnce(from: early).isWhole)
            let beyond = fixture.loader.read(of: url, in: ByteRange(offset: cached, length: 10))
            #expect(try Self.takeAtOnce(from: beyond).isWhole == false)
            #expect(fixture.mount.ledger.count == requests)
        }
    }

    /// Answers at once rely on the last look at the store for a moment.
    ///
    /// Another process that clears the cache meanwhile frees the bytes, so none are handed out.
    @Test func whatAnotherProcessHasClearedIsNotThereAtOnce() async throws {
        try await ProxyFixture.run { fixture in
            let url = fixture.mount.url
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-599999"])
            try await fixture.settled()
            let range = ByteRange(offset: 1000, length: 500)
            try await eventually("the bytes are there at once") {
                try Self.takeAtOnce(from: fixture.loader.read(of: url, in: range)).isWhole
            }
            try VideoCache(folder: fixture.folder).clearAll()
            let read = fixture.loader.read(of: url, in: range)
            #expect(try Self.takeAtOnce(from: read).bytes == [])
            let again = try await fixture.exchange("GET", nil, ["Range: bytes=1000-1499"])
            #expect(again.body == (try fixture.bytes(1000..<1500)))
        }
    }

    /// The bytes that are there, and whether they reach to the range's end.
    private static func takeAtOnce(
        from read: VideoReader
    ) throws -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        while let taken = try read.withoutWaiting({ reader in
            try reader.lend(limit: 100_000, waiting: false) { lent in
                bytes += lent
                return lent.count
            }
        }) {
            if taken == nil { return (bytes, true) }
        }
        return (bytes, false)
    }
}
