/// Judges by the head of an answer which bytes of the video it brings.
///
/// Pure, and shared by everything that asks an origin: what is not exactly understood is refused,
/// so that a byte is never written where it does not belong.
struct ResponseJudge {
    /// What the answer brings.
    enum Verdict: Equatable {
        /// The video's bytes: those before the wanted position are to be skipped.
        case body(skip: Int64, end: Int64?, facts: ContentInformation)
        /// Nothing that helps, but the whole may be asked for: the range or its condition failed.
        case wholeNeeded
        /// Bytes of another version, whose facts these are.
        case changed(ContentInformation)
        /// No bytes, since the video ends at the wanted position.
        case atEnd(length: Int64)
    }

    /// How many bytes before the wanted position are accepted, and thrown away, in bytes.
    static let largestSkip: Int64 = 1 << 20

    /// What was asked.
    let request: HTTPRequest
    /// The first byte position that is wanted.
    let start: Int64
    /// What is known of the video.
    let known: ContentInformation?

    /// Judges a head.
    ///
    /// - Throws: ``DownloadError`` when the answer cannot be used.
    func judge(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        request.target == .whole ? try judgeWhole(head) : try judgeRange(head)
    }

    private func judgeWhole(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        guard head.status == 200 else {
            throw .status(url: request.url, code: head.status)
        }
        try head.refuseEncoding(url: request.url)
        let wasSeenWithoutRanges = known?.acceptsRanges == false
        let facts = ContentInformation(
            head: head, length: head.contentLength,
            acceptsRanges: wasSeenWithoutRanges ? false : nil)
        return .body(skip: 0, end: facts.length, facts: facts)
    }

    private func judgeRange(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        let contentRange = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 206: return try judgePart(head, contentRange)
        // A 304 answers a question that was not asked: what is cached cannot be trusted then.
        case 200, 304: return .wholeNeeded
        case 416:
            let total = contentRange?.total
            if let total, total == start, known?.length ?? total == total {
                return .atEnd(length: total)
            }
            guard total == known?.length else { return .wholeNeeded }
            throw .status(url: request.url, code: head.status)
        default: throw .status(url: request.url, code: head.status)
        }
    }

    private func judgePart(
        _ head: HTTPResponseHead, _ contentRange: ContentRange?
    ) throws(DownloadError) -> Verdict {
        try head.refuseEncoding(url: request.url)
        guard let contentRange, let range = contentRange.range else { throw wrongRange(head) }
        let facts = ContentInformation(
            head: head, length: contentRange.total, acceptsRanges: true)
        if let known, known.contradicts(facts) { return .changed(facts) }
        // A server may begin earlier than asked; bytes that begin later help nobody.
        guard range.offset <= start, range.end > start, start - range.offset <= Self.largestSkip
        else { throw wrongRange(head) }
        return .body(skip: start - range.offset, end: range.end, facts: facts)
    }

    private func wrongRange(_ head: HTTPResponseHead) -> DownloadError {
        .wrongRange(
            url: request.url, asked: request.rangeHeader ?? "the whole",
            answered: head["content-range"] ?? "no range")
    }
}

extension HTTPResponseHead {
    /// The size that the head announces for the body, in bytes.
    var contentLength: Int64? {
        self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// True when a body that is cut can be told from a whole one.
    var isFramed: Bool {
        contentLength != nil
            || (self["transfer-encoding"]?.lowercased().contains("chunked") ?? false)
    }

    /// Throws when the body is encoded: its bytes are not the video's then.
    func refuseEncoding(url: String) throws(DownloadError) {
        let encoding = self["content-encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else { throw .encoded(url: url, encoding: encoding) }
    }
}
