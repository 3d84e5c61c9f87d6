import Fixture
import FixtureOrigin
import Foundation
import Testing
import VideoCache

@testable import CurlTransport

@Suite(.serialized) struct CertificateTests {
    private func withOrigin(
        flaw: CertificateAuthority.Flaw? = nil,
        _ test: (_ url: String, _ authority: String, TemporaryCache) throws -> Void
    ) async throws {
        let cache = try TemporaryCache()
        let authority = try CertificateAuthority()
        let file = "\(cache.folder)/authority.pem"
        try authority.pem.write(toFile: file, atomically: true, encoding: .utf8)
        let origin = try FixtureOrigin(certifiedBy: authority, flaw: flaw)
        try await origin.start()
        let mount = origin.mount(
            Resource(source: try FixtureVideo(seed: 3, length: 1 << 20)), at: "/v.mp4")
        let result = Result { try test(mount.url, file, cache) }
        await origin.stop()
        try result.get()
    }

    private func fetch(
        _ url: String, into cache: TemporaryCache, trusting authorities: String?, way: Way
    ) throws -> DownloadSummary {
        try Download(
            url: url, cache: cache.cache, transport: way.transport(.init(authorities: authorities)),
            schedule: SavePolicy.default, observer: SilentObserver(), cancellation: Cancellation(),
            retry: RetryPolicy(retries: 1_000_000)
        ).run()
    }

    @Test(arguments: Way.allCases) func aVideoIsFetchedOverTLS(way: Way) async throws {
        try await withOrigin { url, authority, cache in
            let port = UInt16(try #require(URL(string: url)?.port))
            let tunnels = try Way.tunnels(to: port)
            #expect(try fetch(url, into: cache, trusting: authority, way: way).isComplete)
            let video = try FixtureVideo(seed: 3, length: 1 << 20)
            #expect(try cache.bytes(of: url, count: 1 << 20) == video.bytes(in: 0..<1 << 20))
            #expect(try way.wasTaken(to: port, since: tunnels))
        }
    }

    /// It is not tried again, since no later attempt would be better, and nothing is stored.
    @Test(arguments: CertificateAuthority.Flaw.allCases, Way.allCases)
    func nothingIsTakenFromAnOriginThatIsNotProved(
        flaw: CertificateAuthority.Flaw, way: Way
    ) async throws {
        try await withOrigin(flaw: flaw) { url, authority, cache in
            let error = #expect(throws: TransportError.self) {
                _ = try fetch(url, into: cache, trusting: authority, way: way)
            }
            guard case .notTrusted(let said, let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(said == url)
            #expect(!reason.isEmpty)
            let stored = try cache.store.video(url: url)
            #expect(stored == nil)
        }
    }

    /// The system does not know the authority of a test.
    @Test(arguments: Way.allCases) func theSystemsAuthoritiesCountByDefault(way: Way) async throws {
        try await withOrigin { url, _, cache in
            let error = #expect(throws: TransportError.self) {
                _ = try fetch(url, into: cache, trusting: nil, way: way)
            }
            guard case .notTrusted = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
