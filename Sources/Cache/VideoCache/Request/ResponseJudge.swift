/// Decides from the head of a response which bytes of the video it brings; what is not exactly
/// understood is refused, so that no byte is written at a wrong position.
struct ResponseJudge {
    enum Verdict: Equatable {
        /// The video's bytes; the first `skip` of them lie before the wanted position. `isKnown` is
        /// true if they are shown to be of the known version.
        case body(skip: Int64, end: Int64?, facts: ContentInformation, isKnown: Bool)
        /// The whole video, with this information, where a range was requested.
        case whole(ContentInformation)
        /// Nothing usable in this form: only a request for the whole may help (K2). `toldLength` is
        /// the video's size, where the answer told it.
        case refused(toldLength: Int64?)
        /// The bytes that were asked for, which nothing shows to be of the known version.
        case unnamed
        /// Bytes of another version, with this information.
        case changed(ContentInformation)
        /// No bytes, because the video ends at the wanted position.
        case atEnd(length: Int64)
    }

    /// The most bytes before the wanted position that are accepted and skipped.
    static let largestSkip: Int64 = 1 << 20

    let request: HTTPRequest
    let start: Int64
    let belief: Belief
    /// True if kept bytes show, or have just shown, which version the origin sends.
    private let isCompared: Bool

    private var known: ContentInformation? { belief.known }

    /// Creates a judge of the answer to a request; one for the whole needs to know what is `kept`.
    init(
        request: HTTPRequest, start: Int64, known: ContentInformation?, kept: Belief.Kept? = nil,
        toldLength: Int64? = nil, isCompared: Bool = false
    ) {
        (self.request, self.start, self.isCompared) = (request, start, isCompared)
        belief = Belief(url: request.url, known: known, kept: kept, toldLength: toldLength)
    }

    func judge(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        request.target == .whole ? try judgeWhole(head) : try judgeRange(head)
    }

    private func judgeWhole(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        let contentRange = head["content-range"].flatMap(ContentRange.init)
        let isPart = head.status == 206 && !(contentRange?.isWhole ?? false)
        guard [200, 203, 206].contains(head.status), !isPart else { throw statusError(head) }
        try head.refuseEncoding(url: request.url)
        try head.refuseUnreadableLength(url: request.url)
        try refusePart(head, contentRange)
        let wasSeenWithoutRanges = known?.acceptsRanges == false
        var facts = ContentInformation(
            head: head, length: head.contentLength ?? contentRange?.total,
            acceptsRanges: wasSeenWithoutRanges ? false : nil)
        let isKnown = belief.isKnown(facts)
        // The end of a connection does not contradict a length that was told before (K9).
        if facts.length == nil, !head.isFramed { facts.length = belief.toldLength }
        if facts.length == nil, isKnown || !head.isFramed && !belief.hasOwnValidator(facts) {
            facts.length = known?.length
        }
        try belief.refuseUnproven(facts, isKnown: isKnown)
        return .body(skip: 0, end: facts.length, facts: facts, isKnown: isKnown)
    }

    private func judgeRange(_ head: HTTPResponseHead) throws(DownloadError) -> Verdict {
        let contentRange = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 206:
            if !head.isMultipart, let contentRange, let range = contentRange.range {
                return try judgePart(head, range, total: contentRange.total)
            }
            return judgeNothing(head, total: contentRange?.total)
        case 200, 203:
            return .whole(
                ContentInformation(head: head, length: head.contentLength, acceptsRanges: false))
        case 416: return judgeNothing(head, total: contentRange?.total)
        // 304 answers a condition that was not sent, so the cached bytes cannot be trusted.
        case let code where code == 304 || RefusedForm.isLikely(code):
            return .refused(toldLength: nil)
        default: throw statusError(head)
        }
    }

    /// Judges an answer without bytes, which may tell where the video ends.
    private func judgeNothing(_ head: HTTPResponseHead, total: Int64?) -> Verdict {
        let isFitting = total == start && known?.length ?? start == start
        // That a video is empty needs a validator (K1), which a 416 seldom has.
        guard isFitting, start > 0 || known?.validator != nil else {
            return .refused(toldLength: total)
        }
        return .atEnd(length: start)
    }

    private func judgePart(
        _ head: HTTPResponseHead, _ range: ByteRange, total: Int64?
    ) throws(DownloadError) -> Verdict {
        try head.refuseEncoding(url: request.url)
        let facts = ContentInformation(head: head, length: total, acceptsRanges: true)
        if let known, known.contradicts(facts) { return .changed(facts) }
        if let length = known?.length, range.end > length { return .changed(facts) }
        // Without the condition, the answer itself must show whose bytes it brings.
        if request.ifRange == nil, let known, let validator = known.validator,
            facts.validator != validator,
            !(facts.strongETag.map { known.otherETags.contains($0) } ?? false)
        {
            return .refused(toldLength: nil)
        }
        // A page may be sent in parts, and with the same total, which then joined the video (K1).
        if facts.validator == nil || facts.validator != known?.validator, known != nil,
            belief.isOfOtherKind(facts)
        {
            return .refused(toldLength: nil)
        }
        // A server that has ignored the condition does not repeat the validator (RFC 9110, 15.3.7).
        if !isCompared, let known, known.validator != nil, !known.isProvenSame(as: facts),
            facts.lastModified == nil || facts.length == nil
                || (facts.lastModified, facts.length) != (known.lastModified, known.length)
        {
            return .unnamed
        }
        // A server may begin earlier than requested; a later start leaves a gap.
        guard range.offset <= start, range.end > start, start - range.offset <= Self.largestSkip
        else { return .refused(toldLength: nil) }
        try belief.refuseUnproven(facts, isKnown: known != nil)
        return .body(skip: start - range.offset, end: range.end, facts: facts, isKnown: true)
    }

    private func statusError(_ head: HTTPResponseHead) -> DownloadError {
        if head.status == 206 {
            return .notTheVideo(
                url: request.url, answer: .part(head["content-range"] ?? "206, and no range"))
        }
        let pause = head.retryAfter?.components.seconds ?? 0
        guard pause > 0, [429, 503].contains(head.status) else {
            return .status(url: request.url, code: head.status)
        }
        return .busy(url: request.url, code: head.status, seconds: Int(pause))
    }
}

extension ResponseJudge {
    /// Throws if a 200 says that it is not the whole, for which what is cached must not go (K1).
    private func refusePart(
        _ head: HTTPResponseHead, _ contentRange: ContentRange?
    ) throws(DownloadError) {
        if head.isMultipart {
            throw .notTheVideo(url: request.url, answer: .part("multipart/byteranges"))
        }
        guard let text = head["content-range"] else { return }
        let length = head.contentLength ?? contentRange?.total
        let isWhole = contentRange.map { $0.range == nil || $0.isWhole } ?? false
        guard isWhole, contentRange?.total == length else {
            throw .notTheVideo(url: request.url, answer: .part(text))
        }
    }
}
