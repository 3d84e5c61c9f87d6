internal import VideoCache

/// The answer to a request for a video: a pure function of the request and the video's facts.
struct PlayPlan: Sendable, Hashable {
    /// What the answer's body is made of.
    enum Body: Sendable, Hashable {
        /// There is none.
        case none
        /// These bytes of the video.
        case range(ByteRange)
        /// The whole video, wherever it ends.
        case toTheEnd
    }

    /// The status code.
    var status: Int
    /// Header fields and their values, the same for HEAD and for GET.
    var headers: [String: String]
    /// The body as GET gets it.
    var body: Body

    /// Decides by RFC 9110: preconditions (13), ranges (14).
    ///
    /// HEAD is answered like GET with ranges too, as nginx, Apache and Go do: a player that asks
    /// for the head of a range wants to know what a GET of the range would bring.
    ///
    /// - Throws: ``Refusal`` where the video cannot be sent as asked.
    init(
        answering request: PlayerRequest, with information: ContentInformation
    ) throws(Refusal) {
        let validators = Validators(information: information)
        let facts = Self.facts(of: information)
        guard validators.isWanted(request) else {
            throw Refusal(
                status: 412, reason: "the video is another version; ask again without If-Match",
                headers: facts)
        }
        let isUnchanged = validators.isUnchanged(for: request)
        guard let length = information.length else {
            guard request.takesChunks || isUnchanged else {
                throw Refusal(
                    status: 505,
                    reason: "the video's length is not known, so only HTTP/1.1 can carry it;"
                        + " use a newer player")
            }
            // Its end is nobody's knowledge, so a 206 could not say which bytes it brings.
            self.init(
                status: isUnchanged ? 304 : 200, headers: facts,
                body: isUnchanged ? .none : .toTheEnd)
            return
        }
        if isUnchanged {
            self.init(status: 304, headers: facts, length: length, body: .none)
        } else if let value = request.range, validators.isRangeWanted(request) {
            try self.init(range: RangeHeader(value, length: length), of: length, headers: facts)
        } else {
            self.init(whole: length, headers: facts)
        }
    }

    private init(status: Int, headers: [String: String], length: Int64? = nil, body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
        if let length { self.headers["Content-Length"] = String(length) }
    }

    private init(whole length: Int64, headers: [String: String]) {
        self.init(
            status: 200, headers: headers, length: length,
            body: .range(ByteRange(offset: 0, length: length)))
    }

    private init(
        range: RangeHeader, of length: Int64, headers: [String: String]
    ) throws(Refusal) {
        switch range {
        case .ignored:
            self.init(whole: length, headers: headers)
        case .satisfiable(let range):
            self.init(status: 206, headers: headers, length: range.length, body: .range(range))
            self.headers["Content-Range"] = "bytes \(range.offset)-\(range.end - 1)/\(length)"
        case .unsatisfiable:
            throw Refusal(
                status: 416, reason: "the video has \(length) bytes; ask for some of those",
                headers: headers.merging(["Content-Range": "bytes */\(length)"]) { $1 })
        }
    }

    /// The header fields that tell what the origin told.
    private static func facts(of information: ContentInformation) -> [String: String] {
        var headers: [String: String] = [:]
        headers["Content-Type"] = information.mimeType
        headers["ETag"] = information.etag
        headers["Last-Modified"] = information.lastModified
        // Whether or not the origin answers ranges: the cache does. Only an end that nobody knows
        // makes it impossible to resume.
        headers["Accept-Ranges"] = information.length == nil ? "none" : "bytes"
        return headers
    }
}

extension PlayPlan {
    /// How many bytes the body has; nil when nobody knows.
    var count: Int64? { body.range?.length }
}

extension PlayPlan.Body {
    /// The bytes; nil where there is no body, or no known end.
    var range: ByteRange? {
        guard case .range(let range) = self else { return nil }
        return range
    }
}
