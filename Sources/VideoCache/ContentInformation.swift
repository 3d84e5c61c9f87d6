/// What the origin says about a video, stored so that no later launch has to ask (C3).
public struct ContentInformation: Sendable, Hashable {
    /// The video's size in bytes; nil as long as the origin has not told.
    public var length: Int64?
    /// The media type, such as `video/mp4`; nil when the origin names none.
    public var mimeType: String?
    /// True when the origin answers range requests with the range.
    public var acceptsRanges: Bool
    /// The entity tag as sent, with its quotes and `W/` where it is weak.
    public var etag: String?
    /// The modification date as sent; nil too when it says nothing about the version.
    public var lastModified: String?

    /// The facts as given.
    public init(
        length: Int64?, mimeType: String? = nil, acceptsRanges: Bool, etag: String? = nil,
        lastModified: String? = nil
    ) {
        self.length = length
        self.mimeType = mimeType
        self.acceptsRanges = acceptsRanges
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The facts that a response's headers tell.
    ///
    /// - Parameters:
    ///   - head: the response to a request for the video or a range of it.
    ///   - length: the whole video's size in bytes, where the caller knows it from the response.
    ///   - acceptsRanges: whether the origin was seen to answer ranges; nil believes the header.
    public init(head: HTTPResponseHead, length: Int64?, acceptsRanges: Bool? = nil) {
        let announced = head["accept-ranges"]?.lowercased().contains("bytes") ?? false
        self.init(
            length: length,
            mimeType: head["content-type"],
            acceptsRanges: acceptsRanges ?? announced,
            etag: head["etag"],
            lastModified: Self.usefulDate(head))
    }

    /// The modification date, unless it is the second of the response itself.
    ///
    /// A video that was changed within the second may change again within it, and a program that
    /// makes its answers up names the present as their date: neither date names a version.
    private static func usefulDate(_ head: HTTPResponseHead) -> String? {
        head["last-modified"].flatMap { $0 == head["date"] ? nil : $0 }
    }

    /// The entity tag when it is strong, so that equal tags mean equal bytes.
    public var strongETag: String? {
        etag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
    }

    /// The validator under which a range is still wanted: a strong tag, or a date without a tag.
    public var validator: String? {
        etag == nil ? lastModified : strongETag
    }

    /// True when `other` is certainly the same bytes: equal validators, and no contradiction.
    public func isProvenSame(as other: Self) -> Bool {
        validator != nil && validator == other.validator && !contradicts(other)
    }

    /// True when `other` cannot be the same bytes: validators or lengths contradict each other.
    ///
    /// A fact that one side does not know contradicts nothing.
    public func contradicts(_ other: Self) -> Bool {
        func differ<Fact: Equatable>(_ mine: Fact?, _ theirs: Fact?) -> Bool {
            guard let mine, let theirs else { return false }
            return mine != theirs
        }
        if differ(etag, other.etag) || differ(length, other.length) { return true }
        let tagsDecide = etag != nil && other.etag != nil
        return !tagsDecide && differ(lastModified, other.lastModified)
    }
}
