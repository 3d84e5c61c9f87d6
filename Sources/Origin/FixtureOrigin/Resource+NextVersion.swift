internal import Fixture

extension Resource {
    /// Another version: different at every position, with other validators, of the same or half the
    /// length.
    package func nextVersion(isShortened: Bool = false) -> Resource {
        let next = Representation(self).changed
        let source: any VideoSource =
            isShortened
            ? VideoHead(whole: next.source, length: (next.source.length + 1) / 2) : next.source
        return Resource(
            source: source, contentType: contentType, etag: next.etag,
            lastModified: next.lastModified, cacheControl: cacheControl,
            bytesPerSecond: bytesPerSecond)
    }

    /// The same resource with a date, so that both validators can change.
    package var dated: Resource {
        var dated = self
        dated.lastModified = lastModified ?? Representation.date
        return dated
    }
}

/// The first part of a video.
private struct VideoHead: VideoSource {
    let whole: any VideoSource
    let length: Int64

    var identity: String { "\(whole.identity)-head-\(length)" }
    var owner: BlockOwner? { whole.owner }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try checkWindow(at: offset, count: buffer.count)
        try whole.read(into: buffer, at: offset)
    }
}
