import CurlTransport
import Fixture
import FixtureOrigin
import Foundation
import LoopbackHTTP
import Synchronization
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

struct ProxyFixture: Sendable {
    let origin: FixtureOrigin
    let mount: Mount
    let video: MemoryVideo
    let folder: String
    let cache: VideoCache
    let loader: VideoLoader
    let proxy: PlaybackProxy
    let requests: RequestEnds

    static let lastModified = "Sat, 21 Nov 2026 03:00:00 GMT"

    func bytes(_ range: Range<Int64>) throws -> [UInt8] { try video.bytes(in: range) }
    var path: String { path(of: mount.url) }
    func path(of url: String) -> String { String(proxy.address(of: url).dropFirst(root.count)) }
    private var root: String { "http://127.0.0.1:\(proxy.port)" }
    func cachedBytes() throws -> Int64 { try cache.cachedBytes(of: mount.url) }

    /// Starts everything, runs the test, and stops everything; nil of `cacheControl` says nothing.
    static func run(
        length: Int64 = 2 << 20, options: PlaybackProxy.Options = .init(),
        progressTimeout: Duration = .seconds(30), cacheControl: String? = nil,
        clock: CacheClock = .system, layout: StorageLayout? = nil,
        _ test: (ProxyFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("PlaybackProxyTests-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Computed once: a debug build takes long for each byte of a fixture video.
        let video = try MemoryVideo(copying: FixtureVideo(seed: 11, length: length))
        let origin = FixtureOrigin()
        try await origin.start()
        let mount = origin.mount(
            Resource(
                source: video, etag: "\"v1\"", lastModified: lastModified,
                cacheControl: cacheControl), at: "/v.mp4")
        let cache = try VideoCache(folder: folder, layout: layout, clock: clock)
        let requests = RequestEnds()
        let loader = VideoLoader(
            cache: cache,
            transport: CurlTransport(options: .init(progressTimeout: progressTimeout)),
            options: .init(retry: .none), observer: requests)
        let proxy = PlaybackProxy(
            cache: cache, loader: loader, options: options, clock: WallClock { 784_111_777 })
        try await proxy.start()
        let fixture = ProxyFixture(
            origin: origin, mount: mount, video: video, folder: folder, cache: cache,
            loader: loader, proxy: proxy, requests: requests)
        try await ending(
            { try await test(fixture) },
            with: {
                await proxy.stop()
                loader.close()
                try cache.close()
                await origin.stop()
            })
    }

    /// The same beside a server with answers of its own, at the address that the test is told.
    static func run(
        answer: @escaping LoopbackServer.Answer,
        _ test: (ProxyFixture, _ origin: String) async throws -> Void
    ) async throws {
        let server = LoopbackServer()
        try await server.start(on: 0, answer: answer)
        let origin = "http://127.0.0.1:\(server.port)"
        try await ending(
            { try await run { try await test($0, origin) } }, with: { await server.stop() })
    }

    /// Sends one request on its own connection, for the video if no path is given; a path that is
    /// not whole gets the proxy's key.
    func exchange(
        _ method: String = "GET", _ path: String? = nil, _ headers: [String] = [],
        isWhole: Bool = false
    ) async throws -> Reply {
        let port = proxy.port
        let key = proxy.address.dropFirst(root.count)
        let path = path.map { isWhole || $0.hasPrefix(key) ? $0 : key + $0 } ?? self.path
        return try await offPool { try SocketClient(port: port).exchange(method, path, headers) }
    }

    /// A player that has asked for the video, and read nothing.
    func player(
        _ headers: [String] = [], receiveBuffer: Int32? = nil
    ) async throws -> SocketClient {
        try await .asking(proxy.port, "GET", path, headers, receiveBuffer: receiveBuffer)
    }

    func players(
        _ count: Int, _ headers: [String], receiveBuffer: Int32? = nil
    ) async throws -> [SocketClient] {
        var players: [SocketClient] = []
        for _ in 0..<count {
            players.append(try await player(headers, receiveBuffer: receiveBuffer))
        }
        return players
    }

    func settled() async throws {
        try await eventually("a request still runs at the origin") {
            mount.ledger.allSatisfy { $0.state != .running }
        }
    }
}

/// Records how the proxy's requests to the origin ended.
final class RequestEnds: CacheObserver {
    private let ends = Mutex<[RequestEnd]>([])

    var cancelled: Int { ends.withLock { $0.count { $0 == .cancelled } } }
    func requestBegan(url: String, start: Int64) -> any RequestObserver { End(requests: self) }

    private struct End: RequestObserver {
        let requests: RequestEnds

        func ended(_ end: RequestEnd) { requests.ends.withLock { $0.append(end) } }
    }
}
