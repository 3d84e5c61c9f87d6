internal import LoopbackHTTP
internal import Fixture

extension HTTPFault.Kind {
    /// How far a wrong range is from the right one, in bytes.
    static let shift: Int64 = 1000

    /// The prefix of the path of a moved resource.
    static let newHome = "/moved"

    /// True for a fault that ends a body early: a client that leaves before sees nothing of it.
    package var breaksOff: Bool {
        switch self {
        case .truncate, .reset, .silent: true
        default: false
        }
    }

    /// The answer as changed by this fault.
    ///
    /// - Parameter plan: the answer so far.
    /// - Returns: nil where the fault cannot strike; such a strike is not counted.
    func strike(
        _ plan: ResponsePlan, of request: RequestFacts, with representation: Representation
    ) -> ResponsePlan? {
        switch self {
        case .changeETag, .weakETag, .noValidators, .lastModifiedOnly, .edges, .encode, .slow:
            nil
        case .ignoreRange, .earlyRange, .unknownTotal, .ignoreIfRange, .refuseIfRange, .always416,
            .notModified, .wrongContentRange, .multipart:
            strikeRange(plan, of: request, with: representation)
        case .truncate(let after): plan.breakingOff(after: after, by: .close)
        case .reset(let after): plan.breakingOff(after: after, by: .reset)
        case .silent(let after): plan.breakingOff(after: after, by: .silence)
        case .overlong(let surplus): plan.overlong(by: surplus)
        case .noLength: plan.withoutLength(request, representation)
        case .redirect(let hops) where request.hop >= hops: nil
        case .redirect, .redirectLoop:
            ResponsePlan(
                status: 302, headers: ["Location": "\(request.path)?hop=\(request.hop + 1)"])
        case .moved where request.path.hasPrefix(Self.newHome): nil
        case .moved: ResponsePlan(status: 302, headers: ["Location": Self.newHome + request.path])
        case .refuseHead:
            request.method == "HEAD" ? ResponsePlan(status: 405, headers: ["Allow": "GET"]) : nil
        case .status(let code): ResponsePlan(status: code)
        }
    }

    /// Applies the faults that strike only requests with a `Range`.
    private func strikeRange(
        _ plan: ResponsePlan, of request: RequestFacts, with representation: Representation
    ) -> ResponsePlan? {
        guard request.method == "GET", request.range != nil else { return nil }
        switch self {
        case .ignoreRange:
            guard [206, 416].contains(plan.status) else { return nil }
            var struck = ResponsePlan(answering: request.withoutRange, with: representation)
            struck.headers["Accept-Ranges"] = nil
            return struck
        case .earlyRange:
            guard plan.status == 206, let asked = plan.body, asked.lowerBound > 0 else {
                return nil
            }
            var struck = plan
            let start = max(0, asked.lowerBound - Self.shift)
            struck.setRange(start..<asked.upperBound, total: representation.source.length)
            return struck
        case .unknownTotal:
            guard plan.status == 206, let range = plan.headers["Content-Range"],
                let slash = range.lastIndex(of: "/")
            else { return nil }
            var struck = plan
            struck.headers["Content-Range"] = range[...slash] + "*"
            return struck
        case .ignoreIfRange:
            guard request.ifRange != nil, plan.status == 200 else { return nil }
            var plain = request
            plain.ifRange = nil
            return ResponsePlan(answering: plain, with: representation)
        case .refuseIfRange:
            guard request.ifRange != nil, plan.status == 206 else { return nil }
            return ResponsePlan(answering: request.withoutRange, with: representation)
        case .always416:
            return ResponsePlan(
                status: 416,
                headers: ["Content-Range": "bytes */\(representation.source.length)"])
        case .notModified:
            guard request.ifRange != nil || plan.body?.lowerBound ?? 0 > 0 else { return nil }
            var struck = ResponsePlan(status: 304)
            for name in ["ETag", "Last-Modified"] { struck.headers[name] = plan.headers[name] }
            struck.headers["Content-Length"] = String(representation.source.length)
            return struck
        case .multipart:
            return plan.multipart(request, representation)
        case .wrongContentRange(let wrong):
            return plan.withWrongRange(wrong, total: representation.source.length)
        default:
            return nil
        }
    }
}

extension ResponsePlan {
    /// The same answer, broken off; nil when its body has at most `count` bytes.
    fileprivate func breakingOff(after count: Int64, by ending: Delivery.Ending) -> ResponsePlan? {
        guard bodyLength > count else { return nil }
        var struck = self
        struck.delivery.breakOff = .init(after: count, ending: ending)
        return struck
    }

    /// The same answer, with bytes beyond its announced length; nil when it has no body.
    fileprivate func overlong(by surplus: Int64) -> ResponsePlan? {
        guard hasBody else { return nil }
        var struck = self
        struck.delivery.surplus = surplus
        return struck
    }

    /// The whole resource in chunks; the answer to HEAD only announces chunks.
    fileprivate func withoutLength(
        _ request: RequestFacts, _ representation: Representation
    ) -> ResponsePlan? {
        guard [200, 206, 416].contains(status) else { return nil }
        var struck = ResponsePlan(answering: request.withoutRange, with: representation)
        struck.headers["Content-Length"] = nil
        struck.headers["Accept-Ranges"] = nil
        struck.delivery.isChunked = true
        return struck
    }

    /// The same 206 with another range or another `Content-Range`; nil where that is impossible.
    fileprivate func withWrongRange(
        _ wrong: HTTPFault.WrongContentRange, total: Int64
    ) -> ResponsePlan? {
        guard status == 206, let asked = body else { return nil }
        let shift = HTTPFault.Kind.shift
        let count = asked.upperBound - asked.lowerBound
        var struck = self
        switch wrong {
        case .later:
            guard count > shift else { return nil }
            struck.setRange(asked.lowerBound + shift..<asked.upperBound, total: total)
        case .short:
            guard count > shift else { return nil }
            struck.setRange(asked.lowerBound..<asked.lowerBound + count / 2, total: total)
        case .total:
            struck.setRange(asked, total: total + shift)
        case .missing:
            struck.headers["Content-Range"] = nil
        }
        return struck
    }

    /// The requested ranges as parts (RFC 9110, 14.6); nil when there are none.
    fileprivate func multipart(
        _ request: RequestFacts, _ representation: Representation
    ) -> ResponsePlan? {
        let ranges: [Range<Int64>]
        if status == 206, let body {
            ranges = [body]
        } else if status == 200, let header = request.range,
            case .several(let several) = RangeHeader(
                header, length: representation.source.length)
        {
            ranges = several
        } else {
            return nil
        }
        let boundary = "part-of-the-video"
        var parts: [Delivery.Piece] = []
        for range in ranges {
            let head = """
                --\(boundary)\r\nContent-Type: \(representation.contentType)\r\n\
                Content-Range: \(Self.contentRange(range, total: representation.source.length))\
                \r\n\r\n
                """
            parts += [.literal(Array(head.utf8)), .positions(range), .literal(Array("\r\n".utf8))]
        }
        parts.append(.literal(Array("--\(boundary)--\r\n".utf8)))
        var struck = self
        struck.status = 206
        struck.headers["Content-Range"] = nil
        struck.headers["Content-Type"] = "multipart/byteranges; boundary=\(boundary)"
        struck.body = ranges.count == 1 ? ranges[0] : nil
        struck.delivery.parts = parts
        struck.headers["Content-Length"] = String(struck.bodyLength)
        return struck
    }
}
