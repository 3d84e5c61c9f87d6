import Foundation
import Synchronization
import Testing

@testable import VideoCache

/// Parts that nothing shows to be of the cached version were joined to it, exit code 0.
///
/// The validator had gone, or was a date without a length; and where each answer had a tag of its own,
/// every seek of a player dropped what was cached.
@Suite("A part without proof is compared with what is kept (K3, K19)")
struct UnprovenPartTests {
    private static let date = "Fri, 01 Mar 2024 10:00:00 GMT"
    private static let old = videoBytes(600_000, seed: 1)
    private static let stranger = videoBytes(600_000, seed: 2)
    private let folder = TemporaryFolder()
    private let cache: VideoCache
    private let url = "http://127.0.0.1/v.mp4"

    init() throws { cache = try VideoCache(folder: folder.path) }

    private func fetch(_ origin: AnsweringTransport) throws -> DownloadSummary {
        try Download(url: url, cache: cache, transport: origin).run()
    }

    private func loader(_ origin: AnsweringTransport) -> VideoLoader {
        VideoLoader(cache: cache, transport: origin, options: .init(retry: .none))
    }

    private func keepHalf(_ validator: [String: String], of bytes: [UInt8] = Self.old) throws {
        let origin = AnsweringTransport { request, number in
            let answer = AnsweringTransport.Answer.heedless(request, bytes, validator)
            return number == 0 ? answer : answer.cut(after: 300_000, by: .timedOut(url: ""))
        }
        #expect(throws: TransportError.self) { try fetch(origin) }
        #expect(try cache.cachedBytes(of: url) == 300_000)
    }

    private func expectWhole(_ bytes: [UInt8]) throws {
        #expect(try cache.beginning(of: url).elementsEqual(bytes))
    }

    static let validators = [["ETag": "\"v1\""], ["Last-Modified": date]]

    @Test("a twin without a validator is fetched whole", arguments: validators)
    func twin(validator: [String: String]) throws {
        try keepHalf(validator)
        let origin = AnsweringTransport { request, _ in .heedless(request, Self.stranger, [:]) }
        #expect(try fetch(origin).isComplete)
        try expectWhole(Self.stranger)
        #expect(origin.ranges.last == "whole")
    }

    @Test("a player gets nothing of the twin", arguments: validators)
    func twinForAPlayer(validator: [String: String]) throws {
        try keepHalf(validator)
        let loader = loader(
            AnsweringTransport { request, _ in .heedless(request, Self.stranger, [:]) })
        let played = loader.reader(of: url, range: nil).played()
        #expect(played.failure as? DownloadError == .changed(url: url))
        #expect(played.bytes.elementsEqual(Self.old.prefix(played.bytes.count)))
        #expect(loader.reader(of: url, range: nil).played().bytes.elementsEqual(Self.stranger))
        loader.close()
    }

    /// Many servers leave the validator out of a 206, because the condition names it.
    @Test("the same version goes on, although its parts have no validator", arguments: validators)
    func same(validator: [String: String]) throws {
        try keepHalf(validator)
        let origin = AnsweringTransport { request, _ in .heedless(request, Self.old, [:]) }
        let summary = try fetch(origin)
        #expect(summary.isComplete && summary.storedBytes == 300_000)
        #expect(!origin.ranges.contains("whole"))
        // Where it heeds the condition, that shows more than the bytes do.
        #expect(origin.requests.last?.ifRange == validator.values.first)
        try expectWhole(Self.old)
        #expect(try cache.video(url)?.information.isComparedByBytes == true)
    }

    /// Two requests under way at once: the second one's answer was refused, and the whole asked for.
    @Test("two places of a player go on at once", arguments: validators)
    func twoPlaces(validator: [String: String]) async throws {
        try keepHalf(validator, of: Self.long)
        let starts: [Int64] = [300_000, 8 << 20]
        let asked = Mutex(0)
        let origin = AnsweringTransport { request, _ in
            if case .range(let range) = request.target, starts.contains(range.offset) {
                asked.withLock { $0 += 1 }
                // Neither is answered before the other one is sent, too.
                for _ in 0..<5000 where asked.withLock({ $0 < 2 }) { usleep(1000) }
            }
            return .heedless(request, Self.long, [:])
        }
        let loader = loader(origin)
        let address = try #require(URL(string: url))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for start in starts {
                group.addTask {
                    let range = ByteRange(offset: start, length: 65_536)
                    var bytes: [UInt8] = []
                    for try await more in loader.bytes(of: address, in: range) { bytes += more }
                    return bytes.elementsEqual(Self.long[Int(start)..<Int(range.end)])
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        loader.close()
        #expect(!origin.ranges.contains("whole"))
    }

    @Test("a part of a page is not compared, and not joined")
    func page() throws {
        try keepHalf(["ETag": "\"v1\""])
        let origin = AnsweringTransport { request, _ in
            .heedless(request, Self.stranger, ["Content-Type": "text/html"])
        }
        #expect(
            throws: DownloadError.notTheVideo(url: url, answer: .otherKind(type: "text/html"))
        ) { try fetch(origin) }
        #expect(origin.ranges == ["bytes=300000-", "whole"])
        #expect(try cache.cachedBytes(of: url) == 300_000)
    }

    // MARK: a date without a length

    /// An answer of an origin that knows no total.
    private static func untold(
        _ request: HTTPRequest, _ bytes: [UInt8]
    ) -> AnsweringTransport.Answer {
        var answer = AnsweringTransport.Answer.heedless(request, bytes, ["Last-Modified": date])
        if answer.head?.status == 206 {
            let range = answer.head?["content-range"]?.replacing("/\(bytes.count)", with: "/*")
            answer.head?.headers["content-range"] = range
        }
        return answer
    }

    private func playHalf() throws {
        let loader = loader(AnsweringTransport { request, _ in Self.untold(request, Self.old) })
        let half = ByteRange(offset: 0, length: 300_000)
        #expect(loader.reader(of: url, range: half).played().bytes.count == 300_000)
        loader.close()
        let information = try #require(try cache.video(url)).information
        #expect(information.length == nil && information.lastModified == Self.date)
    }

    @Test("the date of a video of unknown length proves nothing")
    func dateWithoutLength() throws {
        try playHalf()
        let new = videoBytes(700_000, seed: 3)
        let loader = loader(AnsweringTransport { request, _ in Self.untold(request, new) })
        let played = loader.reader(of: url, range: nil).played()
        #expect(played.failure as? DownloadError == .changed(url: url))
        #expect(played.bytes.elementsEqual(Self.old.prefix(played.bytes.count)))
        #expect(loader.reader(of: url, range: nil).played().bytes.elementsEqual(new))
        loader.close()
    }

    @Test("where its bytes agree, it goes on to its end")
    func sameDateWithoutLength() throws {
        try playHalf()
        let origin = AnsweringTransport { request, _ in Self.untold(request, Self.old) }
        let played = VideoLoader.played(url, of: cache, by: origin)
        #expect(played.failure == nil && played.bytes.elementsEqual(Self.old))
        #expect(!origin.ranges.contains("whole"))
        #expect(try cache.video(url)?.information.length == 600_000)
    }

    // MARK: many tags

    private static let block = videoBytes(64 << 10)
    private static let long: [UInt8] = {
        var bytes: [UInt8] = []
        for _ in 0..<240 { bytes += block }
        return bytes
    }()

    /// With five servers four looks and a request came around to the same ones each time.
    @Test(
        "a player that seeks keeps what is cached under many tags", arguments: [4, 5, 7, 9, 16, 0],
        [true, false])
    func manyTags(servers: Int, heedsConditions: Bool) throws {
        let origin = AnsweringTransport { request, number in
            let tag = "\"\(servers == 0 ? number : number % servers)\""
            return heedsConditions
                ? .honest(request, Self.long, etag: tag)
                : .heedless(request, Self.long, ["ETag": tag])
        }
        let loader = loader(origin)
        // Farther apart than a download fills the gap between them.
        for start in stride(from: Int64(0), to: 15 << 20, by: 3 << 20) {
            let range = ByteRange(offset: start, length: 65_536)
            let played = loader.reader(of: url, range: range).played()
            #expect(played.failure == nil && played.bytes == Self.block)
        }
        loader.close()
        #expect(try cache.cachedBytes(of: url) >= 5 * 65_536)
    }
}
