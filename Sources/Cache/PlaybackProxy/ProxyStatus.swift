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
            // Read once: a save between two looks would make them contradict each other.
            let ranges = try cache.cachedRanges(of: video.url)
            let length = video.information.length
            return Video(
                url: video.url, length: length, cachedBytes: ranges.byteCount,
                percent: length.map { $0 > 0 ? 100 * Double(ranges.byteCount) / Double($0) : 100 },
                ranges: ranges.ranges, mimeType: video.information.mimeType)
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
