/// One kind of faulty HTTP behaviour of the origin.
///
/// A fault strikes only the answers it applies to; all others follow RFC 9110.
package struct HTTPFault: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A range request is answered with 200 and the whole resource.
        case ignoreRange
        /// A 206 begins 1000 bytes earlier than asked, and `Content-Range` says so, where a client
        /// must look which part it got (RFC 9110, 15.3.7).
        case earlyRange
        /// `Content-Range` of a 206 has `*` in the place of the total (RFC 9110, 14.4).
        case unknownTotal
        /// `If-Range` has no effect: a 206 is of whatever version is served.
        case ignoreIfRange
        /// A range request with `If-Range` is answered with 200 and the whole resource.
        case refuseIfRange
        /// After so many requests another version is served: every byte and the validators differ.
        case changeETag(afterRequests: Int)
        /// The entity tag is weak.
        case weakETag
        /// Neither an entity tag nor a date is sent.
        case noValidators
        /// A date is sent, but no entity tag.
        case lastModifiedOnly
        /// This many more servers answer in turn with the first one, each with an entity tag of its
        /// own for the same bytes.
        case edges(more: Int)
        /// A 206 sends, or announces, another range than the requested one.
        case wrongContentRange(WrongContentRange)
        /// Every GET is answered with 200 in chunks, without a length and without ranges.
        case noLength
        /// The bytes are gzip-encoded although the client did not ask for it.
        case encode
        /// This many redirects precede the answer.
        case redirect(hops: Int)
        /// The resource has moved to another path; a redirect leads there.
        case moved
        /// Every redirect leads to another redirect.
        case redirectLoop
        /// A range request is answered with 416 although the range exists.
        case always416
        /// A resumption is answered with 304.
        case notModified
        /// The connection is closed after this many bytes of a longer body.
        case truncate(after: Int64)
        /// This many bytes follow the announced ones.
        case overlong(by: Int64)
        /// The connection is reset after this many bytes of a longer body.
        case reset(after: Int64)
        /// Nothing follows this many bytes of a longer body; the connection stays open.
        case silent(after: Int64)
        /// All bodies together are limited to this rate.
        case slow(bytesPerSecond: Double)
        /// HEAD is answered with 405.
        case refuseHead
        /// Every request is answered with this status and no body.
        case status(Int)
        /// A range request is answered with `multipart/byteranges`, even for a single range.
        case multipart
    }

    /// How the answer to a range request differs from the request.
    package enum WrongContentRange: Sendable, Hashable {
        /// The range begins 1000 bytes later, and `Content-Range` says so.
        case later
        /// The range ends halfway, and `Content-Range` says so; RFC 9110 allows this.
        case short
        /// `Content-Range` names a total that is 1000 bytes too large.
        case total
        /// `Content-Range` is missing.
        case missing
    }

    package var kind: Kind
    /// How many answers of a mount the fault strikes; nil for every one.
    ///
    /// Has no effect on kinds that change the representation instead of one answer: `changeETag`,
    /// `weakETag`, `noValidators`, `lastModifiedOnly`, `edges`, `encode`, `slow`.
    package var times: Int?

    /// A fault that strikes every answer it applies to, or the first `times` of them.
    package init(_ kind: Kind, times: Int? = nil) {
        self.kind = kind
        self.times = times
    }
}
