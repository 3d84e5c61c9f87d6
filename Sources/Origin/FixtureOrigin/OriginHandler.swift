internal import FlyingFox
internal import Synchronization

/// The mounts of an origin, by path.
final class MountTable: Sendable {
    private let mounts = Mutex<[String: Mount]>([:])

    /// The mount under a path.
    subscript(path: String) -> Mount? { mounts.withLock { $0[path] } }

    /// Every mount.
    var all: [Mount] { mounts.withLock { Array($0.values) } }

    /// Adds a mount, and returns those that it replaces.
    func insert(_ mount: Mount) -> [Mount] {
        mounts.withLock { mounts in
            mount.paths.compactMap { mounts.updateValue(mount, forKey: $0) }
        }
    }

    /// Removes a mount, unless its path now belongs to another one.
    func remove(_ mount: Mount) {
        mounts.withLock { mounts in
            for path in mount.paths where mounts[path] === mount { mounts[path] = nil }
        }
    }
}

/// Turns requests into plans and plans into responses; all rules are in `ResponsePlan`.
struct OriginHandler: HTTPHandler {
    let mounts: MountTable
    let connections: ConnectionTable

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let began = ContinuousClock.now
        guard let mount = mounts[request.path] else {
            note(ResponsePlan(status: 404), of: nil, ordinal: 0, answering: request, began: began)
            return HTTPResponse(statusCode: .notFound)
        }
        let facts = RequestFacts(request)
        let (ordinal, plan, representation) = mount.answer(facts)
        note(
            plan, of: mount, ordinal: ordinal, answering: request, began: began,
            isEncoded: representation.contentEncoding != nil)
        let headers = HTTPHeaders(
            Dictionary(
                uniqueKeysWithValues: plan.headers.map { (HTTPHeader($0.key), $0.value) }))
        let status = Self.status(plan.status)
        guard plan.hasBody else {
            guard plan.delivery.isChunked else {
                return HTTPResponse(statusCode: status, headers: headers)
            }
            return HTTPResponse(
                statusCode: status, headers: headers, body: HTTPBodySequence(from: NoBody()))
        }
        let body = MeteredBody(
            ticket: BodyTicket(
                mount: mount, ordinal: ordinal, source: representation.source, plan: plan,
                clientPort: Self.clientPort(of: request), connections: connections))
        return HTTPResponse(
            statusCode: status, headers: headers,
            body: plan.delivery.isChunked
                ? HTTPBodySequence(from: body, suggestedBufferSize: MeteredBody.bufferSize)
                : HTTPBodySequence(
                    from: body, count: Int(plan.bodyLength),
                    suggestedBufferSize: MeteredBody.bufferSize))
    }

    /// Reports an answer to the taps.
    private func note(
        _ plan: ResponsePlan, of mount: Mount?, ordinal: Int, answering request: HTTPRequest,
        began: ContinuousClock.Instant, isEncoded: Bool = false
    ) {
        guard connections.isTapped else { return }
        let head = ResponseHead(
            Self.status(plan.status), headers: plan.headers,
            contentLength: plan.delivery.isChunked ? nil : plan.bodyLength, answering: request)
        connections.note(
            ServedAnswer(
                mountPath: mount?.path, ordinal: ordinal,
                clientPort: Self.clientPort(of: request), headBytes: head.byteCount,
                body: plan.servedBody(isEncoded: isEncoded), startedAt: began))
    }

    private static func clientPort(of request: HTTPRequest) -> UInt16 {
        guard case .ip4(_, let port)? = request.remoteAddress else { return 0 }
        return port
    }

    private static func status(_ code: Int) -> HTTPStatusCode {
        switch code {
        case 200: .ok
        case 206: .partialContent
        case 302: HTTPStatusCode(302, phrase: "Found")
        case 304: .notModified
        case 403: .forbidden
        case 404: .notFound
        case 405: .methodNotAllowed
        case 412: .preconditionFailed
        case 416: HTTPStatusCode(416, phrase: "Range Not Satisfiable")
        case 429: HTTPStatusCode(429, phrase: "Too Many Requests")
        case 500: .internalServerError
        case 503: .serviceUnavailable
        default: HTTPStatusCode(code, phrase: "Status \(code)")
        }
    }
}

extension RequestFacts {
    /// The parts of a request that decide the answer.
    init(_ request: HTTPRequest) {
        self.init(
            method: request.method.rawValue,
            path: request.path,
            hop: request.query.first { $0.name == "hop" }.flatMap { Int($0.value) } ?? 0,
            range: request.headers[.range],
            ifRange: request.headers[HTTPHeader("If-Range")],
            ifMatch: request.headers[HTTPHeader("If-Match")],
            ifNoneMatch: request.headers[.ifNoneMatch],
            ifModifiedSince: request.headers[.ifModifiedSince])
    }
}
