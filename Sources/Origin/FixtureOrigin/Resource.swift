package import Fixture
internal import LoopbackHTTP
package import OriginFaults

package struct Resource: Sendable {
    package var source: any VideoSource
    package var contentType: String
    /// The entity tag: with its quotes, and strong but for a fault.
    package var etag: String
    /// True when a fault keeps the entity tag from being sent.
    var hidesTag = false
    /// The coding of the bytes on the wire, which is a fault; nil for none.
    var contentEncoding: String?
    /// The value of `Last-Modified`, an HTTP date; nil to send none.
    package var lastModified: String?
    package var cacheControl: String?
    /// The rate of all bodies together, in bytes a second; nil for unlimited.
    package var bytesPerSecond: Double?

    package var unpaced: Resource {
        var resource = self
        resource.bytesPerSecond = nil
        return resource
    }

    /// Creates a resource; its entity tag is made from the source's identity if none is given.
    package init(
        source: any VideoSource, contentType: String = "video/mp4", etag: String? = nil,
        lastModified: String? = nil, cacheControl: String? = nil, bytesPerSecond: Double? = nil
    ) {
        let tag = etag ?? "\"\(source.identity)\""
        precondition(EntityTag.isStrong(tag), "The entity tag \(tag) is not strong and quoted.")
        precondition(bytesPerSecond.map { $0 > 0 } ?? true, "A rate must be more than zero.")
        (self.source, self.contentType) = (source, contentType)
        self.etag = tag
        (self.lastModified, self.cacheControl) = (lastModified, cacheControl)
        self.bytesPerSecond = bytesPerSecond
    }

    /// Another version: different at every position of the first, with other validators.
    package func nextVersion(_ next: OriginFault.NextLength = .same) -> Resource {
        var version = changed
        version.source = ResizedVideo(whole: version.source, length: next.of(source.length))
        return version
    }

    /// The same resource with a date, so that both validators can change.
    package var dated: Resource {
        var dated = self
        dated.lastModified = lastModified ?? Self.date
        return dated
    }
}

/// The first part of a video, or the whole with its beginning once more behind it.
private struct ResizedVideo: VideoSource {
    let whole: any VideoSource
    let length: Int64

    var identity: String {
        length == whole.length ? whole.identity : "\(whole.identity)-resized-\(length)"
    }
    var owner: BlockOwner? { whole.owner }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try checkWindow(at: offset, count: buffer.count)
        let inside = Int(max(0, min(Int64(buffer.count), whole.length - offset)))
        if inside > 0 { try whole.read(into: .init(rebasing: buffer[..<inside]), at: offset) }
        guard inside < buffer.count else { return }
        try whole.read(
            into: .init(rebasing: buffer[inside...]), at: offset + Int64(inside) - whole.length)
    }
}
