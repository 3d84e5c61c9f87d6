import FixtureOrigin
import Foundation
import Testing
import VideoCache

@testable import PlaybackProxy

@Suite struct PlayBodyTests {
    /// A body with a promised length, read one byte at a time, used to lose bytes.
    ///
    /// For each byte it took 64 KB from the video and returned only the first.
    @Test(arguments: [true, false])
    func noByteIsLostWhereOneIsAskedFor(isPromised: Bool) async throws {
        try await ProxyFixture.run { fixture in
            let session = PlaySession(
                url: fixture.mount.url, loader: fixture.loader, threads: BlockingThreads(),
                watch: PlayerWatch(), playerPort: 0, serverPort: 0)
            session.read(ByteRange(offset: 0, length: 300))
            var body = PlayBody(session: session, count: isPromised ? 300 : nil)
                .makeAsyncIterator()
            var bytes: [UInt8] = []
            while let byte = try await body.next() { bytes.append(byte) }
            #expect(bytes == (try fixture.bytes(0..<300)))
        }
    }
}
