internal import Foundation
internal import VideoCache

/// What is cached, for programs: a snapshot of the cache (C10).
struct ProxyStatus: Encodable, Sendable, Hashable {
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

    /// Reads the status, without using the network; waits for the disk.
    init(of cache: VideoCache) throws {
        videos = try cache.videos().map { video in
            let ranges = try cache.cachedRanges(of: video.url)
            return Video(
                url: video.url, length: video.information.length, cachedBytes: ranges.byteCount,
                percent: try cache.percentCached(of: video.url), ranges: ranges.ranges,
                mimeType: video.information.mimeType)
        }
        cachedBytes = videos.reduce(0) { $0 + $1.cachedBytes }
        diskBytes = cache.diskBytes
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
