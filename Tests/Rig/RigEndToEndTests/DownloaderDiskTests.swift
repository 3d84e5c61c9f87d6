import Foundation
import Glibc
import TestSupport
import Testing

/// The downloader's commands where its cache cannot be written, or is no longer the one that was
/// opened (K12 to K14).
@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct DownloaderDiskTests {
    private let place = Workplace()

    /// Runs the downloader as another user.
    @discardableResult
    private func run(as user: String, _ arguments: [String], exits code: Int32 = 0) async throws
        -> Programs.Outcome
    {
        try await Programs.run(
            "/usr/bin/env",
            ["setpriv", "--reuid=\(user)", "--clear-groups", Programs.downloader] + arguments,
            in: place.url, exits: code)
    }

    /// Plays the video through a proxy over `cache`, which is a link to the disk.
    private func expectToPlay(_ whole: Data, _ url: String) async throws {
        try await ProxyProcess.run(in: place) { try await $0.play(url, in: place) }
        #expect(place.file("played", is: whole))
    }

    /// Makes the test's folder, and `cache` in it, with permissions.
    private func makeCache(_ mode: mode_t) throws {
        try place.makeFolder("cache")
        chmod(place.url.path, 0o755)
        chmod(place.path("cache"), mode)
    }

    @Test(arguments: Nightly.pairs(["file", "rows"], ["full", "read only"]))
    func whatIsCachedIsThere(storage: String, state: String) async throws {
        let disk = try SmallDisk(state == "full" ? .ext4 : .tmpfs, megabytes: 16)
        try FileManager.default.createSymbolicLink(
            atPath: place.path("cache"), withDestinationPath: disk.path + "/cache")
        try FileManager.default.createDirectory(
            atPath: disk.path + "/cache", withIntermediateDirectories: false)
        try await withVideo(seed: 5) { whole, url in
            let cache = ["--cache", "cache"]
            try await downloader(["fetch", url, "--storage", storage] + cache, in: place, exits: 0)
            if state == "full" { try disk.fill() } else { try disk.remount("ro") }
            try await downloader(["status"] + cache, in: place, exits: 0)
            try await downloader(["export", url, "--output", "v"] + cache, in: place, exits: 0)
            #expect(place.file("v", is: whole))
            try await downloader(["fetch", url] + cache, in: place, exits: 0)
            try await expectToPlay(whole, url)
            let other = try await downloader(["fetch", url + "?other"] + cache, in: place)
            if state == "full" {
                other.exits(74, inOneLine: "no room left")
            } else {
                other.exits(73, inOneLine: "cannot be written")
            }
            // A second video is played, and not saved.
            try await expectToPlay(whole, url + "?other")
            guard state == "full" else { return }
            try await downloader(["clear", url] + cache, in: place, exits: 0)
            #expect(disk.freeBytes > Int64(whole.count) / 2)
        }
    }

    /// It was told as an absent one, with the advice to fetch a video into it.
    @Test func aFolderThatMayNotBeEnteredIsNoAbsentOne() async throws {
        try makeCache(0o700)
        for command in [["status", "--cache"], ["library", "list", "--library"]] {
            try await run(as: "1000", command + ["cache"], exits: 74)
                .complains("Permission denied")
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
            try await downloader(["library", "refresh"] + feed, in: place, exits: 0)
            if state == "full" { try disk.fill() } else { try disk.remount("ro") }
            let outcome = try await downloader(["library", "list"] + feed, in: place, exits: 0)
            outcome.complains("this is the saved list")
            #expect(outcome.output.hasPrefix("1.0"), "\(outcome.output)")
        }
    }

    @Test(arguments: ["file", "rows"])
    func anotherUsersStatusLocksNobodyOut(storage: String) async throws {
        try makeCache(0o777)
        try await withVideo(seed: 5) { _, url in
            let fetch = ["fetch", url, "--cache", "cache", "--storage", storage]
            try await run(as: "1000", fetch)
            try await run(as: "1001", ["status", "--cache", "cache"])
            // What is complete needs no write.
            try await run(as: "1001", fetch)
            try await run(as: "1000", ["fetch", url + "?2", "--cache", "cache"])
        }
    }
}
