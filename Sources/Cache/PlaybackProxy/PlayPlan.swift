internal import LoopbackHTTP
internal import VideoCache

/// The response to a request for a video: a pure function of the request and the information.
struct PlayPlan: Sendable, Hashable {
    enum Body: Sendable, Hashable {
        case none
        case range(ByteRange)
        /// The whole video, of unknown length.
        case toTheEnd

        /// The bytes; nil if there is no body, or no known end.
        var range: ByteRange? {
            guard case .range(let range) = self else { return nil }
            return range
        }
    }

    var status: Int
    /// Header fields and their values, the same for HEAD and for GET.
    var headers: [String: String]
    var body: Body

    var count: Int64? { body.range?.length }

    /// Decides by RFC 9110: preconditions (13), ranges (14), for HEAD too, as nginx and Go do.
    init(answering request: RequestHead, with information: ContentInformation) throws(Refusal) {
        let validators = Validators(
            etag: information.etag, strongTag: information.strongETag,
            lastModified: information.lastModified)
        let facts = Self.facts(of: information)
        guard validators.isWanted(ifMatch: request["If-Match"]) else {
            throw Refusal(
                412, "the video is another version; ask again without If-Match", headers: facts)
        }
        let isUnchanged = validators.isUnchanged(
            ifNoneMatch: request["If-None-Match"], ifModifiedSince: request["If-Modified-Since"])
        guard let length = information.length else {
            guard request.version != "HTTP/1.0" || isUnchanged else {
                throw Refusal(
                    505,
                    "the video's length is not known, so only HTTP/1.1 can carry it;"
                        + " use a newer player")
            }
            // The end is unknown, so a 206 could not state its range.
            self.init(
                status: isUnchanged ? 304 : 200, headers: facts,
                body: isUnchanged ? .none : .toTheEnd)
            return
        }
        guard !isUnchanged else {
            self.init(status: 304, headers: facts, length: length, body: .none)
            return
        }
        let isWanted = validators.isRangeWanted(ifRange: request["If-Range"])
        let part: Range<Int64>?
        switch RangeHeader(isWanted ? request["Range"] ?? "" : "", length: length) {
        case .ignored: part = nil
        case .single(let range): part = range
        // Players ask for one, and a client that asks for more wants at least the first, which RFC
        // 9110, 14.2, allows.
        case .several(let ranges): part = ranges[0]
        case .unsatisfiable:
            throw Refusal(
                416, "the video has \(length) bytes; ask for some of those",
                headers: facts.merging(["Content-Range": "bytes */\(length)"]) { $1 })
        }
        let range = ByteRange(from: part?.lowerBound ?? 0, to: part?.upperBound ?? length)
        self.init(
            status: part == nil ? 200 : 206, headers: facts, length: range.length,
            body: .range(range))
        guard part != nil else { return }
        headers["Content-Range"] = "bytes \(range.offset)-\(range.end - 1)/\(length)"
    }

    private init(status: Int, headers: [String: String], length: Int64? = nil, body: Body) {
        (self.status, self.headers, self.body) = (status, headers, body)
        if let length { self.headers["Content-Length"] = String(length) }
    }

    /// Adds how old the origin's information is, and whether it may be out of date (RFC 9111, 5.1;
    /// RFC 7234, 5.5).
    mutating func tell(age: Int64?, date: String?, isStale: Bool, isUnconfirmed: Bool) {
        headers["Age"] = age.map(String.init)
        headers["Date"] = date
        // Obsolete since RFC 9111, but there is nothing else by which a player is told.
        let warnings = [
            isStale ? "110 - \"Response is Stale\"" : nil,
            isUnconfirmed ? "111 - \"Revalidation Failed\"" : nil,
        ].compactMap(\.self)
        if isUnconfirmed { headers["Warning"] = warnings.joined(separator: ", ") }
    }

    private static func facts(of information: ContentInformation) -> [String: String] {
        var headers: [String: String] = [:]
        headers["Content-Type"] = information.mimeType
        headers["ETag"] = information.etag
        headers["Last-Modified"] = information.lastModified
        // The cache answers ranges even if the origin does not. Only an unknown end makes it
        // impossible to resume.
        headers["Accept-Ranges"] = information.length == nil ? "none" : "bytes"
        return headers
    }
}
