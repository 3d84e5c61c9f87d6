internal import Foundation
internal import VideoCache

/// What is cached, for programs: a snapshot of the cache (C10).
struct CacheStatus: Encodable, Sendable, Hashable {
    struct Video: Encodable, Sendable, Hashable {
        var url: String
        var length: Int64?
        var cachedBytes: Int64
        var percent: Double?
        var ranges: [ByteRange]
        var mimeType: String?
    }

    var cachedBytes: Int64
    var diskBytes: Int64
    var videos: [Video]

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

struct StatusSource: Sendable {
    let cache: VideoCache

    // Reading waits for the disk, which would block the tasks' own threads.
    func read() async throws -> CacheStatus {
        try await BlockingThreads.shared.value(onCancel: {}) { try Self.status(of: cache) }
    }

    private static func status(of cache: VideoCache) throws -> CacheStatus {
        let videos = try cache.videos().map { video in
            let ranges = try cache.cachedRanges(of: video.url)
            let length = video.information.length
            return CacheStatus.Video(
                url: video.url, length: length, cachedBytes: ranges.byteCount,
                percent: length.map { $0 > 0 ? 100 * Double(ranges.byteCount) / Double($0) : 100 },
                ranges: ranges.ranges, mimeType: video.information.mimeType)
        }
        return CacheStatus(
            cachedBytes: videos.reduce(0) { $0 + $1.cachedBytes }, diskBytes: cache.diskBytes,
            videos: videos)
    }
}
