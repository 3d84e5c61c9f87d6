internal import Fixture

/// What a mount serves at a moment: bytes with their type and their validators.
struct Representation: Sendable {
    /// The bytes.
    var source: any VideoSource
    /// The value of `Content-Type`.
    var contentType: String
    /// The value of `Content-Encoding`; none when nil.
    var contentEncoding: String?
    /// The value of `ETag`; none when nil.
    var etag: String?
    /// The value of `Last-Modified`; none when nil.
    var lastModified: String?

    /// A resource as it is.
    init(_ resource: Resource) {
        source = resource.source
        contentType = resource.contentType
        etag = resource.etag
        lastModified = resource.lastModified
    }

    /// The same video in a version that differs from it in every byte.
    var changed: Representation {
        var changed = self
        changed.source = ChangedVideo(of: source)
        changed.etag = etag.map { "\($0.dropLast())-changed\"" }
        changed.lastModified = lastModified.map { _ in Self.laterDate }
        return changed
    }

    /// The representation with what the faults take away from it, or put in its place.
    func spoiled(by faults: [HTTPFault]) -> Representation {
        var spoiled = self
        for fault in faults {
            switch fault.kind {
            case .weakETag: spoiled.etag = spoiled.etag.map { "W/\($0)" }
            case .noValidators:
                spoiled.etag = nil
                spoiled.lastModified = nil
            case .lastModifiedOnly: spoiled.etag = nil
            case .encode:
                spoiled.source = GzipVideo(of: spoiled.source)
                spoiled.contentEncoding = "gzip"
                spoiled.etag = spoiled.etag.map { "\($0.dropLast())-gzip\"" }
            default: break
            }
        }
        return spoiled
    }

    /// The date of a resource that has none, where a fault needs one.
    static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    /// The date of every changed version.
    static let laterDate = "Fri, 02 Jan 2026 00:00:00 GMT"
}

/// Another version of a video: as long, and unlike it at every position.
struct ChangedVideo: VideoSource {
    private let original: any VideoSource

    init(of original: any VideoSource) {
        self.original = original
    }

    var length: Int64 { original.length }
    var identity: String { "\(original.identity)-changed" }
    var owner: BlockOwner? { original.owner?.complement }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try original.read(into: buffer, at: offset)
        for index in buffer.indices { buffer[index] = ~buffer[index] }
    }
}
