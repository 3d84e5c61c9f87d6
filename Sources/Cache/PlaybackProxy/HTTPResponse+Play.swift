internal import FlyingFox
internal import Foundation

extension HTTPResponse {
    /// The header fields of every response.
    ///
    /// No `Access-Control-Allow-Origin`: a `<video>` element plays across origins without it, and
    /// with it any web page could read through the proxy what the player's machine can reach.
    private static let guards = [
        // The proxy is the cache. A browser's cache would store every video twice, and keep playing
        // a video that was dropped here because it changed at the origin.
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    ]

    /// The header field that denies an origin's content the rights of the proxy's origin.
    ///
    /// Otherwise an origin's HTML, opened as a page, could run scripts as the proxy's own.
    private static let sandbox = ["Content-Security-Policy": "sandbox"]

    /// A response with the proxy's own content.
    static func own(
        _ body: Data, type: String, status: Int = 200, headers: [String: String] = [:],
        isHead: Bool
    ) -> HTTPResponse {
        var fields = headers.merging(guards) { $1 }
        fields["Content-Type"] = type
        fields["Content-Length"] = String(body.count)
        fields["Cross-Origin-Resource-Policy"] = "same-origin"
        return HTTPResponse(
            statusCode: code(status), headers: httpHeaders(fields), body: isHead ? Data() : body)
    }

    /// An error response, with its reason as text.
    static func refusing(_ refusal: Refusal, isHead: Bool) -> HTTPResponse {
        own(
            Data((refusal.reason + "\n").utf8), type: "text/plain; charset=utf-8",
            status: refusal.status, headers: refusal.headers, isHead: isHead)
    }

    /// A video's head without a body: the response to HEAD, and 304.
    static func head(of plan: PlayPlan) -> HTTPResponse {
        let headers = httpHeaders(fields(of: plan))
        guard plan.headers["Content-Length"] == nil else {
            return HTTPResponse(statusCode: code(plan.status), headers: headers)
        }
        return HTTPResponse(
            statusCode: code(plan.status), headers: headers, body: HTTPBodySequence(from: NoBody()))
    }

    /// A response with a video.
    static func body(of plan: PlayPlan, _ body: PlayBody) -> HTTPResponse {
        let bytes =
            if let count = plan.count {
                HTTPBodySequence(
                    from: body, count: Int(count), suggestedBufferSize: PlayBody.bufferSize)
            } else {
                HTTPBodySequence(from: body, suggestedBufferSize: PlayBody.bufferSize)
            }
        return HTTPResponse(
            statusCode: code(plan.status), headers: httpHeaders(fields(of: plan)), body: bytes)
    }

    private static func fields(of plan: PlayPlan) -> [String: String] {
        plan.headers.merging(guards) { $1 }.merging(sandbox) { $1 }
    }

    private static func httpHeaders(_ fields: [String: String]) -> HTTPHeaders {
        HTTPHeaders(
            Dictionary(uniqueKeysWithValues: fields.map { (HTTPHeader($0.key), $0.value) }))
    }

    private static func code(_ status: Int) -> HTTPStatusCode {
        HTTPStatusCode(status, phrase: phrases[status] ?? "Unknown")
    }

    private static let phrases = [
        200: "OK", 206: "Partial Content", 304: "Not Modified", 400: "Bad Request",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 412: "Precondition Failed",
        416: "Range Not Satisfiable", 500: "Internal Server Error", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
