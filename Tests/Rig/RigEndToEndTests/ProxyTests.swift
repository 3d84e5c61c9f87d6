import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import Testing
import TestSupport

@testable import RigLab

/// `downloader proxy` as a user starts and ends it, with curl as the player.
@Suite struct ProxyTests {
    private let place = Workplace()

    private struct Status: Decodable {
        struct Video: Decodable {
            let url: String
            let cached_bytes: Int64
        }
        let cached_bytes: Int64
        let videos: [Video]
    }

    /// The cache's state as `downloader status` reports it, without the proxy.
    private func status(in place: Workplace) async throws -> Status {
        let outcome = try await downloader(
            "status", "--cache", "cache", "--json", in: place, exits: 0)
        return try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8))
    }

    private func curl(_ arguments: [String], in place: Workplace) async throws -> Programs.Outcome {
        try await RigEndToEndTests.curl(["-s"] + arguments, in: place)
    }

    private func video(_ seed: UInt64 = 3, length: Int64 = 3 << 20) throws -> MemoryVideo {
        try MemoryVideo(copying: FixtureVideo(seed: seed, length: length))
    }

    private func file(_ name: String, in place: Workplace, is bytes: [UInt8]) -> Bool {
        place.file(name, is: Data(bytes))
    }

    /// Plays until exactly this many bytes have come, and then disconnects like a closed program.
    private func play(_ url: String, until count: Int64, in place: Workplace) async throws {
        let output = place.path("played-\(UUID())")
        try await RigEndToEndTests.curl.end(
            ["-s", "-N", "-o", output, url], in: place, by: SIGKILL, exits: nil,
            once: "the player has \(count) bytes"
        ) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: output)
            return attributes?[.size] as? Int64 == count
        }
    }

    /// A proxy that was asked to end right after it had named its address ran on for ever.
    ///
    /// Dispatch installs a signal's handler on a thread of its own. A SIGTERM that came before
    /// was ignored: 19 of 8,229 launches on a busy machine, 0 of 8,482 since. One of these
    /// launches shows it only now and then, so that there are 200 of them.
    @Test func aSignalRightAfterTheAddressIsNotLost() async throws {
        let script = """
            mkfifo address
            for launch in $(seq 50); do
                "$1" proxy --cache cache --port 0 --quiet > address & proxy=$!
                read -r line < address
                kill -TERM $proxy
                for look in $(seq 2000); do
                    # A shell may have reaped it by itself.
                    state=$(cut -d ' ' -f 3 /proc/$proxy/stat 2>/dev/null) || break
                    [ "$state" != Z ] || break
                    sleep 0.01
                done
                kill -KILL $proxy 2>/dev/null
                wait $proxy; status=$?
                [ $status = 143 ] || exit $status
            done
            """
        try await withThrowingTaskGroup(of: Programs.Outcome.self) { group in
            for number in 1...4 {
                let folder = place.url.appendingPathComponent("\(number)")
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                group.addTask {
                    try await Programs.run(
                        "/bin/sh", ["-c", script, "sh", Programs.downloader], in: folder)
                }
            }
            for try await outcome in group {
                #expect(outcome.exitCode == 0, "\(outcome.complaint)")
            }
        }
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func aSignalEndsItAndSavesTheRemainder(signal: Int32, code: Int32) async throws {
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: try video()), at: "/v.mp4")
            mount.hold(afterDistinctBytes: 700_000)
            let outcome = try await ProxyProcess.run(in: place, endingWith: signal) { proxy in
                try await play(try proxy.address(of: mount.url), until: 700_000, in: place)
            }
            #expect(outcome.exitCode == code, "\(outcome.complaint)")
            #expect(outcome.output.split(separator: "\n").count == 1)
            #expect(outcome.complaint == "")
            #expect(try await status(in: place).cached_bytes == 700_000)
        }
    }

    /// The signal comes during playback: the connection is cut, and received bytes are kept (T12).
    @Test func aSignalInMidPlaySavesTheRemainder() async throws {
        try await withOrigin { origin in
            let video = try video()
            let first = try video.bytes(in: 0..<900_000)
            let mount = origin.mount(Resource(source: video), at: "/v.mp4")
            mount.hold(afterDistinctBytes: 900_000)
            let outcome = try await ProxyProcess.run(in: place, endingWith: nil) { proxy in
                let url = try proxy.address(of: mount.url)
                let player = try await Programs.run(
                    "/usr/bin/curl", ["-s", "-N", "-o", place.path("out"), url], in: place.url
                ) { _ in
                    try await eventually("the player has what the origin let out") {
                        file("out", in: place, is: first)
                    }
                    proxy.send(SIGTERM)
                }
                // 18: a partial file; 56: the connection was reset.
                #expect([18, 56].contains(player.exitCode))
            }
            #expect(outcome.exitCode == 143, "\(outcome.complaint)")
            #expect(try await status(in: place).cached_bytes == 900_000)
        }
    }

    /// Five videos are opened in a row, and each is left before a threshold has come (T1, T5).
    @Test(arguments: ["rows", "file"])
    func everyByteOfVideosThatAreLeftIsSaved(storage: String) async throws {
        let amounts: [Int64] = [1 << 20, 200 << 10, 100 << 10, 50 << 10, 300 << 10]
        try await withOrigin { origin in
            let mounts = try amounts.enumerated().map { index, amount in
                let mount = origin.mount(
                    Resource(source: try video(UInt64(index))), at: "/\(index).mp4")
                mount.hold(afterDistinctBytes: amount)
                return mount
            }
            try await ProxyProcess.run(in: place, ["--storage", storage]) { proxy in
                for (mount, amount) in zip(mounts, amounts) {
                    try await play(try proxy.address(of: mount.url), until: amount, in: place)
                }
            }
            #expect(try await status(in: place).videos.map(\.cached_bytes) == amounts)
        }
    }

    @Test func twoVideosPlayAtOnceAndOfflineAfterwards() async throws {
        try await withOrigin { origin in
            let videos = [try video(1), try video(2)]
            let mounts = videos.enumerated().map { index, video in
                origin.mount(Resource(source: video, bytesPerSecond: 20e6), at: "/\(index).mp4")
            }
            try await ProxyProcess.run(in: place) { proxy in
                let urls = try mounts.map { try proxy.address(of: $0.url) }
                async let one = curl(["-o", "0", urls[0]], in: place)
                async let other = curl(["-o", "1", urls[1]], in: place)
                #expect(try await one.exitCode == 0)
                #expect(try await other.exitCode == 0)
                for (index, video) in videos.enumerated() {
                    #expect(file("\(index)", in: place, is: try video.bytes(in: 0..<video.length)))
                }
            }
            // Another test's origin was given the port, and answered 404 (1 of 3 runs).
            _ = try await StoppedOrigin.stop(origin)
            try await offline(videos, mounts, in: place)
        }
    }

    /// The second launch is offline: cached parts play, the rest fails with a reason (T10).
    private func offline(
        _ videos: [MemoryVideo], _ mounts: [Mount], in place: Workplace
    ) async throws {
        try await ProxyProcess.run(in: place) { proxy in
            for (mount, video) in zip(mounts, videos) {
                let url = try proxy.address(of: mount.url)
                #expect(try await curl(["-f", "-o", "again", url], in: place).exitCode == 0)
                #expect(file("again", in: place, is: try video.bytes(in: 0..<video.length)))
            }
            let absent = try await curl(
                ["-w", "%{http_code}", try proxy.address(of: mounts[0].url + "?other")], in: place)
            #expect(absent.output.hasSuffix("502"))
            absent.prints("cannot connect")
        }
    }

    /// A video larger than the whole cache plays, and the cache stays within its limit (C6).
    @Test func aVideoLargerThanTheCapacityPlays() async throws {
        try await withOrigin { origin in
            let video = try video()
            let mount = origin.mount(Resource(source: video), at: "/v.mp4")
            try await ProxyProcess.run(in: place, ["--capacity", "1MB"]) { proxy in
                let url = try proxy.address(of: mount.url)
                #expect(try await curl(["-o", "out", url], in: place).exitCode == 0)
                #expect(file("out", in: place, is: try video.bytes(in: 0..<video.length)))
            }
            let cached = try await status(in: place).cached_bytes
            #expect((1...1 << 20).contains(cached))
        }
    }

    /// Two proxies may share a cache folder, as the README says; each serves what the other saved.
    @Test(arguments: ["rows", "file"])
    func twoProxiesShareOneFolder(storage: String) async throws {
        let video = try video()
        let whole = try video.bytes(in: 0..<video.length)
        let options = ["--storage", storage]
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: video, bytesPerSecond: 10e6), at: "/v.mp4")
            try await ProxyProcess.run(in: place, options) { one in
                try await ProxyProcess.run(in: place, options) { other in
                    let urls = try [one, other].map { try $0.address(of: mount.url) }
                    async let first = curl(["-f", "-o", "0", urls[0]], in: place)
                    async let second = curl(["-f", "-o", "1", urls[1]], in: place)
                    #expect(try await first.exitCode == 0)
                    #expect(try await second.exitCode == 0)
                    _ = try await StoppedOrigin.stop(origin)
                    for (index, url) in urls.enumerated() {
                        #expect(file("\(index)", in: place, is: whole))
                        try await curl(["-f", "-o", "again", url], in: place).exits(0)
                        #expect(file("again", in: place, is: whole))
                    }
                }
            }
        }
        // Bytes that both have saved count once (C2).
        #expect(try await status(in: place).cached_bytes == video.length)
    }

    @Test func aPortThatIsTakenIs69() async throws {
        try await ProxyProcess.run(in: place) { proxy in
            let second = try await downloader(
                "proxy", "--cache", "cache2", "--port", proxy.port, in: place, exits: 69)
            #expect(second.output == "")
            #expect(second.complaint.split(separator: "\n").count == 1)
            second.complains("port \(proxy.port) is taken")
        }
    }

    @Test(arguments: [
        ["--threshold", "1KB"], ["--threshold", "few"], ["--port", "65536"],
        ["--capacity", "much"], ["--storage", "tape"], ["--durability", "none"],
    ])
    func aBadOptionIs64(arguments: [String]) async throws {
        let outcome = try await downloader(
            ["proxy", "--cache", "cache"] + arguments, in: place, exits: 64)
        #expect(outcome.output == "")
    }

    @Test func otherHostsCanBeShutOut() async throws {
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: try video()), at: "/v.mp4")
            let allowed = ["--allow-host", "localhost", "--allow-host", "media.example"]
            try await ProxyProcess.run(in: place, allowed) { proxy in
                let other = try await curl(
                    ["-w", "%{http_code}", try proxy.address(of: mount.url)], in: place)
                #expect(other.output.hasSuffix("403"))
                let named = mount.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
                let same = try await curl(
                    ["-w", "%{http_code}", "-o", "out", try proxy.address(of: named)], in: place)
                #expect(same.output == "200")
            }
        }
    }

    /// An allowed host may redirect to one that is not allowed, so redirects are not followed then.
    ///
    /// The test above had this in its name, but no redirect in its body.
    @Test(arguments: [(["--allow-host", "127.0.0.1"], "502"), ([], "200")])
    func redirectsAreFollowedOnlyWhereAllHostsAreAllowed(
        options: [String], code: String
    ) async throws {
        let video = try video()
        try await withOrigin(
            FixtureOrigin(faults: [OriginFault(.redirect, .number(1))])
        ) { origin in
            let mount = origin.mount(Resource(source: video), at: "/v.mp4")
            try await ProxyProcess.run(in: place, options) { proxy in
                let outcome = try await curl(
                    ["-w", "%{http_code}", "-o", "out", try proxy.address(of: mount.url)],
                    in: place)
                #expect(outcome.output == code)
            }
            let played = mount.ledger.filter { $0.status < 300 }
            #expect(played.isEmpty == (code == "502"), "\(mount.ledger)")
            if code == "200" {
                #expect(file("out", in: place, is: try video.bytes(in: 0..<video.length)))
            }
        }
    }
}
