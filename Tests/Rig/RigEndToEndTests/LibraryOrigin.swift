import Foundation
import LoopbackHTTP
import Synchronization
import TestSupport

/// An origin with images, and a feed with a new list at each request.
///
/// The list of generation g has `g % 5 + 2` videos, and each title names g, so a mixture of two
/// lists, or half of one, differs from any that was served.
final class LibraryOrigin: Sendable {
    /// What the feed will return next.
    struct Feed: Sendable {
        /// How many lists were served.
        var generation = 0
        /// The images' paths, used in turn.
        var imagePaths = ["/image/0", "/image/1", "/image/2"]
        /// Replaces the feed if it is set.
        var body: String?
    }

    static let imageBytes = 200_000

    private let state = Mutex(Feed())
    private let size: Int

    /// An origin with images of this many bytes.
    init(imageBytes: Int = LibraryOrigin.imageBytes) { size = imageBytes }

    /// The feed's state; it may be changed at any time.
    var feed: Feed {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    static func id(_ generation: Int, _ index: Int) -> String {
        let tail = String(generation * 100 + index)
        let zeros = String(repeating: "0", count: 12 - tail.count)
        return "6B29FC40-CA47-1067-B31D-\(zeros)\(tail)"
    }

    static func videoCount(_ generation: Int) -> Int { generation % 5 + 2 }

    /// The image of a path: different for every path, and without repetition.
    static func image(_ path: String, bytes: Int = imageBytes) -> Data {
        var state = path.utf8.reduce(5381) { ($0 &* 33) ^ UInt64($1) }
        var data = Data(capacity: bytes + 8)
        while data.count < bytes {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state) { data.append(contentsOf: $0) }
        }
        return data[..<bytes]
    }

    /// Serves while the body runs; its argument is the origin's address.
    func serving(_ body: @Sendable (_ origin: String) async throws -> Void) async throws {
        let server = LoopbackServer()
        try await server.start(on: 0) { [self] request, connection in
            let body = self.body(for: request)
            let head =
                body == nil
                ? ResponseHead(404, "Not Found", length: 0)
                : ResponseHead(200, "OK", length: body.map { Int64($0.count) })
            try await connection.write(
                (head.bytes(answering: request, by: .system) + (body ?? Data()))[...])
        }
        try await ending {
            try await body("http://127.0.0.1:\(server.port)")
        } with: {
            await server.stop()
        }
    }

    /// What is at a path; nil if there is nothing.
    private func body(for request: RequestHead) -> Data? {
        if request.path == "/feed" { return Data(nextFeed(host: request["Host"] ?? "").utf8) }
        guard request.path.hasPrefix("/image/") else { return nil }
        return Self.image(request.path, bytes: size)
    }

    private func nextFeed(host: String) -> String {
        state.withLock { feed in
            if let body = feed.body { return body }
            feed.generation += 1
            let videos = (0..<Self.videoCount(feed.generation)).map { index in
                let image = feed.imagePaths[index % feed.imagePaths.count]
                return """
                    {"id": "\(Self.id(feed.generation, index))",
                     "title": "\(feed.generation).\(index)", "duration": \(index).5,
                     "url": "http://\(host)/video/\(index).mp4",
                     "thumbnail_url": "http://\(host)\(image)"}
                    """
            }
            return "{\"videos\": [\(videos.joined(separator: ","))]}"
        }
    }
}
