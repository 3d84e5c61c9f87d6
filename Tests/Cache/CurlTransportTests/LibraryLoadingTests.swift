import Foundation
import OfflineLibrary
import Synchronization
import Testing
import TestSupport
import VideoCache

@testable import CurlTransport

/// The library's list and images over a real socket (O5, O6).
@Suite struct LibraryLoadingTests {
    private static let id = "6B29FC40-CA47-1067-B31D-00DD010662DA"

    private static func feed(_ origin: String, image: String) -> Reply {
        let json = """
            {"videos": [{"id": "\(id)", "title": "t", "url": "\(origin)/v.mp4",
                         "thumbnail_url": "\(origin)\(image)"}]}
            """
        return Reply(headers: ["Content-Type": "application/json"], body: Array(json.utf8))
    }

    private final class Diary: CacheObserver, RequestObserver {
        private let lines = Mutex<[String]>([])

        var entries: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
        func entered(_ phase: CachePhase) { note(phase.rawValue) }
        func requestBegan(url: String, start: Int64) -> any RequestObserver {
            note("began at \(start)")
            return self
        }
        func received(_ count: Int) { note("received \(count)") }
        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            note("acknowledged \(acknowledged), stored \(stored)")
        }
        func ended(_ end: RequestEnd) {
            switch end {
            case .complete: note("ended")
            case .cancelled: note("ended by cancel")
            case .failed: note("ended by failure")
            }
        }
    }

    private func remote(_ url: String, _ observer: any CacheObserver) -> RemoteVideoListLoader {
        RemoteVideoListLoader(url: url, transport: CurlTransport(), observer: observer)
    }

    @Test func aRequestIsAcknowledgedOnceItsListIsSaved() throws {
        let reply = Self.feed("http://h", image: "/t.jpg")
        let origin = try TestOrigin { _ in reply }
        let diary = Diary()
        let videos = try remote(origin.url, diary).load { _ in diary.note("saved") }
        #expect(videos.map(\.id.uuidString) == [Self.id])
        let size = reply.body.count
        #expect(
            diary.entries == [
                "began at 0", "connecting", "received \(size)", "receiving", "committing",
                "saved", "acknowledged \(size), stored \(size)", "completing", "ended",
            ])
    }

    @Test func aListThatCannotBeSavedIsNotAcknowledged() throws {
        let reply = Self.feed("http://h", image: "/t.jpg")
        let origin = try TestOrigin { _ in reply }
        let diary = Diary()
        #expect(throws: LibraryError.listExists) {
            try remote(origin.url, diary).load { _ in throw LibraryError.listExists }
        }
        #expect(diary.entries.last == "ended by failure")
        #expect(!diary.entries.contains { $0.hasPrefix("acknowledged") })
    }

    @Test func whatTheOriginGetsWrongIsNamedAndNotSaved() throws {
        let good = Self.feed("http://h", image: "/t.jpg")
        var (missing, partial, html, encoded, short) = (good, good, good, good, good)
        missing.status = 404
        partial.status = 206
        html.body = Array("<html>".utf8)
        encoded.headers["Content-Encoding"] = "gzip"
        short.sendsOnly = 20
        let table: [(Reply, @Sendable (any Error) -> Bool)] = [
            (missing, { if case .status(_, 404) = $0 as? DownloadError { true } else { false } }),
            (partial, { if case .status(_, 206) = $0 as? DownloadError { true } else { false } }),
            (html, { if case .notJSON = $0 as? FeedError { true } else { false } }),
            (encoded, { if case .encoded = $0 as? DownloadError { true } else { false } }),
            (short, { if case .truncated = $0 as? TransportError { true } else { false } }),
        ]
        for (reply, isRight) in table {
            let origin = try TestOrigin { _ in reply }
            #expect(
                performing: {
                    _ = try remote(origin.url, SilentObserver()).load { _ in Issue.record("saved") }
                }, throws: { isRight($0) && "\($0)".contains(origin.url) })
        }
    }

    /// The size is announced, or found out while reading.
    @Test(arguments: [false, true]) func aBodyThatIsTooLargeIsRefused(isChunked: Bool) throws {
        let body = [UInt8](repeating: 0x20, count: VideoFeed.maximumBytes + 1)
        let origin = try TestOrigin { _ in Reply(body: body, isChunked: isChunked) }
        let limit = VideoFeed.maximumBytes
        #expect(throws: FeedError.tooLarge(url: origin.url, limit: limit)) {
            try remote(origin.url, SilentObserver()).load()
        }
    }

    @Test func aSilentOriginIsLeftWhenCancelled() throws {
        var reply = Self.feed("http://h", image: "/t.jpg")
        reply.sendsOnly = 10
        reply.fallsSilent = true
        let origin = try TestOrigin { [reply] _ in reply }
        let cancellation = Cancellation()
        let diary = Diary()
        let loader = RemoteVideoListLoader(
            url: origin.url, transport: CurlTransport(), observer: diary,
            cancellation: cancellation)
        let load = Background { _ = try loader.load() }
        try blockUntil("ten bytes are received") { diary.entries.contains("received 10") }
        cancellation.cancel()
        #expect(throws: TransportError.cancelled) { try load.value() }
        #expect(diary.entries.suffix(2) == ["cancelling", "ended by cancel"])
    }

    /// An origin with a feed, and images that differ by their path; `/gone…` is missing.
    private static func gallery(_ images: [String]) throws -> TestOrigin {
        try TestOrigin { request in Self.reply(to: request, images: images) }
    }

    private static func reply(to request: SeenRequest, images: [String]) -> Reply {
        if request.path == "/v.mp4" {
            let items = images.enumerated().map { index, path in
                """
                {"id": "6B29FC40-CA47-1067-B31D-00DD0106620\(index)", "title": "",
                 "url": "http://h/v", "thumbnail_url": "http://\(request.headers["host"] ?? "")\(path)"}
                """
            }
            return Reply(body: Array("{\"videos\": [\(items.joined(separator: ","))]}".utf8))
        }
        if request.path.hasPrefix("/gone") { return Reply(status: 404) }
        return Reply(body: videoBytes(30_000, seed: UInt64(request.path.utf8.count)))
    }

    @Test func aRefreshBringsTheListAndTheImagesThatAreMissing() throws {
        // 4,000 characters would exceed the length of the documents' file name.
        let long = "/" + String(repeating: "t", count: 4000)
        let origin = try Self.gallery(["/a", long, "/gone", "/a", "/ab"])
        let place = try TemporaryCache()
        let library = LocalVideoLibrary(
            store: InMemoryVideoStore(), now: { Date(timeIntervalSince1970: 1_795_000_000) })
        let store = try FileImageStore(folder: place.folder)
        let images = RemoteImageLoader(transport: CurlTransport())
        let refresh = LibraryRefresh(
            videos: SavingVideoListLoader(
                remote(origin.url, SilentObserver()), into: library),
            images: images, store: store)
        let host = origin.url.replacingOccurrences(of: "/v.mp4", with: "")

        var summary = try refresh.run()
        #expect(summary.videos == 5)
        #expect(summary.fetchedImages == 3)
        #expect(summary.keptImages == 0)
        #expect(summary.failures.map(\.url) == [host + "/gone"])
        #expect(try library.load().count == 5)
        for path in ["/a", long, "/ab"] {
            #expect(
                try store.image(host + path)
                    == Data(videoBytes(30_000, seed: UInt64(path.utf8.count))))
        }
        #expect(try store.image(host + "/gone") == nil)

        summary = try refresh.run()
        #expect(summary.fetchedImages == 0)
        #expect(summary.keptImages == 3)
        summary = try refresh.run(.all)
        #expect(summary.fetchedImages == 3)
        #expect(origin.requests.map(\.path).filter { $0 == "/a" }.count == 2)
    }

    private final class Shown: Sendable {
        let images: Mutex<[String]>

        init(_ images: [String]) { self.images = Mutex(images) }
    }

    /// Images of videos that had left the list stayed for ever; what is no image stays.
    @Test func imagesThatNoListNamesAnyMoreAreRemoved() async throws {
        let shown = Shown(["/a", "/ab", "/abc"])
        let origin = try TestOrigin { request in
            Self.reply(to: request, images: shown.images.withLock(\.self))
        }
        let host = origin.url.replacingOccurrences(of: "/v.mp4", with: "")
        let place = try TemporaryCache()
        let stranger = place.folder + "/images/notes.txt"
        let library = try OfflineLibrary(folder: place.folder) {
            Date(timeIntervalSince1970: 1_795_000_000)
        }
        let feed = try #require(URL(string: origin.url))
        var summary = try await library.refresh(from: feed, by: CurlTransport())
        #expect(summary.fetchedImages == 3 && summary.removedImages == 0)
        try Data().write(to: URL(fileURLWithPath: stranger))
        shown.images.withLock { $0 = ["/ab", "/abcd"] }
        summary = try await library.refresh(from: feed, by: CurlTransport())
        #expect(summary.fetchedImages == 1 && summary.keptImages == 1)
        #expect(summary.removedImages == 2)
        for (path, isThere) in [("/a", false), ("/ab", true), ("/abc", false), ("/abcd", true)] {
            let image = try await library.image(host + path)
            #expect((image != nil) == isThere, "\(path)")
        }
        #expect(FileManager.default.fileExists(atPath: stranger))
        // Offline.
        origin.stop()
        #expect(try await library.videos().map(\.thumbnailURL) == [host + "/ab", host + "/abcd"])
        await #expect(throws: TransportError.self) {
            try await library.refresh(from: feed, by: CurlTransport())
        }
        #expect(try await library.image(host + "/ab") != nil)
        try await library.clear()
        #expect(try await library.videos() == [])
        #expect(try await library.state() == .absent)
        #expect(try await library.image(host + "/ab") == nil)
        try await library.close()
    }

    /// A task that is cancelled must not wait for a silent origin.
    @Test func cancellingTheTaskEndsARefresh() async throws {
        var reply = Self.feed("http://h", image: "/t.jpg")
        reply.sendsOnly = 10
        reply.fallsSilent = true
        let origin = try TestOrigin { [reply] _ in reply }
        let place = try TemporaryCache()
        let diary = Diary()
        let library = try OfflineLibrary(folder: place.folder) { Date(timeIntervalSince1970: 0) }
        let feed = try #require(URL(string: origin.url))
        let task = Task {
            _ = try await library.refresh(from: feed, by: CurlTransport(), observer: diary)
        }
        try await eventually("ten bytes are received") { diary.entries.contains("received 10") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await library.close()
    }

    /// An empty answer, or a part of an image, was kept for good, and replaced an image that was there.
    ///
    /// So did a page that asked for a login.
    @Test(
        arguments: [
            (Reply(), .empty), (Reply(isChunked: true), .empty),
            (Reply(headers: ["ETag": "\"v\""]), .empty),
            (
                Reply(headers: ["Content-Range": "bytes 0-999/50000"], body: videoBytes(1000)),
                .part("bytes 0-999/50000")
            ),
            (
                Reply(headers: ["Content-Range": "bytes 0-999/*"], body: videoBytes(1000)),
                .part("bytes 0-999/*")
            ),
            (
                Reply(
                    headers: ["Content-Type": "multipart/byteranges; boundary=b"],
                    body: videoBytes(1000)),
                .part("multipart/byteranges")
            ),
            (
                Reply(headers: ["Content-Type": "text/html"], body: Array("log in first".utf8)),
                .otherKind(type: "text/html")
            ),
            (
                Reply(
                    headers: ["Content-Type": "application/json; charset=utf-8"],
                    body: Array("log in first".utf8)),
                .otherKind(type: "application/json; charset=utf-8")
            ),
        ] as [(Reply, DownloadError.Unlikeness)])
    func whatIsNoWholeIsNoImage(reply: Reply, answer: DownloadError.Unlikeness) throws {
        let origin = try TestOrigin { _ in reply }
        let place = try TemporaryCache()
        let store = try FileImageStore(folder: place.folder)
        let image = Data(videoBytes(5000))
        try store.save(image, url: origin.url)
        let loader = RemoteImageLoader(transport: CurlTransport())
        #expect(throws: DownloadError.notTheVideo(url: origin.url, answer: answer)) {
            try loader.load(origin.url) { try store.save($0, url: origin.url) }
        }
        #expect(try store.image(origin.url) == image)
    }

    @Test func aWholeInOtherWordsIsAnImage() throws {
        let body = videoBytes(1000)
        for reply in [
            Reply(status: 203, body: body),
            Reply(headers: ["Content-Range": "bytes 0-999/1000"], body: body),
        ] {
            let origin = try TestOrigin { _ in reply }
            let loader = RemoteImageLoader(transport: CurlTransport())
            #expect(try loader.load(origin.url) == Data(body))
        }
    }

    /// It said "answered 503" alone, and not for how long the origin wants to be left alone.
    @Test func howLongAnOriginIsBusyIsSaid() throws {
        let origin = try TestOrigin { _ in Reply(status: 503, headers: ["Retry-After": "90"]) }
        #expect(throws: DownloadError.busy(url: origin.url, code: 503, seconds: 90)) {
            try RemoteImageLoader(transport: CurlTransport()).load(origin.url)
        }
    }
}
