import Fixture
import FixtureOrigin
import Foundation
import Testing
import TestSupport

@testable import RigLab

/// A real player, ffmpeg, decodes every frame through the proxy as it does from the file.
///
/// The film is larger than a fixture's clip, which a player reads at once.
@Suite(.enabled("ffmpeg is not installed: no real player is tested") { installed("ffmpeg") != nil })
struct PlayerTests {
    /// The checksum of each decoded frame; fails if a frame cannot be decoded.
    private func frames(
        _ input: String, in place: Workplace, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await Film.ffmpeg(["-i", input, "-f", "framemd5", "-"], in: place)
        #expect(outcome.exitCode == 0, "\(outcome.complaint)", sourceLocation: sourceLocation)
        #expect(outcome.complaint == "", sourceLocation: sourceLocation)
        return outcome.output
    }

    private func expectSame(
        _ one: String, _ other: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isSame = one == other
        #expect(isSame, "other frames", sourceLocation: sourceLocation)
    }

    /// Cold, from the cache with the origin running, and from the cache alone (C9, T10).
    @Test(arguments: Film.Layout.allCases)
    func decodesColdCachedAndOffline(layout: Film.Layout) async throws {
        let place = Workplace()
        let file = try await Film.make(layout, in: place)
        let expected = try await frames(file, in: place)
        #expect(expected.split(separator: "\n").count > 700)
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: try FileVideo(path: file)), at: "/film.mp4")
            try await ProxyProcess.run(in: place) { proxy in
                let url = try proxy.address(of: mount.url)
                expectSame(try await frames(url, in: place), expected)
                expectFewRequests(mount.ledger, layout)
                mount.resetLedger()
                expectSame(try await frames(url, in: place), expected)
                #expect(mount.ledger.isEmpty, "asked again for what is cached")
            }
            _ = try await StoppedOrigin.stop(origin)
            // A second launch, offline.
            try await ProxyProcess.run(in: place) { proxy in
                expectSame(try await frames(try proxy.address(of: mount.url), in: place), expected)
            }
        }
    }

    /// The most requests that a cold start may cost the origin.
    ///
    /// Index first: the probe of bytes 0-1, and one request for everything. Index last: the
    /// probe; the head, until the player has seen that it has no index; the tail with the
    /// index; and the rest, from where the head's download was cancelled up to the tail.
    private func expectFewRequests(_ ledger: [LedgerEntry], _ layout: Film.Layout) {
        let list = ledger.map { "\($0.rangeHeader ?? "whole"): \($0.servedBytes)" }
        #expect(ledger.count <= (layout == .first ? 2 : 4), "\(list)")
    }

    /// Half of the film, in pieces, is cached by an earlier launch that was killed (C4, C8).
    ///
    /// A piece that the origin has sent may not be saved by the proxy yet. With a kill right
    /// then, this test once played a film of which nothing was cached, and would have passed
    /// with a proxy that fetches everything again.
    @Test(arguments: Film.Layout.allCases)
    func decodesHalfCached(layout: Film.Layout) async throws {
        let place = Workplace()
        let file = try await Film.make(layout, in: place)
        let expected = try await frames(file, in: place)
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: try FileVideo(path: file)), at: "/film.mp4")
            let pieces: [ClosedRange<Int64>] = [0...99_999, 300_000...549_999, 700_000...799_999]
            let killed = try await ProxyProcess.run(in: place, endingWith: SIGKILL) { proxy in
                for piece in pieces {
                    try await curl(
                        "-sf", "-r", "\(piece.lowerBound)-\(piece.upperBound)", "-o", "piece",
                        try proxy.address(of: mount.url), in: place, exits: 0)
                }
                try await eventually("the pieces are saved") {
                    try proxy.status().cached_bytes == pieces.map { Int64($0.count) }.reduce(0, +)
                }
            }
            #expect(killed.signal == SIGKILL)
            mount.resetLedger()
            try await ProxyProcess.run(in: place) { proxy in
                expectSame(try await frames(try proxy.address(of: mount.url), in: place), expected)
            }
            let asked = mount.ledger.compactMap(\.requested)
            #expect(!asked.isEmpty)
            for piece in pieces {
                #expect(!asked.contains { $0.overlaps(Range(piece)) }, "\(piece) of \(asked)")
            }
        }
    }

    /// The player seeks: the frames after a seek equal those of the file after the same seek.
    @Test(arguments: Film.Layout.allCases)
    func seeksBeforeItHasTheMiddle(layout: Film.Layout) async throws {
        let place = Workplace()
        let file = try await Film.make(layout, in: place)
        let seek = ["-ss", "9", "-i"]
        let expected = try await Film.ffmpeg(seek + [file, "-f", "framemd5", "-"], in: place)
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: try FileVideo(path: file)), at: "/film.mp4")
            try await ProxyProcess.run(in: place) { proxy in
                let url = try proxy.address(of: mount.url)
                let outcome = try await Film.ffmpeg(seek + [url, "-f", "framemd5", "-"], in: place)
                #expect(outcome.exitCode == 0, "\(outcome.complaint)")
                expectSame(outcome.output, expected.output)
            }
        }
    }
}
