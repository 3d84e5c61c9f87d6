import Foundation
import GRDB
import Testing
import TestSupport
import Witness

/// `downloader library` as a user runs it.
@Suite struct LibraryTests {
    private let place = Workplace()

    private func library(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Programs.Outcome {
        try await downloader(
            ["library"] + arguments, "--library", "lib", in: place, environment: environment)
    }

    private func refresh(
        _ origin: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> Programs.Outcome {
        try await library(
            ["refresh", "--feed", origin + "/feed"] + arguments, environment: environment)
    }

    private struct Listing: Decodable {
        struct Video: Decodable {
            let title: String
            let thumbnail_path: String?
        }

        let state: String
        let timestamp: String?
        let videos: [Video]
    }

    private func listing(_ arguments: [String] = [], exitCode: Int32 = 0) async throws -> Listing {
        let outcome = try await library(["list", "--json"] + arguments).exits(exitCode)
        return try JSONDecoder().decode(Listing.self, from: Data(outcome.output.utf8))
    }

    @Test func aSavedListAndItsImagesNeedNoOrigin() async throws {
        let origin = LibraryOrigin()
        try await origin.serving { address in
            let outcome = try await refresh(address).exits(0)
            #expect(
                outcome.complaint == "saved a list of 3 videos; 3 images fetched, 0 were there\n")
            // The second time there is another list, with images that are stored already.
            try await refresh(address).exits(0, inOneLine: "0 images fetched, 3 were")
            #expect(try await listing(["--feed", address + "/feed"]).videos.count == 5)
        }
        try await refresh("http://127.0.0.1:9").exits(69, inOneLine: "http://127.0.0.1:9/feed")
        let list = try await listing()
        #expect(list.state == "valid")
        #expect(list.videos.map(\.title) == ["3.0", "3.1", "3.2", "3.3", "3.4"])
        for (index, video) in list.videos.enumerated() {
            let path = place.path(video.thumbnail_path ?? "none")
            let image = LibraryOrigin.image("/image/\(index % 3)")
            #expect(FileManager.default.contents(atPath: path) == image)
        }
        // The remote list first, and the saved one if that fails.
        try await library(["list", "--feed", "http://127.0.0.1:9/feed"])
            .exits(0, inOneLine: "this is the saved list").prints("3.4, 4.5 s\n")
    }

    @Test func whatIsClearedIsGoneAndNoMore() async throws {
        let origin = LibraryOrigin()
        try await origin.serving { address in
            #expect(try await refresh(address, ["--quiet"]).complaint == "")
            #expect(try await library(["clear", "--images"]).exitCode == 0)
            let list = try await listing()
            #expect(list.videos.count == 3)
            #expect(list.videos.allSatisfy { $0.thumbnail_path == nil })
            #expect(try await refresh(address, ["--durability", "power"]).exitCode == 0)
            #expect(try await library(["clear", "--list"]).exitCode == 0)
            #expect(try LibraryReading(folder: place.path("lib")).imageFiles().count == 3)
            #expect(try await listing(exitCode: 66).state == "absent")
            try await library(["list"]).exits(66, inOneLine: "holds no list")
            try await refresh(address).exits(0)
            #expect(try await library(["clear"]).exitCode == 0)
            #expect(try await listing(exitCode: 66).videos.isEmpty)
            #expect(try LibraryReading(folder: place.path("lib")).imageFiles().isEmpty)
        }
    }

    @Test func anExpiredListIsNotShown() async throws {
        let origin = LibraryOrigin()
        try await origin.serving { address in try await refresh(address).exits(0) }
        let reading = LibraryReading(folder: place.path("lib"))
        try await reading.connection().write {
            try $0.execute(sql: "UPDATE library SET timestamp = timestamp - 8 * 86400")
        }
        try await library(["list"]).exits(65, inOneLine: "is expired")
        let list = try await listing(exitCode: 65)
        #expect(list.state == "expired")
        #expect(list.timestamp != nil)
        #expect(list.videos.isEmpty)
    }

    @Test func anImageThatIsNotThereCostsNeitherTheListNorTheOthers() async throws {
        let origin = LibraryOrigin()
        origin.feed.imagePaths = ["/gone", "/image/1"]
        try await origin.serving { address in
            try await refresh(address)
                .exits(69, inOneLine: "1 of its images could not be fetched")
                .complains("/gone answered 404")
        }
        #expect(
            try await listing().videos.map { $0.thumbnail_path != nil } == [false, true, false])
    }

    @Test func aBadFeedLeavesTheListAsItIs() async throws {
        let origin = LibraryOrigin()
        try await origin.serving { address in
            try await refresh(address).exits(0)
            origin.feed.body = "<html>"
            try await refresh(address).exits(69, inOneLine: "is not JSON")
            try await library(["refresh", "--feed", address + "/nothing"])
                .exits(69, inOneLine: "answered 404")
        }
        #expect(try LibraryReading(folder: place.path("lib")).generation() == 1)
    }

    @Test(arguments: [
        ["refresh"], ["refresh", "--feed", "file:///etc/passwd"], ["refresh", "--feed", ""],
        ["refresh", "--feed", "http://127.0.0.1:9/f", "--repeat", "0"],
        ["refresh", "--feed", "http://127.0.0.1:9/f", "--repeat", "always"],
        ["refresh", "--feed", "http://127.0.0.1:9/f", "--durability", "none"],
        ["list", "--feed", "ftp://h/f"], ["clear", "--all"],
    ])
    func badUsageIs64AndTouchesNothing(arguments: [String]) async throws {
        #expect(try await library(arguments).exitCode == 64)
        #expect(!place.has("lib"))
    }

    @Test(arguments: ["list", "clear"])
    func aLibraryThatIsNotThereIs66(command: String) async throws {
        try await library([command]).exits(66, inOneLine: "there is no library")
        #expect(!place.has("lib"))
    }

    @Test func whatIsNoLibraryIsLeftAsItIs() async throws {
        let feed = ["refresh", "--feed", "http://127.0.0.1:9/f"]
        try Data("mine".utf8).save(as: "lib", in: place)
        try await library(feed).exits(73, inOneLine: "cannot create lib")
        try place.remove("lib")
        try place.makeFolder("lib")
        let file = place.url.appendingPathComponent("lib/library.sqlite")
        try Data("my diary, which is not a database".utf8).write(to: file)
        for command in [feed, ["list"], ["clear"]] {
            try await library(command).exits(65, inOneLine: "no database")
        }
        try FileManager.default.removeItem(at: file)
        try await DatabaseQueue(path: file.path).write {
            try $0.execute(sql: "CREATE TABLE library (id INTEGER); PRAGMA user_version = 2")
        }
        for command in [feed, ["list"], ["clear"]] {
            try await library(command).exits(65, inOneLine: "newer than 1")
        }
    }

    /// An escape sequence in a title went to the terminal as it was.
    @Test func noTitleSteersTheTerminal() async throws {
        let origin = LibraryOrigin()
        origin.feed.body = #"""
            {"videos": [{"id": "6B29FC40-CA47-1067-B31D-00DD010662DA", "url": "http://h/v",
                         "title": "a\u001b[31m\u009b\nfilm"}]}
            """#
        try await origin.serving { address in try await refresh(address).exits(0) }
        #expect(try await library(["list"]).output.hasPrefix("a?[31m??film\n"))
        #expect(try await listing().videos.map(\.title) == ["a\u{1B}[31m\u{9B}\nfilm"])
    }

    @Test func theWitnessTellsEachRequestAndItsCommit() async throws {
        let page = place.path("witness")
        let origin = LibraryOrigin()
        try await origin.serving { address in
            try await refresh(address, environment: ["RIG_WITNESS": page]).exits(0)
            let records = try WitnessReader(path: page).records
            let paths = ["/feed", "/image/0", "/image/1", "/image/2"]
            #expect(
                records.map(\.resource) == paths.map { WitnessLayout.resource(of: address + $0) })
        }
        let witness = try WitnessReader(path: page)
        #expect(witness.phase == .idle)
        #expect(witness.commits == 4)
        #expect(witness.requestsBegun == 4)
        #expect(witness.records.allSatisfy { !$0.isActive && $0.start == 0 })
        #expect(witness.records.allSatisfy { $0.received == $0.acknowledged })
        #expect(witness.records.dropFirst().map(\.received) == [200_000, 200_000, 200_000])
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func aRequestToEndIsObeyedAndTheLastListStays(signal: Int32, code: Int32) async throws {
        let origin = LibraryOrigin()
        try await origin.serving { address in
            try await downloader.end(
                [
                    "library", "refresh", "--feed", address + "/feed", "--library", "lib",
                    "--repeat", "forever",
                ], in: place, by: signal, exits: code, once: "three lists are served"
            ) { origin.feed.generation > 3 }
        }
        #expect(try LibraryReading(folder: place.path("lib")).generation() >= 3)
        #expect(try LibraryReading(folder: place.path("lib")).imageFiles().count == 3)
    }
}
