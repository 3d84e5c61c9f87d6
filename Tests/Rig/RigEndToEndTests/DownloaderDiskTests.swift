import Fixture
import FixtureOrigin
import Foundation
import Glibc
import TestSupport
import Testing

/// The downloader's commands where its cache cannot be written, or is no longer the one that was
/// opened (K12 to K14).
@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct DownloaderDiskTests {
    private let place = Workplace()

    private static let length: Int64 = 3 << 20

    /// Serves a video while the body runs.
    private func withVideo(
        _ body: (FixtureVideo, _ url: String) async throws -> Void
    ) async throws {
        let video = try FixtureVideo(seed: 5, length: Self.length)
        try await withOrigin { origin in
            try await body(video, origin.mount(Resource(source: video), at: "/v.mp4").url)
        }
    }

    private func expectSuccess(
        _ arguments: [String], in place: Workplace, as user: String? = nil
    ) async throws {
        let outcome =
            if let user {
                try await Programs.run(
                    "/usr/bin/env",
                    ["setpriv", "--reuid=\(user)", "--clear-groups", Programs.downloader]
                        + arguments, in: place.url)
            } else {
                try await downloader(arguments, in: place)
            }
        #expect(outcome.exitCode == 0, "\(arguments): \(outcome.complaint)")
    }

    /// Plays the video through a proxy over `cache`, which is a link to the disk.
    private func expectToPlay(
        _ video: FixtureVideo, _ url: String, in place: Workplace
    ) async throws {
        try await ProxyProcess.run(in: place) { proxy in
            try await Programs.run(
                "/usr/bin/env", ["curl", "-sf", "-o", "played", try proxy.address(of: url)],
                in: place.url, exits: 0)
        }
        let played = try place.data("played")
        #expect(try [UInt8](played) == video.bytes(in: 0..<Self.length))
    }

    @Test(arguments: ["file", "rows"], ["full", "read only"])
    func whatIsCachedIsThere(storage: String, state: String) async throws {
        let disk = try SmallDisk(state == "full" ? .ext4 : .tmpfs, megabytes: 16)
        try FileManager.default.createSymbolicLink(
            atPath: place.path("cache"), withDestinationPath: disk.path + "/cache")
        try FileManager.default.createDirectory(
            atPath: disk.path + "/cache", withIntermediateDirectories: false)
        try await withVideo { video, url in
            try await expectSuccess(
                ["fetch", url, "--cache", "cache", "--storage", storage], in: place)
            if state == "full" { try disk.fill() } else { try disk.remount("ro") }
            try await expectSuccess(["status", "--cache", "cache"], in: place)
            try await expectSuccess(
                ["export", url, "--cache", "cache", "--output", "v"], in: place)
            let output = try place.data("v")
            #expect(try [UInt8](output) == video.bytes(in: 0..<Self.length))
            try await expectSuccess(["fetch", url, "--cache", "cache"], in: place)
            try await expectToPlay(video, url, in: place)
            // A second video is played, and not saved.
            try await expectToPlay(video, url + "?other", in: place)
            guard state == "full" else { return }
            try await expectSuccess(["clear", url, "--cache", "cache"], in: place)
            #expect(disk.freeBytes > Self.length / 2)
        }
    }

    /// It was told as an absent one, with the advice to fetch a video into it.
    @Test func aFolderThatMayNotBeEnteredIsNoAbsentOne() async throws {
        for (name, mode) in [("", 0o755), ("cache", 0o700)] {
            try place.makeFolder(name)
            chmod(place.path(name), mode_t(mode))
        }
        for command in [["status", "--cache"], ["library", "list", "--library"]] {
            try await Programs.run(
                "/usr/bin/env",
                ["setpriv", "--reuid=1000", "--clear-groups", Programs.downloader] + command
                    + ["cache"], in: place.url, exits: 74, complains: "Permission denied")
        }
    }

    /// A list that could not be replaced was not shown either.
    @Test(arguments: ["full", "read only"])
    func aSavedListIsShownBesideAFeed(state: String) async throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 4)
        let library = disk.path + "/library"
        let origin = LibraryOrigin()
        try await origin.serving { address in
            let feed = ["--feed", address + "/feed", "--library", library]
            try await expectSuccess(["library", "refresh"] + feed, in: place)
            if state == "full" { try disk.fill() } else { try disk.remount("ro") }
            let outcome = try await downloader(["library", "list"] + feed, in: place, exits: 0)
            outcome.complains("this is the saved list")
            #expect(outcome.output.hasPrefix("1.0"), "\(outcome.output)")
        }
    }

    @Test(arguments: ["file", "rows"])
    func anotherUsersStatusLocksNobodyOut(storage: String) async throws {
        for (name, mode) in [("", 0o755), ("cache", 0o777)] {
            try place.makeFolder(name)
            chmod(place.path(name), mode_t(mode))
        }
        try await withVideo { _, url in
            let fetch = ["fetch", url, "--cache", "cache", "--storage", storage]
            try await expectSuccess(fetch, in: place, as: "1000")
            try await expectSuccess(["status", "--cache", "cache"], in: place, as: "1001")
            // What is complete needs no write.
            try await expectSuccess(fetch, in: place, as: "1001")
            try await expectSuccess(
                ["fetch", url + "?2", "--cache", "cache"], in: place, as: "1000")
        }
    }
}
