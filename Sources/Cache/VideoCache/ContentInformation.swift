/// What the origin says about a video; stored, so that later launches need not ask (C3).
public struct ContentInformation: Sendable, Hashable {
    /// The video's size in bytes; nil while it is unknown.
    public var length: Int64?
    /// The media type, such as `video/mp4`; nil if the origin sends none.
    public var mimeType: String?
    /// True if the origin answers range requests with the range.
    public var acceptsRanges: Bool
    /// The entity tag as sent, with its quotes, and `W/` if it is weak.
    public var etag: String?
    /// The modification date as sent; also nil if the date does not identify a version.
    public var lastModified: String?

    /// Creates information with the given values.
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

    /// Creates information from a response's headers.
    ///
    /// - Parameters:
    ///   - head: the response to a request for the video or a range of it.
    ///   - length: the whole video's size in bytes, if the response reveals it.
    ///   - acceptsRanges: whether the origin was seen to answer ranges; nil trusts the header.
    public init(head: HTTPResponseHead, length: Int64?, acceptsRanges: Bool? = nil) {
        let announced = head["accept-ranges"]?.lowercased().contains("bytes") ?? false
        self.init(
            length: length,
            mimeType: head["content-type"],
            acceptsRanges: acceptsRanges ?? announced,
            etag: head["etag"],
            lastModified: Self.usefulDate(head))
    }

    /// The modification date, unless it equals the date of the response itself.
    ///
    /// A video changed within this second may change again within it, and a program that generates
    /// its responses sends the current time as their date. Neither date identifies a version.
    private static func usefulDate(_ head: HTTPResponseHead) -> String? {
        head["last-modified"].flatMap { $0 == head["date"] ? nil : $0 }
    }

    /// The entity tag if it is strong: equal strong tags mean equal bytes.
    public var strongETag: String? {
        etag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
    }

    /// The validator for `If-Range`: a strong tag, or a date if there is no tag.
    public var validator: String? {
        etag == nil ? lastModified : strongETag
    }

    /// True if another answer with the whole can be shown to have the same bytes.
    var isRecognizable: Bool { strongETag != nil || validator != nil && length != nil }

    /// True if `other` certainly has the same bytes: equal validators and no contradiction.
    ///
    /// Programs that copy or edit files can keep their dates, so a date is no proof without the
    /// length (K19).
    public func isProvenSame(as other: Self) -> Bool {
        guard validator != nil, validator == other.validator, !contradicts(other) else {
            return false
        }
        return strongETag != nil || length != nil && length == other.length
    }

    /// True if `other` cannot have the same bytes: validators or lengths contradict each other.
    ///
    /// A value that is unknown on one side contradicts nothing.
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
