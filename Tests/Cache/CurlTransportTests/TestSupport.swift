import Foundation
import Synchronization
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

final class TemporaryCache: Sendable {
    let folder: String
    let store: SQLiteChunkStore
    let cache: VideoCache
    let way: Way

    init(layout: StorageLayout = .file, way: Way = .direct) throws {
        self.way = way
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("CurlTransportTests-\(UUID().uuidString)").path
        store = try SQLiteChunkStore(folder: folder, layout: layout)
        cache = VideoCache(store: store)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func bytes(of url: String, count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try cache.read(ByteRange(offset: 0, length: Int64(count)), of: url) {
            bytes.append(contentsOf: $1)
        }
        return bytes
    }

    /// Stores parts of a video in the cache, as an earlier launch would have left them.
    func seed(
        _ url: String, _ bytes: [UInt8], _ parts: [Range<Int>], etag: String? = "\"v1\"",
        date: String? = nil
    ) throws {
        let video = try store.store(
            ContentInformation(
                length: Int64(bytes.count), mimeType: "video/mp4", acceptsRanges: true, etag: etag,
                lastModified: date),
            url: url)
        for part in parts {
            _ = try bytes[part].withUnsafeBytes {
                try store.save([Chunk(offset: Int64(part.lowerBound), bytes: $0)], of: video)
            }
        }
    }

    func download(
        _ url: String, schedule: any SaveSchedule = SavePolicy.default,
        observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation(), retry: RetryPolicy = .none
    ) -> Download {
        Download(
            url: url, cache: cache, transport: quickTransport(way),
            schedule: schedule, observer: observer, cancellation: cancellation, retry: retry)
    }

    /// Fetches a video, which must then be complete, and these bytes.
    func expectFetch(
        of url: String, retry: RetryPolicy = .none, brings bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let isComplete = try download(url, retry: retry).run().isComplete
        #expect(isComplete, sourceLocation: sourceLocation)
        let cached = try self.bytes(of: url, count: bytes.count + 1)
        #expect(cached == bytes, sourceLocation: sourceLocation)
    }
}

/// A transport that waits for a silent origin for seconds only.
func quickTransport(_ way: Way = .direct) -> CurlTransport {
    way.transport(.init(connectTimeout: .seconds(5), progressTimeout: .seconds(5)))
}

enum Way: String, CaseIterable, Sendable {
    case direct
    /// By CONNECT through a proxy, whose head comes before the origin's.
    case tunnelled

    private static let proxy = Result { try ConnectProxy() }

    func transport(_ options: CurlTransport.Options = .init()) -> CurlTransport {
        var options = options
        if self == .tunnelled {
            // Without a proxy, no request gets anywhere.
            options.tunnel = (try? Self.proxy.get())?.address ?? "http://127.0.0.1:9"
        }
        return CurlTransport(options: options)
    }

    /// The tunnels to a port so far; an origin that has stopped may have had the same port.
    static func tunnels(to port: UInt16) throws -> Int { try proxy.get().tunnels(to: port) }

    /// True if the requests to a port have taken this way and no other since there were so many
    /// tunnels to it.
    func wasTaken(to port: UInt16, since tunnels: Int) throws -> Bool {
        (try Self.tunnels(to: port) > tunnels) == (self == .tunnelled)
    }
}

/// Bytes in which every position is recognisable: SplitMix64 of the position.
func videoBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    for block in 0..<UInt64(count / 8 + 1) {
        var z = (block &+ seed &* 0x1_0000_0000) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        withUnsafeBytes(of: z ^ (z >> 27)) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes[..<count])
}

/// Keeps the ledger of B1, and its worst value.
final class Ledger: CacheObserver {
    struct Request: Sendable {
        var start: Int64
        var received: Int64 = 0
        var acknowledged: Int64 = 0
        var commits: [ByteRange] = []
        var end: RequestEnd?
    }

    struct State {
        var requests: [Request] = []
        var worstUnacknowledged: Int64 = 0
        var phases: [CachePhase] = []
    }

    let state = Mutex(State())
    private let onReceived: @Sendable (Request) -> Void

    /// A ledger that also reports the received bytes after each read.
    init(onReceived: @escaping @Sendable (Request) -> Void = { _ in }) {
        self.onReceived = onReceived
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var worstUnacknowledged: Int64 { state.withLock { $0.worstUnacknowledged } }
    var phases: [CachePhase] { state.withLock { $0.phases } }
    func entered(_ phase: CachePhase) { state.withLock { $0.phases.append(phase) } }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        let index = state.withLock { state in
            state.requests.append(Request(start: start))
            return state.requests.count - 1
        }
        return Line(ledger: self, index: index)
    }

    private struct Line: RequestObserver {
        let ledger: Ledger
        let index: Int

        func received(_ count: Int) {
            let request = ledger.state.withLock { state in
                state.requests[index].received += Int64(count)
                let request = state.requests[index]
                state.worstUnacknowledged = max(
                    state.worstUnacknowledged, request.received - request.acknowledged)
                return request
            }
            ledger.onReceived(request)
        }

        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            ledger.state.withLock { state in
                state.requests[index].acknowledged = acknowledged
                state.requests[index].commits.append(range)
            }
        }

        func ended(_ end: RequestEnd) { ledger.state.withLock { $0.requests[index].end = end } }
    }
}

final class Collector: HTTPResponseHandler {
    var head: HTTPResponseHead?
    var bytes: [UInt8] = []
    var largest = 0
    var onBody: () throws -> Void = {}
    func head(_ head: HTTPResponseHead) throws { self.head = head }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        self.bytes.append(contentsOf: bytes)
        largest = max(largest, bytes.count)
        try onBody()
    }
}

extension SQLiteChunkStore {
    /// Overwrites a chunk's bytes, as a bad disk would, in a cache in files with one video.
    func damage(offset: Int64) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let file = try FileHandle(forUpdating: folder.appendingPathComponent("data/1"))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(count: 1000))
        try file.close()
    }
}
