internal import LoopbackHTTP

/// The parts of a player's request that decide the response.
struct PlayerRequest: Sendable, Hashable {
    /// The method, upper case.
    var method = "GET"
    /// The path as received, percent-encoded.
    var path = PlayAddress.path
    /// The query, percent-encoded.
    var query = ""
    /// False for HTTP/1.0, which has no chunked bodies.
    var takesChunks = true
    /// The value of `Host`.
    var host: String?
    /// The value of `Range`.
    var range: String?
    /// The value of `If-Range`.
    var ifRange: String?
    /// The value of `If-Match`.
    var ifMatch: String?
    /// The value of `If-None-Match`.
    var ifNoneMatch: String?
    /// The value of `If-Modified-Since`.
    var ifModifiedSince: String?

    /// True if the request asks for the head only.
    var isHead: Bool { method == "HEAD" }
}

extension PlayerRequest {
    /// Extracts the parts of a request that decide the response.
    init(_ request: RequestHead) {
        self.init(
            method: request.method,
            path: request.path,
            query: request.query,
            takesChunks: request.version != "HTTP/1.0",
            host: request["Host"],
            range: request["Range"],
            ifRange: request["If-Range"],
            ifMatch: request["If-Match"],
            ifNoneMatch: request["If-None-Match"],
            ifModifiedSince: request["If-Modified-Since"])
    }
}
