import Fixture
import FixtureOrigin
import Foundation
import TestSupport
import Testing

/// The downloader behind a company's proxy, which `https_proxy` names.
///
/// The 200 with which the proxy made its tunnel was taken for the origin's: the video was never
/// complete, its validators were lost, and a page that said 404 was played as the video.
@Suite struct TunnelledOriginTests {
    private let place = Workplace()

    private static let length: Int64 = 4 << 20

    private func environment(_ proxy: ConnectProxy) -> [String: String] {
        ["https_proxy": proxy.address, "no_proxy": "", "NO_PROXY": ""]
    }

    /// Runs the body with an encrypted origin; its authority's file is `authority.pem`.
    private func withVideo(in place: Workplace, _ body: (Mount) async throws -> Void) async throws {
        let authority = try CertificateAuthority()
        try authority.pem.save(as: "authority.pem", in: place)
        try await withOrigin(try FixtureOrigin(certifiedBy: authority)) { origin in
            let video = try FixtureVideo(seed: 5, length: Self.length)
            try await body(origin.mount(Resource(source: video), at: "/v.mp4"))
        }
    }

    private func arguments(_ url: String, storage: String) -> [String] {
        [
            "fetch", url, "--cache", "cache", "--ca-file", "authority.pem", "--storage",
            storage, "--threshold", "256KB", "--output", "out",
        ]
    }

    private func isWhole(in place: Workplace) throws -> Bool {
        let video = try FixtureVideo(seed: 5, length: Self.length)
        return try FileManager.default.contents(atPath: place.path("out"))
            == Data(video.bytes(in: 0..<Self.length))
    }

    /// It is killed in between, and what it had saved is not asked for again.
    @Test(arguments: Nightly.pairs([true, false], ["file", "rows"]))
    func aKilledFetchGoesOnThroughTheTunnel(beganIn: Bool, storage: String) async throws {
        let proxy = try ConnectProxy()
        let tunnel = environment(proxy)
        try await withVideo(in: place) { mount in
            let first = arguments(mount.url, storage: storage)
            mount.hold(afterDistinctBytes: 2 << 20)
            try await Programs.run(
                Programs.downloader, first, in: place.url, environment: beganIn ? tunnel : [:]
            ) { worker in
                try await eventually("the origin holds") { mount.heldBodies > 0 }
                try await eventually("some of it is saved") {
                    try await place.cachedBytes() >= 1 << 20
                }
                #expect(kill(worker, SIGKILL) == 0)
            }
            let saved = try await place.cachedBytes()
            mount.release()
            mount.resetLedger()
            try await downloader(first, in: place, environment: tunnel, exits: 0)
            #expect(try isWhole(in: place))
            #expect(mount.ledger.map(\.rangeHeader) == ["bytes=\(saved)-"])
            #expect(mount.ledger.allSatisfy { $0.ifRange != nil })
        }
        #expect(!proxy.requests.isEmpty)
    }

    @Test func whatIsNotThereIsNoVideo() async throws {
        let proxy = try ConnectProxy()
        try await withVideo(in: place) { mount in
            let absent = mount.url.replacingOccurrences(of: "v.mp4", with: "absent.mp4")
            try await downloader(
                arguments(absent, storage: "file"), in: place, environment: environment(proxy),
                exits: 69, complains: "404")
            #expect(!place.has("out"))
        }
    }

    @Test(arguments: [("407 Who are you", "NAME:PASSWORD"), ("403 Forbidden", "no_proxy")])
    func aProxyThatRefusesIsNamed(status: String, remedy: String) async throws {
        let proxy = try ConnectProxy(
            .refuses("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\nno no"))
        try await withVideo(in: place) { mount in
            try await downloader(
                arguments(mount.url, storage: "file"), in: place,
                environment: environment(proxy), exits: 69
            ).complains("the proxy of the environment").complains(remedy)
            #expect(mount.ledger.isEmpty && proxy.requests.count == 1)
        }
    }

    @Test func aPlayerPlaysThroughTheTunnel() async throws {
        let proxy = try ConnectProxy()
        try await withVideo(in: place) { mount in
            let url = mount.url
            try await ProxyProcess.run(
                in: place, ["--ca-file", place.path("authority.pem")],
                environment: environment(proxy)
            ) { player in
                try await curl(
                    "-s", "-f", "--noproxy", "*", "-o", "out", try player.address(of: url),
                    in: place, exits: 0)
                #expect(try isWhole(in: place))
                let absent = url.replacingOccurrences(of: "v.mp4", with: "absent.mp4")
                let page = try await curl(
                    "-s", "--noproxy", "*", "-w", "%{http_code}", try player.address(of: absent),
                    in: place)
                #expect(page.output.hasSuffix("502"), "\(page.output)")
            }
        }
    }
}
