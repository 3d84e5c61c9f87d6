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
    /// Further entity tags under which the origin sent the same bytes, as kept bytes have shown: the
    /// servers behind one address may each have a tag of their own.
    public var otherETags: [String]
    /// True if requests were continued because the answer agreed with kept bytes, not because of a
    /// validator.
    public var isComparedByBytes: Bool
    /// For how long all this counts without asking again; nil if the origin has said nothing.
    public var freshness: Freshness?

    /// Creates information with the given values.
    public init(
        length: Int64?, mimeType: String? = nil, acceptsRanges: Bool, etag: String? = nil,
        lastModified: String? = nil, otherETags: [String] = [], isComparedByBytes: Bool = false,
        freshness: Freshness? = nil
    ) {
        (self.length, self.mimeType, self.acceptsRanges) = (length, mimeType, acceptsRanges)
        (self.etag, self.lastModified, self.otherETags) = (etag, lastModified, otherETags)
        (self.isComparedByBytes, self.freshness) = (isComparedByBytes, freshness)
    }

    /// Reads a response's headers; `acceptsRanges` is nil where only they tell, and `now`, in seconds
    /// since 1970, where the response came at this moment.
    package init(
        head: HTTPResponseHead, length: Int64?, acceptsRanges: Bool? = nil,
        receivedAt now: Int? = nil
    ) {
        let announced = head["accept-ranges"]?.lowercased().contains("bytes") ?? false
        self.init(
            length: length, mimeType: head["content-type"],
            acceptsRanges: acceptsRanges ?? announced, etag: head["etag"],
            lastModified: Self.usefulDate(head, now ?? Int(CacheClock.system.now / 1000)))
    }

    /// The modification date, if it is older than the response itself by a second or more
    /// (RFC 9110, 8.8.2.2).
    ///
    /// A video changed within this second may change again within it, and a program that generates
    /// its responses sends the current time as their date. Neither date identifies a version. For a
    /// response without a readable date, the time at which it came is its date.
    private static func usefulDate(_ head: HTTPResponseHead, _ now: Int) -> String? {
        guard let text = head["last-modified"], let changed = HTTPDate.seconds(text) else {
            return nil
        }
        let sent = head["date"].flatMap(HTTPDate.seconds) ?? now
        return changed < sent ? text : nil
    }

    /// The entity tag if it is strong: equal strong tags mean equal bytes.
    public var strongETag: String? { etag.flatMap { $0.hasPrefix("\"") ? $0 : nil } }

    var isForbidden: Bool { freshness?.rules.contains(.noStore) ?? false }

    /// The validator for `If-Range`: a strong tag, or a date if there is no tag.
    public var validator: String? { etag == nil ? lastModified : strongETag }

    /// True if another answer with the whole can be shown to have the same bytes.
    var isRecognizable: Bool { strongETag != nil || validator != nil && length != nil }

    /// True if `other` certainly has the same bytes: equal validators and no contradiction.
    ///
    /// Programs that copy or edit files can keep their dates, so a date is no proof without the
    /// length (K19).
    public func isProvenSame(as other: Self) -> Bool {
        guard !contradicts(other) else { return false }
        if let tag = other.strongETag, otherETags.contains(tag) { return true }
        guard validator != nil, validator == other.validator else { return false }
        return strongETag != nil || length != nil && length == other.length
    }

    /// True if the two differ in a tag that neither knows as another one of its own.
    private func hasOtherTag(than other: Self) -> Bool {
        guard let mine = etag, let theirs = other.etag else { return false }
        return mine != theirs && !otherETags.contains(theirs) && !other.otherETags.contains(mine)
    }

    /// True if the origin's answer, which no condition has turned into a 304, is about the same
    /// version: a validator agrees, if only weakly, and nothing contradicts it.
    func isConfirmed(by other: Self) -> Bool {
        guard !contradicts(other) else { return false }
        if etag != nil { return !hasOtherTag(than: other) && other.etag != nil }
        return lastModified != nil && lastModified == other.lastModified
    }

    /// True if `other` cannot have the same bytes: validators or lengths contradict each other.
    ///
    /// A value that is unknown on one side contradicts nothing.
    public func contradicts(_ other: Self) -> Bool {
        func differ<Fact: Equatable>(_ mine: Fact?, _ theirs: Fact?) -> Bool {
            guard let mine, let theirs else { return false }
            return mine != theirs
        }
        if hasOtherTag(than: other) || differ(length, other.length) { return true }
        let tagsDecide = etag != nil && other.etag != nil
        return !tagsDecide && differ(lastModified, other.lastModified)
    }
}
