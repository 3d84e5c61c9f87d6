internal import LoopbackHTTP
package import Fixture

/// What the origin serves under one path.
package struct Resource: Sendable {
    package var source: any VideoSource
    package var contentType: String
    /// The entity tag: strong, with its quotes.
    package var etag: String
    /// The value of `Last-Modified`, an HTTP date; nil to send none.
    package var lastModified: String?
    /// The value of `Cache-Control`; nil to send none.
    package var cacheControl: String?
    /// The rate of all bodies together, in bytes a second; nil for unlimited.
    package var bytesPerSecond: Double?

    /// The same without a limit of its rate.
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
}
