internal import Fixture
internal import LoopbackHTTP
internal import OriginFaults

/// An answer so far, of which wrong answers are made; nil where it cannot be wrong so.
struct Exchange {
    let plan: ResponsePlan
    let request: RequestFacts
    let served: Resource

    /// How far a wrong range is from the right one, in bytes.
    private static let shift: Int64 = 1000
    /// The prefix of the path of a moved resource.
    static let newHome = "/moved"

    var length: Int64 { served.source.length }

    /// The answer to the request without a field, in the place of one with these statuses.
    func anew(
        without field: WritableKeyPath<RequestFacts, String?>, for statuses: Set<Int>
    ) -> ResponsePlan? {
        guard statuses.contains(plan.status) else { return nil }
        var request = request
        request[keyPath: field] = nil
        return ResponsePlan(answering: request, with: served)
    }

    /// The whole, and no word of ranges.
    func withoutRanges(for statuses: Set<Int>) -> ResponsePlan? {
        var struck = anew(without: \.range, for: statuses)
        struck?.headers["Accept-Ranges"] = nil
        return struck
    }

    /// The whole in chunks; the answer to HEAD only announces chunks.
    func withoutLength() -> ResponsePlan? {
        var struck = withoutRanges(for: [200, 206, 416])
        struck?.headers["Content-Length"] = nil
        struck?.delivery.isChunked = true
        return struck
    }

    /// A 206 whose range begins earlier, or is what a word of `wrong_content_range` says.
    func withRange(_ wrong: OriginFault.Argument) -> ResponsePlan? {
        guard plan.status == 206, let asked = plan.body else { return nil }
        let (start, end, shift) = (asked.lowerBound, asked.upperBound, Self.shift)
        var struck = plan
        switch wrong {
        case .word("earlier") where start > 0:
            struck.setRange(max(0, start - shift)..<end, total: length)
        case .word("later") where end - start > shift:
            struck.setRange(start + shift..<end, total: length)
        case .word("short") where end - start > shift:
            struck.setRange(start..<start + (end - start) / 2, total: length)
        case .word("total"): struck.setRange(asked, total: length + shift)
        case .word("missing"): struck.headers["Content-Range"] = nil
        default: return nil
        }
        return struck
    }

    /// A 206 with `*` in the place of the total (RFC 9110, 14.4).
    func withoutTotal() -> ResponsePlan? {
        guard plan.status == 206, let range = plan.headers["Content-Range"],
            let slash = range.lastIndex(of: "/")
        else { return nil }
        var struck = plan
        struck.headers["Content-Range"] = range[...slash] + "*"
        return struck
    }

    /// 304 to a resumption.
    func notModified() -> ResponsePlan? {
        guard request.ifRange != nil || plan.body?.lowerBound ?? 0 > 0 else { return nil }
        var struck = ResponsePlan(status: 304)
        for name in ["ETag", "Last-Modified"] { struck.headers[name] = plan.headers[name] }
        struck.headers["Content-Length"] = String(length)
        return struck
    }

    func refusingHead() -> ResponsePlan? {
        request.method == "HEAD" ? ResponsePlan(status: 405, headers: ["Allow": "GET"]) : nil
    }

    /// One more redirect of this origin.
    var redirect: ResponsePlan {
        ResponsePlan(status: 302, headers: ["Location": "\(request.path)?hop=\(request.hop + 1)"])
    }

    func moved() -> ResponsePlan? {
        guard !request.path.hasPrefix(Self.newHome) else { return nil }
        return ResponsePlan(status: 302, headers: ["Location": Self.newHome + request.path])
    }

    func breakingOff(after count: Int64, by ending: Delivery.Ending) -> ResponsePlan? {
        guard plan.bodyLength > count else { return nil }
        var struck = plan
        struck.delivery.breakOff = .init(after: count, ending: ending)
        return struck
    }

    func overlong(by surplus: Int64) -> ResponsePlan? {
        guard plan.hasBody else { return nil }
        var struck = plan
        struck.delivery.surplus = surplus
        return struck
    }

    /// The requested ranges as parts (RFC 9110, 14.6).
    func multipart() -> ResponsePlan? {
        var ranges: [Range<Int64>] = []
        if plan.status == 206, let body = plan.body {
            ranges = [body]
        } else if plan.status == 200, let header = request.range,
            case .several(let several) = RangeHeader(header, length: length)
        {
            ranges = several
        }
        guard !ranges.isEmpty else { return nil }
        let boundary = "part-of-the-video"
        var parts: [Delivery.Piece] = []
        for range in ranges {
            let head = """
                --\(boundary)\r\nContent-Type: \(served.contentType)\r\n\
                Content-Range: \(ResponsePlan.contentRange(range, total: length))\r\n\r\n
                """
            parts += [.literal(Array(head.utf8)), .positions(range), .literal(Array("\r\n".utf8))]
        }
        parts.append(.literal(Array("--\(boundary)--\r\n".utf8)))
        var struck = plan
        struck.status = 206
        struck.headers["Content-Range"] = nil
        struck.headers["Content-Type"] = "multipart/byteranges; boundary=\(boundary)"
        struck.body = ranges.count == 1 ? ranges[0] : nil
        struck.delivery.parts = parts
        struck.headers["Content-Length"] = String(struck.bodyLength)
        return struck
    }
}
