internal import LoopbackHTTP
internal import Fixture

/// The parts of a request that decide the answer.
struct RequestFacts: Sendable, Hashable {
    var method = "GET"
    var path = "/"
    /// How many redirects of this origin led to this request.
    var hop = 0
    var range: String?
    var ifRange: String?
    var ifMatch: String?
    var ifNoneMatch: String?
    var ifModifiedSince: String?
}

/// The answer to one request: a pure function of the request and the resource.
struct ResponsePlan: Sendable, Hashable {
    var status: Int
    var headers: [String: String] = [:]
    /// The positions of the body; nil without a body, and where `delivery` has several ranges.
    var body: Range<Int64>?
    var delivery = Delivery()
}

extension ResponsePlan {
    /// Decides according to RFC 9110: methods (9), preconditions (13), ranges (14).
    init(answering request: RequestFacts, with resource: Resource) {
        guard ["GET", "HEAD"].contains(request.method) else {
            self.init(status: 405, headers: ["Allow": "GET, HEAD"])
            return
        }
        var validators = ["Accept-Ranges": "bytes"]
        validators["ETag"] = resource.sentTag
        validators["Last-Modified"] = resource.lastModified
        validators["Cache-Control"] = resource.cacheControl
        let known = resource.validators
        if !known.isWanted(ifMatch: request.ifMatch) {
            self.init(status: 412, headers: validators)
        } else if known.isUnchanged(
            ifNoneMatch: request.ifNoneMatch, ifModifiedSince: request.ifModifiedSince)
        {
            // The length that a 200 would have had (8.6). Otherwise the server would send 0, and a
            // cache such as squid would empty what it has.
            validators["Content-Length"] = String(resource.source.length)
            self.init(status: 304, headers: validators)
        } else {
            self.init(sending: resource, for: request, headers: validators)
        }
    }

    private init(
        sending resource: Resource, for request: RequestFacts, headers: [String: String]
    ) {
        let length = resource.source.length
        var plan = ResponsePlan(status: 200, headers: headers, body: 0..<length)
        plan.headers["Content-Type"] = resource.contentType
        plan.headers["Content-Encoding"] = resource.contentEncoding
        plan.headers["Content-Length"] = String(length)
        // Ranges are defined for GET only (14.2).
        if request.method == "GET", let range = request.range,
            resource.validators.isRangeWanted(ifRange: request.ifRange)
        {
            switch RangeHeader(range, length: length) {
            case .single(let positions):
                plan.status = 206
                plan.setRange(positions, total: length)
            case .unsatisfiable:
                self.init(status: 416, headers: headers)
                self.headers["Content-Range"] = "bytes */\(length)"
                return
            case .ignored, .several: break
            }
        }
        if request.method == "HEAD" { plan.body = nil }
        self = plan
    }

    /// Sets the body's positions and the headers that announce them.
    mutating func setRange(_ positions: Range<Int64>, total: Int64) {
        body = positions
        headers["Content-Range"] = Self.contentRange(positions, total: total)
        headers["Content-Length"] = String(positions.upperBound - positions.lowerBound)
    }

    static func contentRange(_ positions: Range<Int64>, total: Int64) -> String {
        "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(total)"
    }
}
