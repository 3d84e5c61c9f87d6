internal import Benchmark
internal import Foundation
internal import PlaybackProxy
internal import VideoCache

/// How long a player waits for the first byte of a cached range.
func addHits() {
    for layout in StorageLayout.allCases {
        for chunks in FilledCache.sizes {
            let subject = "\(FilledCache.name(of: chunks)) chunks, \(layout.rawValue)"
            Benchmark("first byte of a hit among \(subject)") { _, proxy in
                try proxy.hit()
            } setup: {
                try await OpenProxy(FilledCache(chunks: chunks, layout: layout))
            }
        }
    }
}

/// A proxy in front of a filled cache, and a player that requests single chunks.
final class OpenProxy {
    private let cache: FilledCache
    private let store: SQLiteChunkStore
    private let proxy: PlaybackProxy
    private let path: String
    private var asked = 0

    init(_ cache: FilledCache) async throws {
        self.cache = cache
        store = try cache.open()
        let videos = VideoCache(store: store)
        proxy = PlaybackProxy(
            cache: videos, loader: VideoLoader(cache: videos, transport: NoTransport()))
        try await proxy.start()
        path = String(proxy.address(of: FilledCache.url).dropFirst(proxy.address.count))
    }

    /// Connects, sends a request, and waits for the first byte of the answer, as `curl` measures
    /// it.
    func hit() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = proxy.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
        asked += 1
        let first = cache.offset(asked &* 7919 % cache.chunks)
        let last = first + Int64(FilledCache.length) - 1
        let request = Array(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=\(first)-\(last)\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw CocoaError(.fileWriteUnknown)
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &answer, answer.count, 0)
        let expected = Array("HTTP/1.1 206".utf8)
        guard count > 0, answer.starts(with: expected) else { throw CocoaError(.fileReadUnknown) }
    }
}

/// A transport that always fails: a cache miss is an error.
private struct NoTransport: HTTPTransport {
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        throw TransportError.cannotConnect(url: request.url, reason: "there is no network")
    }
}
