import Fixture
import Foundation
import OriginFaults
import TestSupport
import Testing

@testable import FixtureOrigin

extension OneAtATime {
    @Suite(
        "curl, as most clients are made of it, meets the origin",
        .enabled("curl is not installed") { Curl.isThere })
    struct CurlTests {
        private static let length: Int64 = 2 << 20

        @Test("All requests use one connection") func keepAlive() async throws {
            try await OriginFixture.run { fixture in
                let url = fixture.mount.url
                let outcome = try await Curl.run([
                    "-w", "%{http_code} %{size_download} %{num_connects}\n",
                    "-o", "/dev/null", "-o", "/dev/null", "-o", "/dev/null", url, url, url,
                ])
                let size = fixture.video.length
                #expect(
                    String(decoding: outcome.output, as: UTF8.self)
                        == "200 \(size) 1\n200 \(size) 0\n200 \(size) 0\n")
            }
        }

        @Test("A body without length arrives whole") func noLength() async throws {
            try await OriginFixture.run(.noLength) { fixture in
                let outcome = try await Curl.run(["-r", "5-", fixture.mount.url])
                #expect(outcome.exitCode == 0)
                #expect(try outcome.output == Data(fixture.video.bytes(in: 0..<Self.length)))
                #expect(fixture.mount.ledger.map(\.status) == [200])
            }
        }

        @Test("gzip decodes to the video") func encode() async throws {
            try await OriginFixture.run(.encode) { fixture in
                let decoded = try await Curl.run(["--compressed", fixture.mount.url])
                #expect(decoded.exitCode == 0)
                #expect(try decoded.output == Data(fixture.video.bytes(in: 0..<Self.length)))
                let probe = try await fixture.exchange(
                    "GET", OriginFixture.path, ["Range: bytes=0-1"])
                #expect(probe.headers["content-encoding"] == "gzip" && probe.body == [0x1F, 0x8B])
            }
        }

        @Test("Redirects lead to the video") func redirect() async throws {
            try await OriginFixture.run(.redirect, .number(3)) { fixture in
                let reached = try await Curl.run(
                    ["-L", "-w", "%{num_redirects}", "-o", "/dev/null", fixture.mount.url])
                #expect(String(decoding: reached.output, as: UTF8.self) == "3")
                #expect(fixture.mount.ledger.map(\.status) == [302, 302, 302, 200])
            }
            try await OriginFixture.run(.redirectLoop) { fixture in
                let lost = try await Curl.run(["-L", "--max-redirs", "9", fixture.mount.url])
                #expect(lost.exitCode == 47)
                #expect(fixture.mount.ledger.count == 10)
            }
        }
    }
}
