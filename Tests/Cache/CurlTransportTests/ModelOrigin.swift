import Foundation
import Synchronization
import VideoCache

@testable import CurlTransport

/// SplitMix64: everything in a run follows from its seed.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// An origin with changing videos and random faults, which knows every version's bytes.
final class ModelOrigin: Sendable {
    private struct State {
        var generator: SeededGenerator
        var versions: [String: [[UInt8]]] = [:]
        var isHonest = false
    }

    private let state: Mutex<State>

    init(seed: UInt64, paths: [String]) {
        var generator = SeededGenerator(state: seed)
        var state = State(generator: generator)
        for path in paths { state.versions[path] = [Self.video(&generator)] }
        state.generator = generator
        self.state = Mutex(state)
    }

    private static func video(_ generator: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 1...150_000, using: &generator)
        return videoBytes(count, seed: generator.next() >> 40)
    }

    func change(_ path: String) {
        state.withLock { state in
            let video = Self.video(&state.generator)
            state.versions[path, default: []].append(video)
        }
    }

    func becomeHonest() { state.withLock { $0.isHonest = true } }

    func bytes(_ path: String, etag: String?) -> [UInt8]? {
        state.withLock { state in
            state.versions[path]?.enumerated().first { Self.tag($0.offset) == etag }?.element
        }
    }

    func currentTag(_ path: String) -> String {
        state.withLock { Self.tag(($0.versions[path]?.count ?? 0) - 1) }
    }

    private static func tag(_ version: Int) -> String { "\"v\(version)\"" }

    /// The answer to a request: honest or faulty, but never wrong about its bytes.
    func reply(to request: SeenRequest) -> Reply {
        state.withLock { state in
            guard let versions = state.versions[request.path], let bytes = versions.last else {
                return Reply(status: 404)
            }
            let tag = Self.tag(versions.count - 1)
            var reply = TestOrigin.honest(request, bytes, etag: tag)
            guard !state.isHonest else { return reply }
            switch Int.random(in: 0..<30, using: &state.generator) {
            case 0...4:
                reply.sendsOnly = Int.random(in: 0...reply.body.count, using: &state.generator)
            case 5: return Reply(status: 503)
            case 6: return Reply(headers: ["ETag": tag], body: bytes)
            case 7: return Reply(headers: ["ETag": tag], body: bytes, isChunked: true)
            case 8...10:
                let back = Int.random(in: 1...3000, using: &state.generator)
                return Self.shifted(request, bytes, tag, by: -back)
            case 11: return Self.shifted(request, bytes, tag, by: 100)
            case 12: return Reply(status: 304)
            case 13: return Reply(status: 416, headers: ["Content-Range": "bytes */1"])
            case 14: reply.headers["Content-Encoding"] = "gzip"
            case 15, 16: return Self.short(request, bytes, tag)
            default: break
            }
            return reply
        }
    }

    /// A range that begins elsewhere, and says so.
    private static func shifted(
        _ request: SeenRequest, _ bytes: [UInt8], _ tag: String, by shift: Int
    ) -> Reply {
        guard let range = request.range else { return Reply(status: 503) }
        let first = min(max(0, range.first + shift), bytes.count - 1)
        var other = request
        other.headers["range"] = "bytes=\(first)-\(range.last.map { String(max(first, $0)) } ?? "")"
        return TestOrigin.honest(other, bytes, etag: tag)
    }

    /// Less than was requested, and says so.
    private static func short(_ request: SeenRequest, _ bytes: [UInt8], _ tag: String) -> Reply {
        guard let range = request.range else { return Reply(status: 500) }
        var other = request
        other.headers["range"] =
            "bytes=\(range.first)-\(min(range.last ?? .max, range.first + 9999))"
        return TestOrigin.honest(other, bytes, etag: tag)
    }
}

/// HTTP without sockets: the model's answers, in pieces, on the calling thread.
struct ScriptedTransport: HTTPTransport {
    let origin: ModelOrigin
    /// Flips a bit of every body: a planted bug that the model must catch.
    var flipsABit = false

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        if cancellation.isCancelled { throw TransportError.cancelled }
        var seen = SeenRequest(
            path: URL(string: request.url)?.path ?? "", headers: ["accept-encoding": "identity"])
        seen.headers["range"] = request.rangeHeader
        seen.headers["if-range"] = request.ifRange
        var reply = origin.reply(to: seen)
        if flipsABit, !reply.body.isEmpty { reply.body[reply.body.count / 2] ^= 1 }
        var headers = reply.headers
        if reply.isChunked {
            headers["transfer-encoding"] = "chunked"
        } else {
            headers["content-length"] = "\(reply.body.count)"
        }
        try handler.head(HTTPResponseHead(status: reply.status, headers: headers))
        let count = min(reply.sendsOnly ?? .max, reply.body.count)
        var done = 0
        while done < count {
            if cancellation.isCancelled { throw TransportError.cancelled }
            let piece = min(request.readSize, count - done)
            try reply.body[done..<done + piece].withUnsafeBytes { try handler.body($0) }
            done += piece
        }
        if count < reply.body.count { throw TransportError.truncated(url: request.url) }
    }
}

/// Records what was acknowledged of each version, by its thread: no observer is told which.
final class AcknowledgedBytes: HTTPTransport, CacheObserver {
    private struct State {
        var tags: [UInt: String] = [:]
        var acknowledged: [String: ByteRangeSet] = [:]
    }

    private let base: any HTTPTransport
    private let overstates: Bool
    private let state = Mutex(State())

    /// What is owed was acknowledged before the launch; one that overstates is a planted bug.
    init(
        _ base: any HTTPTransport, owing owed: [String: ByteRangeSet] = [:],
        overstates: Bool = false
    ) {
        (self.base, self.overstates) = (base, overstates)
        state.withLock { $0.acknowledged = owed }
    }

    var acknowledged: [String: ByteRangeSet] { state.withLock { $0.acknowledged } }

    /// The ranges of a version that must exist after a kill.
    func ranges(_ url: String, etag: String?) -> ByteRangeSet {
        state.withLock { $0.acknowledged[url + (etag ?? "")] ?? ByteRangeSet() }
    }

    private static var thread: UInt { UInt(pthread_self()) }

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        let tapped = TappedHandler(
            handler,
            onHead: { [self] head in state.withLock { $0.tags[Self.thread] = head["etag"] } })
        try base.perform(request, handler: tapped, cancellation: cancellation)
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Line(book: self, url: url)
    }

    private struct Line: RequestObserver {
        let book: AcknowledgedBytes
        let url: String

        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            book.state.withLock { state in
                let tag = state.tags[AcknowledgedBytes.thread] ?? ""
                let more: Int64 = book.overstates ? 1_000_000 : 0
                state.acknowledged[url + tag, default: ByteRangeSet()].insert(
                    ByteRange(offset: range.offset, length: range.length + more))
            }
        }
    }
}
