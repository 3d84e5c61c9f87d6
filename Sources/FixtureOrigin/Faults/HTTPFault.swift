/// One way in which the origin's HTTP goes wrong.
///
/// A fault strikes the answers that it can strike; the others are as RFC 9110 has them.
package struct HTTPFault: Sendable, Hashable {
    /// What goes wrong.
    package enum Kind: Sendable, Hashable {
        /// A range request is answered by 200 and the whole.
        case ignoreRange
        /// From then on another version is served: every byte is another, and so is the validator.
        case changeETag(afterRequests: Int)
        /// The entity tag is weak.
        case weakETag
        /// Neither an entity tag nor a date is sent.
        case noValidators
        /// A date is sent, and no entity tag.
        case lastModifiedOnly
        /// A 206 brings another range than the one asked for, or says so.
        case wrongContentRange(WrongContentRange)
        /// Every GET is answered by 200 in chunks, with no length and no ranges.
        case noLength
        /// The bytes are gzip-encoded, although nobody asked for that.
        case encode
        /// So many redirects lead to the answer.
        case redirect(hops: Int)
        /// The resource has another path, to which a redirect leads.
        case moved
        /// Each redirect leads to the next.
        case redirectLoop
        /// A range request is answered by 416, although the range is there.
        case always416
        /// A resumption is answered by 304.
        case notModified
        /// The connection is closed after so many bytes of a longer body.
        case truncate(after: Int64)
        /// So many bytes follow the announced ones.
        case overlong(by: Int64)
        /// The connection is reset after so many bytes of a longer body.
        case reset(after: Int64)
        /// Nothing follows so many bytes of a longer body; the connection stays open.
        case silent(after: Int64)
        /// All bodies together go at this pace.
        case slow(bytesPerSecond: Double)
        /// HEAD is answered by 405.
        case refuseHead
        /// Every request is answered by this status, with no body.
        case status(Int)
        /// A range request is answered by `multipart/byteranges`, also one of a single range.
        case multipart
    }

    /// How the answer to a range request strays from what was asked.
    package enum WrongContentRange: Sendable, Hashable {
        /// It begins 1000 bytes earlier, and says so.
        case earlier
        /// It begins 1000 bytes later, and says so.
        case later
        /// It ends halfway, and says so, which is allowed.
        case short
        /// It names a total that is 1000 bytes too large.
        case total
        /// It has no `Content-Range`.
        case missing
    }

    /// What goes wrong.
    package var kind: Kind
    /// How many answers of a mount it strikes; every one when nil.
    ///
    /// It says nothing about the kinds that make up what is served, not how one request is
    /// answered: `changeETag`, `weakETag`, `noValidators`, `lastModifiedOnly`, `encode`, `slow`.
    package var times: Int?

    /// A fault that strikes every answer it can, or the first so many of them.
    package init(_ kind: Kind, times: Int? = nil) {
        self.kind = kind
        self.times = times
    }
}

/// Everything that goes wrong at an origin, in its HTTP and on the way to it.
package struct OriginFaults: Sendable, Hashable {
    /// What the origin answers wrongly, for each of its mounts; the earlier ones strike first.
    package var http: [HTTPFault]
    /// What happens to the connections.
    package var toxics: [Toxic]

    /// Faults as given; none by default.
    package init(http: [HTTPFault] = [], toxics: [Toxic] = []) {
        self.http = http
        self.toxics = toxics
    }

    /// True when clients connect to a relay: HTTP servers cannot reset their connections.
    var needRelay: Bool {
        !toxics.isEmpty
            || http.contains { if case .reset = $0.kind { true } else { false } }
    }
}
