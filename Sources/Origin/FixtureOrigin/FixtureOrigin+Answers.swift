internal import Foundation
internal import LoopbackHTTP
internal import Synchronization

/// Turns requests into plans, and writes them as answers; all rules are in `ResponsePlan`.
extension FixtureOrigin {
    /// Answers a request; throws when the connection has to end.
    func answer(_ request: RequestHead, on connection: ClientConnection) async throws {
        let began = ContinuousClock.now
        let facts = RequestFacts(request)
        let mount = mounts.withLock { $0[facts.path] }
        let (ordinal, plan, served) = mount?.answer(facts) ?? (0, ResponsePlan(status: 404), nil)
        // Made before the head is sent: if that fails, the ledger must not say that the body runs.
        let ticket: BodyTicket? =
            if let mount, let served, plan.hasBody {
                BodyTicket(
                    mount: mount, ordinal: ordinal, source: served.source, plan: plan,
                    connection: connection)
            } else {
                nil
            }
        let head = plan.head.bytes(answering: request, by: connection.clock)
        note(
            plan.servedBody(isEncoded: served?.contentEncoding != nil),
            of: (mount?.path, ordinal), head: head, on: connection, since: began)
        try await connection.write(head[...])
        if let ticket {
            try await MeteredBody.send(ticket)
        } else if plan.delivery.isChunked {
            // The end of the chunks would follow a head after which nothing may follow.
            throw BodyEnded()
        }
    }

    /// Answers what is no request; the record of answers has these bytes, too.
    func refuse(_ malformed: MalformedRequest, on connection: ClientConnection) async throws {
        let (head, body) = malformed.answer(by: connection.clock)
        note(
            body.isEmpty ? .none : .unplaced(streamBytes: Int64(body.count)), head: head,
            on: connection, since: .now)
        try await connection.write((head + body)[...])
    }

    private func note(
        _ body: ServedAnswer.Body, of request: (path: String?, ordinal: Int) = (nil, 0),
        head: [UInt8], on connection: ClientConnection, since began: ContinuousClock.Instant
    ) {
        note(
            ServedAnswer(
                mountPath: request.path, ordinal: request.ordinal,
                clientPort: connection.clientPort, headBytes: Int64(head.count), body: body,
                startedAt: began, sent: (connection.link as? ToxicLink)?.sent,
                records: (connection.channel as? TLSChannel)?.records))
    }
}

extension ResponsePlan {
    var head: ResponseHead {
        ResponseHead(status, fields: headers, length: delivery.isChunked ? nil : bodyLength)
    }
}

extension RequestFacts {
    init(_ request: RequestHead) {
        let target = URLComponents(string: request.target)
        // Without its dot segments, and decoded.
        let path = (target?.percentEncodedPath).flatMap { URL(string: $0) }?.standardized.path
        let hop = target?.queryItems?.first { $0.name == "hop" }?.value
        self.init(
            method: request.method, path: path ?? "", hop: hop.flatMap { Int($0) } ?? 0,
            range: request["Range"], ifRange: request["If-Range"], ifMatch: request["If-Match"],
            ifNoneMatch: request["If-None-Match"], ifModifiedSince: request["If-Modified-Since"])
    }
}
