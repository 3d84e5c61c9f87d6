internal import Foundation
internal import LoopbackHTTP

struct PlayResponse: Sendable {
    fileprivate enum Body: Sendable {
        case bytes(Data)
        case video(PlayBody)
        /// Nothing, although the head announces chunks: the connection ends.
        case missing
    }

    private let head: ResponseHead
    private let body: Body

    /// The header fields of every response.
    ///
    /// No `Access-Control-Allow-Origin`: with it any web page could read what the player's machine
    /// can reach.
    private static let guards = [
        // The proxy is the cache. A browser's cache would store every video twice, and keep playing
        // a video that was dropped here because it changed at the origin.
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    ]

    /// Denies an origin's content the rights of the proxy's origin: its HTML, opened as a page,
    /// could run scripts as the proxy's own, or load an image that tells the page's address, with
    /// the key.
    private static let sandbox = [
        "Content-Security-Policy": "sandbox; default-src 'none'; media-src 'self'",
        "Referrer-Policy": "no-referrer",
    ]

    private init(_ status: Int, _ fields: [String: String], length: Int64?, _ body: Body) {
        head = ResponseHead(status, fields: fields.merging(Self.guards) { $1 }, length: length)
        self.body = body
    }

    static func own(
        _ body: Data, type: String, status: Int = 200, headers: [String: String] = [:], isHead: Bool
    ) -> PlayResponse {
        var fields = headers
        fields["Content-Type"] = type
        fields["Cross-Origin-Resource-Policy"] = "same-origin"
        return PlayResponse(
            status, fields, length: Int64(body.count), .bytes(isHead ? Data() : body))
    }

    static func refusing(_ refusal: Refusal, isHead: Bool) -> PlayResponse {
        own(
            Data((refusal.reason + "\n").utf8), type: "text/plain; charset=utf-8",
            status: refusal.status, headers: refusal.headers, isHead: isHead)
    }

    /// A video's head without a body: the response to HEAD, and 304.
    static func head(of plan: PlayPlan) -> PlayResponse {
        let isKnown = plan.headers["Content-Length"] != nil
        return PlayResponse(
            plan.status, fields(of: plan), length: isKnown ? 0 : nil,
            isKnown ? .bytes(Data()) : .missing)
    }

    static func body(of plan: PlayPlan, _ body: PlayBody) -> PlayResponse {
        PlayResponse(plan.status, fields(of: plan), length: plan.count, .video(body))
    }

    /// What is left of a response after ``sendAtOnce(to:on:)``.
    struct Rest: Sendable {
        fileprivate let head: ArraySlice<UInt8>
        fileprivate let body: Body

        /// Sends it; throws if the rest is unavailable, as ``PlayResponse/send(to:on:)``.
        func send(on connection: ClientConnection) async throws {
            try await connection.write(head)
            switch body {
            case .bytes(let bytes): try await connection.write([UInt8](bytes)[...])
            case .video(let body): try await body.send(on: connection)
            case .missing: throw BodyTooShort()
            }
        }
    }

    /// Sends what is there and the player's socket takes without waiting; returns the rest.
    func sendAtOnce(to request: RequestHead, on connection: ClientConnection) throws -> Rest? {
        let bytes = head.bytes(answering: request, by: connection.clock)
        let sent = try bytes.withUnsafeBytes { try connection.put($0, isMoreComing: true) }
        guard sent == bytes.count, case .video(let body) = body else {
            return Rest(head: bytes[sent...], body: body)
        }
        return try body.sendAtOnce(on: connection).map { Rest(head: [], body: .video($0)) }
    }

    /// Sends the response; throws, so that the connection is cut, if the rest is unavailable.
    func send(to request: RequestHead, on connection: ClientConnection) async throws {
        let bytes = head.bytes(answering: request, by: connection.clock)
        try await Rest(head: bytes[...], body: body).send(on: connection)
    }

    private static func fields(of plan: PlayPlan) -> [String: String] {
        plan.headers.merging(sandbox) { $1 }
    }
}
