import Foundation
import Testing
import VideoCache

@testable import CurlTransport

/// An origin's behaviour and the required outcome: the right bytes or a clear error.
struct OriginRow: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable { case right, error, changed }

    static let old = videoBytes(600_000, seed: 1)
    static let new = videoBytes(700_000, seed: 2)

    var name: String
    var outcome: Outcome
    /// The ranges cached before, under the tag v1.
    var seeded: [Range<Int>] = [0..<100_000]
    var etag: String? = "\"v1\""
    var date: String?
    var answer: TestOrigin.Handler

    var testDescription: String { name }

    func origin() throws -> TestOrigin { try TestOrigin(answer) }

    private static func honest(_ request: SeenRequest) -> Reply { TestOrigin.honest(request, old) }

    /// The honest answer, but to a request for another range.
    private static func part(
        _ request: SeenRequest, _ change: (Int, Int?) -> (Int, Int?)
    ) -> Reply {
        guard let range = request.range else { return honest(request) }
        let (first, last) = change(range.first, range.last)
        var other = request
        other.headers["range"] = "bytes=\(first)-\(last.map(String.init) ?? "")"
        return honest(other)
    }

    private static func spoiled(_ request: SeenRequest, _ spoil: (inout Reply) -> Void) -> Reply {
        var reply = honest(request)
        spoil(&reply)
        return reply
    }

    private static func unconditional(_ request: SeenRequest, etag: String?) -> Reply {
        var request = request
        request.headers["if-range"] = nil
        return TestOrigin.honest(request, new, etag: etag)
    }

    static let all: [Self] = ranges + changes + bodies + statuses

    static let ranges: [Self] = [
        .init(name: "200 for a range, same tag", outcome: .right) { _ in
            Reply(headers: ["ETag": "\"v1\""], body: old)
        },
        .init(name: "a 206 that begins earlier", outcome: .right) { request in
            part(request) { (max(0, $0 - 5000), $1) }
        },
        .init(name: "a 206 that begins later", outcome: .right) { request in
            part(request) { ($0 + 10, $1) }
        },
        .init(name: "a 206 of less", outcome: .right) { request in
            part(request) { ($0, min($1 ?? .max, $0 + 70_000)) }
        },
        .init(
            name: "a 206 of more", outcome: .right, seeded: [0..<100_000, 300_000..<600_000]
        ) { request in part(request) { first, _ in (first, nil) } },
        .init(name: "a 206 without a range", outcome: .right) { request in
            spoiled(request) { $0.headers["Content-Range"] = nil }
        },
        .init(name: "several ranges", outcome: .error) { request in
            spoiled(request) {
                $0.headers["Content-Range"] = nil
                $0.headers["Content-Type"] = "multipart/byteranges; boundary=x"
            }
        },
        // If a field was repeated, its last value used to be believed.
        .init(name: "two ranges at once", outcome: .error) { request in
            spoiled(request) { reply in
                let right = reply.headers["Content-Range"] ?? ""
                reply.headers["Content-Range"] = "bytes 5-599999/600000\r\nContent-Range: \(right)"
            }
        },
        .init(name: "more than the range that was announced", outcome: .error) { request in
            spoiled(request) { $0.headers["Content-Range"] = "bytes 100000-100009/600000" }
        },
    ]

    static let changes: [Self] = [
        .init(name: "another tag", outcome: .changed) { request in
            TestOrigin.honest(request, new, etag: "\"v2\"")
        },
        .init(name: "another tag, condition ignored", outcome: .changed) { request in
            unconditional(request, etag: "\"v2\"")
        },
        .init(name: "another total", outcome: .changed) { request in
            unconditional(request, etag: nil)
        },
        .init(
            name: "another date, condition ignored", outcome: .changed, etag: nil,
            date: "Fri, 01 Mar 2024 10:00:00 GMT"
        ) { request in
            var reply = unconditional(request, etag: nil)
            reply.headers["Last-Modified"] = "Sat, 02 Mar 2024 10:00:00 GMT"
            return reply
        },
        .init(name: "no ranges and no tag", outcome: .changed) { _ in Reply(body: new) },
    ]

    static let bodies: [Self] = [
        .init(name: "chunked, no length", outcome: .right, seeded: []) { _ in
            Reply(headers: ["ETag": "\"v1\""], body: old, isChunked: true)
        },
        .init(name: "delimited by the end of its connection", outcome: .right, seeded: []) { _ in
            Reply(body: old, endsWithConnection: true)
        },
        .init(name: "encoded", outcome: .error) { request in
            spoiled(request) { $0.headers["Content-Encoding"] = "gzip" }
        },
        .init(name: "encoded, then said not to be", outcome: .error) { request in
            spoiled(request) {
                $0.headers["Content-Encoding"] = "gzip\r\nContent-Encoding: identity"
            }
        },
        .init(name: "the same field twice", outcome: .right) { request in
            spoiled(request) { $0.headers["ETag"] = "\"v1\"\r\nETag: \"v1\"" }
        },
        .init(name: "redirected", outcome: .right) { request in
            request.path == "/v.mp4"
                ? Reply(status: 302, headers: ["Location": "/there"]) : honest(request)
        },
        .init(name: "cut", outcome: .right) { request in
            spoiled(request) { $0.sendsOnly = request.number < 2 ? 100_001 : nil }
        },
        .init(name: "reset in mid-body", outcome: .right) { request in
            spoiled(request) {
                $0.sendsOnly = request.number < 1 ? 150_000 : nil
                $0.resets = request.number < 1
            }
        },
        .init(name: "silent in mid-body", outcome: .right) { request in
            spoiled(request) {
                $0.sendsOnly = request.number < 1 ? 150_000 : nil
                $0.fallsSilent = request.number < 1
            }
        },
    ]

    static let statuses: [Self] = [
        .init(name: "416 within the video", outcome: .error) { _ in
            Reply(status: 416, headers: ["Content-Range": "bytes */600000"])
        },
        .init(name: "416 of a shorter video", outcome: .changed) { request in
            request.range == nil
                ? TestOrigin.honest(request, new, etag: "\"v2\"")
                : Reply(status: 416, headers: ["Content-Range": "bytes */50000"])
        },
        .init(name: "304 to a resume", outcome: .right) { request in
            request.range == nil ? honest(request) : Reply(status: 304)
        },
        .init(name: "503, then well", outcome: .right) { request in
            request.number < 3 ? Reply(status: 503, headers: ["Retry-After": "0"]) : honest(request)
        },
        .init(name: "404", outcome: .error) { _ in Reply(status: 404) },
        .init(name: "500 for ever", outcome: .error) { _ in Reply(status: 500) },
        .init(name: "204", outcome: .error) { _ in Reply(status: 204) },
        // libcurl follows no empty address, and hands the body over: it was played as the video.
        .init(name: "a redirect to nowhere", outcome: .error) { _ in
            Reply(status: 302, headers: ["Location": ""], body: new)
        },
    ]
}

@Suite("HTTP as it is: the right bytes or a clear error, never wrong bytes", .serialized)
struct HTTPTableTests {
    private func seed(_ cache: TemporaryCache, _ row: OriginRow, _ url: String) throws {
        guard !row.seeded.isEmpty else { return }
        try cache.seed(url, OriginRow.old, row.seeded, etag: row.etag, date: row.date)
    }

    private static func isClear(_ error: any Error) -> Bool {
        (error is DownloadError || error is TransportError) && "\(error)".contains("; ")
    }

    @Test("to a player", arguments: OriginRow.all, Way.allCases)
    func player(row: OriginRow, way: Way) throws {
        let cache = try TemporaryCache(way: way)
        let origin = try row.origin()
        let tunnels = try Way.tunnels(to: origin.port)
        try seed(cache, row, origin.url)
        let loader = cache.loader(retry: .atOnce(3), transport: quickTransport(way))
        let reader = loader.reader(of: origin.url, range: nil)
        var bytes: [UInt8] = []
        var failure: (any Error)?
        do {
            while let more = try reader.next() { bytes += more }
        } catch {
            failure = error
        }
        #expect(bytes == Array(OriginRow.old[..<bytes.count]), "never a byte of another version")
        switch row.outcome {
        case .right: #expect(failure == nil && bytes.count == OriginRow.old.count)
        case .error:
            let error = try #require(failure)
            #expect(Self.isClear(error), "\(error)")
        case .changed:
            #expect(failure as? DownloadError == .changed(url: origin.url))
            #expect(try loader.reader(of: origin.url, range: nil).all() == OriginRow.new)
        }
        loader.close()
        #expect(try way.wasTaken(to: origin.port, since: tunnels))
        let version = row.outcome == .changed ? OriginRow.new : OriginRow.old
        let cached = try cache.bytes(of: origin.url, count: 800_000)
        #expect(cached == Array(version[..<cached.count]))
    }

    @Test("to a download", arguments: OriginRow.all, Way.allCases)
    func download(row: OriginRow, way: Way) throws {
        let cache = try TemporaryCache(way: way)
        let origin = try row.origin()
        let tunnels = try Way.tunnels(to: origin.port)
        try seed(cache, row, origin.url)
        let download = cache.download(origin.url, retry: .atOnce(3))
        switch row.outcome {
        case .right, .changed: #expect(try download.run().isComplete)
        case .error: #expect { try download.run() } throws: { Self.isClear($0) }
        }
        #expect(try way.wasTaken(to: origin.port, since: tunnels))
        let version = row.outcome == .changed ? OriginRow.new : OriginRow.old
        let cached = try cache.bytes(of: origin.url, count: 800_000)
        #expect(cached == Array(version[..<cached.count]))
        let least = row.outcome == .error ? row.seeded[0].upperBound : version.count
        #expect(cached.count >= least, "what was cached stays")
    }
}
