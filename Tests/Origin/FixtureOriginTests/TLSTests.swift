import Fixture
import Foundation
import OriginFaults
import TestSupport
import Testing

@testable import FixtureOrigin

extension OneAtATime {
    @Suite(.enabled("curl is not installed") { Curl.isThere }) struct TLSTests {
        private static let length: Int64 = 2 << 20

        /// Runs a test with an origin over TLS, and the file of its authority.
        private func withOrigin(
            flaw: CertificateAuthority.Flaw? = nil, faults: [OriginFault] = [],
            _ test: (_ mount: Mount, _ video: FixtureVideo, _ authority: String) async throws ->
                Void
        ) async throws {
            let authority = try CertificateAuthority()
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("authority-\(UUID()).pem")
            try Data(authority.pem.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let origin = try FixtureOrigin(faults: faults, certifiedBy: authority, flaw: flaw)
            try await OriginFixture.run(on: origin) {
                try await test($0.mount, $0.video, file.path)
            }
        }

        @Test(arguments: ["--tlsv1.3", "--tls-max 1.2"])
        func theVideoArrivesWhole(version: String) async throws {
            try await withOrigin { mount, video, authority in
                #expect(mount.url.hasPrefix("https://127.0.0.1:"))
                let outcome = try await Curl.run(
                    version.split(separator: " ").map(String.init)
                        + ["--cacert", authority, mount.url])
                #expect(outcome.exitCode == 0)
                #expect(try outcome.output == Data(video.bytes(in: 0..<Self.length)))
                try await eventually("the answer is complete") {
                    mount.ledger.map(\.state) == [.complete]
                }
            }
        }

        /// A connection serves several requests, by its host's name, too.
        @Test func aConnectionIsUsedAgain() async throws {
            try await withOrigin { mount, video, authority in
                let url = mount.url.replacing("127.0.0.1", with: "localhost")
                let outcome = try await Curl.run([
                    "--cacert", authority, "-w", "%{http_code} %{size_download} %{num_connects}\n",
                    "-r", "5-9", "-o", "/dev/null", "-o", "/dev/null", url, url,
                ])
                #expect(
                    String(decoding: outcome.output, as: UTF8.self) == "206 5 1\n206 5 0\n")
            }
        }

        /// 60 is curl's exit code for a certificate that it cannot verify.
        @Test(arguments: CertificateAuthority.Flaw.allCases)
        func aFlawedCertificateIsRefused(flaw: CertificateAuthority.Flaw) async throws {
            try await withOrigin(flaw: flaw) { mount, _, authority in
                let outcome = try await Curl.run(["--cacert", authority, mount.url])
                #expect(outcome.exitCode == 60 && outcome.output.isEmpty)
                #expect(mount.ledger.isEmpty)
                // The flaw is the only reason.
                let careless = try await Curl.run(["--insecure", mount.url])
                #expect(careless.output.count == Self.length)
            }
        }

        @Test func anAuthorityThatIsNotTrustedIsRefused() async throws {
            try await withOrigin { mount, _, _ in
                let outcome = try await Curl.run([mount.url])
                #expect(outcome.exitCode == 60)
            }
        }

        /// A client without TLS gets no answer, and the next client does.
        @Test func aClientWithoutEncryptionIsTurnedAway() async throws {
            try await withOrigin { mount, _, authority in
                let plain = mount.url.replacing("https:", with: "http:")
                let refused = try await Curl.run([plain])
                #expect(refused.exitCode != 0)
                #expect(mount.ledger.isEmpty)
                let next = try await Curl.run(["--cacert", authority, mount.url])
                #expect(next.exitCode == 0)
            }
        }

        /// A client may ask for records of 512 bytes (RFC 6066, 4).
        ///
        /// They used to count as one of 16 KB, so a client could have bytes that did not count as
        /// received.
        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
        func smallRecordsAreCountedOneByOne() async throws {
            let authority = try CertificateAuthority()
            let origin = try FixtureOrigin(certifiedBy: authority)
            try await origin.start()
            _ = origin.mount(
                Resource(source: try FixtureVideo(seed: 11, length: Self.length)), at: "/v.mp4")
            let answers = origin.tap()
            let port = origin.port
            try await offPool {
                _ = try Tool.run([
                    "sh", "-c",
                    "printf 'GET /v.mp4 HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' | "
                        + "openssl s_client -quiet -maxfraglen 512 -connect 127.0.0.1:\(port) "
                        + ">/dev/null 2>&1",
                ])
            }
            await origin.stop()
            let records = try #require(answers.take().first?.records)
            let sent = (0..<100_000).map { records.plaintext(of: $0) }
            #expect(zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 <= 512 })
            #expect(sent[99_999] > 90_000)
        }

        /// An answer that ends too early is no end over TLS, either.
        @Test func aBrokenConnectionIsNoEnd() async throws {
            let faults = [OriginFault(.truncate, .bytes(100_000))]
            try await withOrigin(faults: faults) { mount, video, authority in
                let outcome = try await Curl.run(["--cacert", authority, mount.url])
                #expect(outcome.exitCode != 0)
                #expect(try outcome.output == Data(video.bytes(in: 0..<100_000)))
            }
        }
    }
}

/// What can be decrypted of a stream, record by record.
@Suite struct RecordMapTests {
    /// A handshake of 90 bytes, a head of 10 in a record of 32, and a body of 100 in one of 122.
    private static func map() -> RecordMap {
        let map = RecordMap()
        map.add(90, plaintext: 0)
        map.add(32, plaintext: 10)
        map.add(122, plaintext: 100)
        return map
    }

    @Test func onlyWholeRecordsCount() {
        let map = Self.map()
        #expect(
            [0, 90, 121, 122, 243, 244, 245, .max].map(map.plaintext)
                == [0, 0, 0, 10, 10, 110, 110, 110])
    }

    @Test func nothingIsSentAtFirst() { #expect(RecordMap().plaintext(of: .max) == 0) }
}
