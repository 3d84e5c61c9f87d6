import FixtureOrigin
import Foundation
import Testing
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
}
