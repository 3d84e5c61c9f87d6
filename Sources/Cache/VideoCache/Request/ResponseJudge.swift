/// Decides from the head of a response which bytes of the video it brings.
///
/// Pure, and used by everything that sends requests. Whatever is not exactly understood is refused,
/// so that a byte is never written at a wrong position.
struct ResponseJudge {
    /// What the response brings.
    enum Verdict: Equatable {
        /// The video's bytes; the first `skip` of them lie before the wanted position.
        case body(skip: Int64, end: Int64?, facts: ContentInformation)
        /// Nothing usable: the range or its condition failed, so the whole video must be requested.
        case wholeNeeded
        /// Bytes of another version, with this information.
        case changed(ContentInformation)
        /// No bytes, because the video ends at the wanted position.
        case atEnd(length: Int64)
    }

    /// The most bytes before the wanted position that are accepted and skipped.
    static let largestSkip: Int64 = 1 << 20

    /// The request.
    let request: HTTPRequest
    /// The first wanted position.
    let start: Int64
    /// What is known of the video.
    let known: ContentInformation?

    /// Examines a head.
    ///
    /// - Throws: ``DownloadError`` if the response cannot be used.
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
        // 304 answers a condition that was not sent, so the cached bytes cannot be trusted.
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
        // A server may begin earlier than requested; a later start leaves a gap.
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
    /// The size of the body according to the head, in bytes.
    var contentLength: Int64? {
        self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// True if a truncated body can be distinguished from a complete one.
    var isFramed: Bool {
        contentLength != nil
            || (self["transfer-encoding"]?.lowercased().contains("chunked") ?? false)
    }

    /// Throws if the body is encoded, because its bytes are then not the video's.
    func refuseEncoding(url: String) throws(DownloadError) {
        let encoding = self["content-encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else { throw .encoded(url: url, encoding: encoding) }
    }
}
