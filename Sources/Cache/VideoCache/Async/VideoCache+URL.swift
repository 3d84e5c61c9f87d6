public import Foundation

extension VideoCache {
    /// The cached ranges of a video; none if the cache does not know it.
    public func cachedRanges(of url: URL) throws(CacheError) -> ByteRangeSet {
        try cachedRanges(of: url.absoluteString)
    }

    /// How much of a video is cached, from 0 to 100; nil if its length is unknown.
    public func percentCached(of url: URL) throws(CacheError) -> Double? {
        try percentCached(of: url.absoluteString)
    }

    /// Writes a complete video to a file, like ``export(_:to:cancellation:)``.
    public func export(_ url: URL, to file: URL) throws {
        try export(url.absoluteString, to: file.path)
    }

    /// Removes one video; true if there was something to remove.
    @discardableResult
    public func clear(_ url: URL) throws(CacheError) -> Bool { try clear(url.absoluteString) }
}
