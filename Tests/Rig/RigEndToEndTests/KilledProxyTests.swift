import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import TestSupport
import Testing

/// A proxy is killed while it plays, and its origin is another one when it is started again.
///
/// A player got the beginning of the old version and the end of the new one, as if they were one.
@Suite struct KilledProxyTests {
    private let place = Workplace()

    private static let length: Int64 = 4 << 20

    /// What an origin has, and what its answers say of the version.
    struct Served: Sendable {
        var seed: UInt64 = 1
        var length: Int64 = 4 << 20
        var etag: String?
        var faults: [OriginFault] = []

        /// Serves it, in the place of what was served before.
        func mount(at origin: FixtureOrigin) throws -> (mount: Mount, bytes: [UInt8]) {
            let video = try MemoryVideo(copying: FixtureVideo(seed: seed, length: length))
            let mount = origin.mount(
                Resource(source: video, etag: etag), at: "/v.mp4", faults: faults)
            return (mount, try video.bytes(in: 0..<length))
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: Served
        var after: Served
    }

    private static let dated = OriginFault(.lastModifiedOnly)
    private static let chunked = OriginFault(.noLength)
    private static let bare = OriginFault(.noValidators)
    private static let weak = OriginFault(.weakETag)

    static let changes = [
        Change(
            testDescription: "tags that differ in a byte that is no UTF-8",
            before: Served(etag: "\"\u{E9}\""), after: Served(seed: 2, etag: "\"\u{E8}\"")),
        Change(
            testDescription: "no validators", before: Served(faults: [bare]),
            after: Served(seed: 2, faults: [bare])),
        Change(
            testDescription: "a weak tag that stays", before: Served(etag: "\"x\"", faults: [weak]),
            after: Served(seed: 2, etag: "\"x\"", faults: [weak])),
        Change(
            testDescription: "the same date, shorter, in chunks", before: Served(faults: [dated]),
            after: Served(seed: 2, length: 3 << 20, faults: [dated, chunked])),
        Change(
            testDescription: "the same date, longer, in chunks", before: Served(faults: [dated]),
            after: Served(seed: 2, length: 5 << 20, faults: [dated, chunked])),
    ]

    private func options(_ storage: String) -> [String] {
        ["--storage", storage, "--threshold", "256KB"]
    }

    /// Plays until half of the video has come and some of it is saved, and kills the proxy then.
    private func killHalfway(
        _ mount: Mount, of bytes: [UInt8], storage: String, in place: Workplace
    ) async throws {
        mount.hold(afterDistinctBytes: Self.length / 2)
        try await ProxyProcess.run(in: place, options(storage), endingWith: nil) { proxy in
            let address = try #require(URL(string: try proxy.address(of: mount.url)))
            let target = "\(address.path)?\(address.query(percentEncoded: true) ?? "")"
            let port = UInt16(try #require(address.port))
            let half = try await offPool {
                let player = try SocketClient(port: port)
                player.send("GET", target)
                _ = try player.readHead()
                return try player.read(Int(Self.length / 2))
            }
            let isRight = half == Array(bytes[..<Int(Self.length / 2)])
            #expect(isRight)
            try await eventually("some of it is saved") {
                try proxy.status().cached_bytes >= 1 << 20
            }
            try await proxy.end()
        }
        mount.release()
    }

    @Test(arguments: Nightly.pairs(changes, ["file", "rows"]))
    func aPlayerNeverGetsBothVersions(change: Change, storage: String) async throws {
        try await withOrigin { origin in
            let (first, old) = try change.before.mount(at: origin)
            try await killHalfway(first, of: old, storage: storage, in: place)
            let (_, new) = try change.after.mount(at: origin)
            try await ProxyProcess.run(in: place, options(storage)) { proxy in
                let address = try proxy.address(of: first.url)
                // This play finds out, and is cut: 18 is a partial file, 56 a connection reset.
                let cut = try await curl("-s", "-o", "cut", address, in: place)
                #expect([18, 56].contains(cut.exitCode), "\(String(describing: cut.exitCode))")
                let got = FileManager.default.contents(atPath: place.path("cut")) ?? Data()
                let isOld = got == Data(old.prefix(got.count))
                #expect(isOld, "\(got.count) bytes")
                try await curl("-s", "-o", "out", address, in: place, exits: 0)
                #expect(place.file("out", is: Data(new)))
            }
        }
    }
}
