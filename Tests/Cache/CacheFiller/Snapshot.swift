internal import VideoCache

/// What a cache has: each video's version and bytes.
struct Snapshot {
    struct Video {
        let version: Int
        var ranges: ByteRangeSet
    }

    var videos: [String: Video] = [:]

    init() {}

    init(of store: SQLiteChunkStore) throws {
        for video in try store.videos() {
            videos[video.url] = Video(
                version: Filler.version(video), ranges: try store.ranges(of: video))
        }
    }

    /// A snapshot as `line` writes it.
    init(line: Substring) {
        for word in line.split(separator: " ") {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, let version = Int(parts[1]) else { continue }
            let ranges = parts[2].split(separator: ",").compactMap { text -> ByteRange? in
                let ends = text.split(separator: "-").compactMap { Int64($0) }
                return ends.count == 2 ? ByteRange(from: ends[0], to: ends[1]) : nil
            }
            videos[String(parts[0])] = Video(version: version, ranges: ByteRangeSet(ranges))
        }
    }

    /// The snapshot on one line: `URL:VERSION:START-END,START-END` of each video.
    var line: String {
        videos.sorted { $0.key < $1.key }.map { url, video in
            let ranges = video.ranges.ranges.map { "\($0.offset)-\($0.end)" }
            return "\(url):\(video.version):\(ranges.joined(separator: ","))"
        }.joined(separator: " ")
    }

    var bytes: Int64 { videos.values.reduce(0) { $0 + $1.ranges.byteCount } }

    func common(with other: Self) -> Self {
        var both = Self()
        for (url, video) in videos {
            guard let same = other.videos[url], same.version == video.version else { continue }
            let parts = video.ranges.ranges.flatMap { same.ranges.intersection($0) }
            both.videos[url] = Video(version: video.version, ranges: ByteRangeSet(parts))
        }
        return both
    }

    /// True if one of two caches has a video in a version with a range.
    static func has(_ range: ByteRange, of url: String, version: Int, in either: [Self]) -> Bool {
        let videos = either.compactMap { $0.videos[url] }.filter { $0.version == version }
        return ByteRangeSet(videos.flatMap(\.ranges.ranges)).contains(range)
    }
}
