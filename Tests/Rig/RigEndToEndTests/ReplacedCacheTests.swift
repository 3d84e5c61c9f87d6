import Fixture
import FixtureOrigin
import Foundation
import TestSupport
import Testing

/// A cache's folder is another one than it was, under a program that uses it or between two of them.
@Suite struct ReplacedCacheTests {
    private let place = Workplace()

    private static let length: Int64 = 3 << 20

    private func videos(_ count: Int) throws -> [MemoryVideo] {
        try (1...count).map {
            try MemoryVideo(copying: FixtureVideo(seed: UInt64($0), length: Self.length))
        }
    }

    private func export(_ url: String, is bytes: [UInt8], in place: Workplace) async throws {
        try await downloader(
            "export", url, "--cache", "cache", "--output", "out", in: place, exits: 0)
        #expect(place.file("out", is: Data(bytes)))
    }

    /// Removes the folder at once, whatever is still written there.
    private func removeCache(in place: Workplace) throws {
        try FileManager.default.moveItem(atPath: place.path("cache"), toPath: place.path("other"))
        try place.remove("other")
    }

    /// The proxy's eviction removed a file of the cache that had begun in the place of its own (K13).
    @Test(arguments: Nightly.cases(["file", "rows"], usual: 1))
    func aProxyLeavesTheNewCacheAlone(storage: String) async throws {
        let videos = try videos(4)
        let wholes = try videos.map { try $0.bytes(in: 0..<Self.length) }
        let form = ["--storage", storage]
        try await withOrigin { origin in
            let urls = videos.enumerated().map { index, video in
                origin.mount(Resource(source: video), at: "/\(index).mp4").url
            }
            let options = form + ["--capacity", "4MB"]
            let outcome = try await ProxyProcess.run(in: place, options) { proxy in
                try await proxy.play(urls[0], in: place)
                try await eventually("all of it is saved") {
                    try proxy.status().cached_bytes == Self.length
                }
                try removeCache(in: place)
                try await downloader(
                    ["fetch", urls[1], "--cache", "cache", "--quiet"] + form, in: place, exits: 0)
                // More than its capacity, and what it had.
                for index in [2, 3, 0] {
                    try await proxy.play(urls[index], in: place)
                    #expect(place.file("played", is: Data(wholes[index])))
                }
                #expect(try proxy.status().cached_bytes == 0)
            }
            // It is said once.
            let parts = outcome.complaint.components(separatedBy: "removed or replaced")
            #expect(parts.count == 2, "\(outcome.complaint)")
            outcome.complains("playing goes on, and nothing is saved meanwhile")
            try await export(urls[1], is: wholes[1], in: place)
            #expect(try await place.cachedBytes() == Self.length)
        }
    }

    /// Nothing is made in the place of what was removed, and what was moved is not lost (K13).
    @Test(arguments: Nightly.pairs(["moved", "removed"], ["file", "rows"]))
    func aFetchEndsWithAnError(how: String, storage: String) async throws {
        let whole = try videos(1)[0]
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: whole), at: "/v.mp4")
            mount.hold(afterDistinctBytes: Self.length / 2)
            let fetch = [
                "fetch", mount.url, "--cache", "cache", "--storage", storage, "--quiet",
                "--threshold", "256KB",
            ]
            let outcome = try await Programs.run(Programs.downloader, fetch, in: place.url) { _ in
                try await eventually("the origin holds, and some is saved") {
                    guard mount.heldBodies > 0 else { return false }
                    return try await place.cachedBytes() >= 1 << 20
                }
                if how == "removed" {
                    try removeCache(in: place)
                } else {
                    try FileManager.default.moveItem(
                        atPath: place.path("cache"), toPath: place.path("other"))
                }
                mount.release()
            }
            outcome.exits(75, inOneLine: "removed or replaced while it was in use; start again")
            #expect(!place.has("cache"))
            if how == "moved" {
                try FileManager.default.moveItem(
                    atPath: place.path("other"), toPath: place.path("cache"))
                #expect(try await place.cachedBytes() >= 1 << 20)
            }
            try await downloader(fetch, in: place, exits: 0)
            try await export(mount.url, is: whole.bytes(in: 0..<Self.length), in: place)
        }
    }

    /// Fetches until so much of the video has come and been saved, and ends the fetch then.
    private func fetch(
        _ mount: Mount, until count: Int64, storage: String, endingWith signal: Int32,
        exits code: Int32?, in place: Workplace
    ) async throws {
        mount.hold(afterDistinctBytes: count)
        try await downloader.end(
            [
                "fetch", mount.url, "--cache", "cache", "--storage", storage, "--quiet",
                "--threshold", "256KB",
            ], in: place, by: signal, exits: code, once: "so much is saved"
        ) {
            guard mount.heldBodies > 0 else { return false }
            return try await place.cachedBytes() >= count - (512 << 10)
        }
        mount.release()
        try await eventually("no answer is under way") {
            mount.ledger.allSatisfy { $0.state != .running }
        }
    }

    /// An index from a backup, beside the newer log of a killed fetch (K14).
    ///
    /// A fetch called the video complete, and the export found it damaged; or each command said for
    /// ever that this is no cache, `clear --all` too.
    @Test(arguments: Nightly.pairs(["fetch", "clear", "proxy"], ["file", "rows"]))
    func anOlderIndexIsNoticed(first command: String, storage: String) async throws {
        let whole = try videos(1)[0]
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: whole), at: "/v.mp4")
            func fetch(_ quarters: Int64, _ signal: Int32, _ code: Int32?) async throws {
                try await self.fetch(
                    mount, until: quarters * Self.length / 4, storage: storage,
                    endingWith: signal, exits: code, in: place)
            }
            try await fetch(1, SIGTERM, 143)
            try await Programs.run("/bin/cp", ["-r", "cache", "backup"], in: place.url, exits: 0)
            try await fetch(2, SIGTERM, 143)
            try await fetch(3, SIGKILL, nil)
            let index = ["backup/cache.sqlite", "cache/cache.sqlite"]
            try await Programs.run("/bin/cp", index, in: place.url, exits: 0)
            switch command {
            case "proxy":
                try await ProxyProcess.run(in: place) { try await $0.play(mount.url, in: place) }
                #expect(place.file("played", is: Data(try whole.bytes(in: 0..<Self.length))))
            case "clear":
                try await downloader("clear", "--all", "--cache", "cache", in: place, exits: 0)
                #expect(try await place.cachedBytes() == 0)
            default: break
            }
            try await downloader(
                "fetch", mount.url, "--cache", "cache", "--quiet", in: place, exits: 0)
            try await export(mount.url, is: whole.bytes(in: 0..<Self.length), in: place)
        }
    }
}
