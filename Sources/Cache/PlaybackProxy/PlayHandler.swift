internal import LoopbackHTTP
internal import VideoCache

/// Converts requests to responses; the rules are in ``Gate`` and ``PlayPlan``.
struct PlayHandler: Sendable {
    /// How often a response is restarted when the video changes at the origin meanwhile.
    private static let attempts = 3

    let loader: VideoLoader
    let cache: VideoCache
    let gate: Gate
    /// What players want for their videos; nil if the loader is not told.
    let policies: PlayPolicies?

    /// Answers a request; a player that leaves meanwhile cancels it (F3).
    func answer(_ request: RequestHead, on connection: ClientConnection) async throws {
        // A client that sends its next requests ahead must not keep the thread from all others.
        await Task.yield()
        if let response = responseAtOnce(to: request) {
            guard let rest = try response.sendAtOnce(to: request, on: connection) else { return }
            return try await connection.untilClosed { try await rest.send(on: connection) }
        }
        try await connection.untilClosed {
            try await response(to: request).send(to: request, on: connection)
        }
    }

    /// Answers what is no request; the connection ends after it.
    func refuse(_ malformed: MalformedRequest, on connection: ClientConnection) async throws {
        let refusal = Refusal(malformed.status, malformed.reason, headers: ["Connection": "close"])
        try await PlayResponse.refusing(refusal, isHead: malformed.isHead)
            .send(to: RequestHead(), on: connection)
    }

    /// The response with cached bytes; nil if anything has to be waited for, or is wrong: handing a
    /// seek in a cached video to a thread took longer than the answer.
    private func responseAtOnce(to request: RequestHead) -> PlayResponse? {
        guard !request.isHead, loader.isQuiet,
            case .play(let address)? = try? route(of: request)
        else { return nil }
        let reader = loader.read(
            of: address.url, in: nil, asks: false, fields: gate.passedOn(from: request))
        guard let information = reader.known,
            loader.isFresh(information, for: FreshnessWish(request)),
            let plan = try? plan(for: request, with: KnownVideo(information: information)),
            plan.count != nil
        else { return nil }
        reader.narrow(to: plan.body.range)
        let body = PlayBody(reader: reader, count: plan.count)
        return (try? body.beginAtOnce()) == information ? .body(of: plan, body) : nil
    }

    private func route(of request: RequestHead) throws(Refusal) -> Route {
        let route = try gate.route(of: request)
        guard case .play(let address) = route else { return route }
        guard let policies else {
            guard address.policy == nil else {
                throw Refusal(400, "this proxy has one threshold; leave threshold= out")
            }
            return route
        }
        policies.note(address.policy, for: address.url)
        return route
    }

    private func response(to request: RequestHead) async -> PlayResponse {
        do {
            switch try route(of: request) {
            case .play(let address): return try await play(address, for: request)
            case .status:
                // Reading waits for the disk, which would block the tasks' own threads.
                let json = try await BlockingThreads.shared.value(onCancel: {}) { [cache] in
                    try ProxyStatus(of: cache).json()
                }
                return .own(json, type: "application/json", isHead: request.isHead)
            }
        } catch {
            return .refusing(Refusal(error), isHead: request.isHead)
        }
    }

    /// Responds with a video (F1, F2); the head is sent only with the first bytes, as until then a
    /// failure can be told by a status, and the information may prove outdated.
    private func play(
        _ address: OriginAddress, for request: RequestHead
    ) async throws -> PlayResponse {
        let fields = gate.passedOn(from: request)
        for _ in 0..<Self.attempts {
            let known = try await loader.known(
                ofVideo: address.url, for: FreshnessWish(request), fields: fields)
            let information = known.information
            var plan = try self.plan(for: request, with: known)
            guard !request.isHead, plan.body != .none else { return .head(of: plan) }
            let body = PlayBody(
                reader: loader.read(
                    of: address.url, in: plan.body.range, asks: false, fields: fields),
                count: plan.count)
            do {
                let begun = try await body.begin()
                if begun != information {
                    // The same bytes of another version may be what the origin has by now.
                    let other = try self.plan(
                        for: request,
                        with: KnownVideo(information: begun, unconfirmed: known.unconfirmed))
                    guard other.body == plan.body, other.status == plan.status else { continue }
                    plan = other
                }
            } catch DownloadError.changed {
                continue
            }
            return .body(of: plan, body)
        }
        throw DownloadError.keepsChanging(url: address.url)
    }

    private func plan(
        for request: RequestHead, with known: KnownVideo
    ) throws(Refusal) -> PlayPlan {
        var plan = try PlayPlan(answering: request, with: known.information)
        let (freshness, now) = (known.information.freshness, loader.now)
        plan.tell(
            age: freshness?.age(at: now), date: freshness?.date,
            isStale: freshness.map { $0.standing(at: now) != .fresh } ?? false,
            isUnconfirmed: known.unconfirmed != nil)
        return plan
    }
}

extension FreshnessWish {
    init(_ request: RequestHead) {
        self.init(cacheControl: request["Cache-Control"], pragma: request["Pragma"])
        sent = request.names
    }
}
