/// What a process has found out about the validators of a version.
struct Doubt: Sendable, Hashable {
    /// How often validators may be doubted before they are believed.
    private static let most = 4
    /// How often a request is repeated for a version that comes in turn with another one.
    private static let mostTurns = 6

    /// True if the validators said that the version is another one, and bytes have to decide.
    private(set) var isOpen = false
    /// True if the origin sends parts without a validator: only bytes show which version they are of.
    private(set) var isUnnamed = false
    /// The entity tag that came in the place of a known one.
    private(set) var tag: String?
    private var count = 0
    private var turns = 0
    /// True if bytes from farther back were compared, or all came in this process.
    var hasSampled = false

    /// Doubts the validators, if bytes may show that they are wrong; false if they cannot be.
    mutating func open(about known: ContentInformation, _ change: RepresentationChanged) -> Bool {
        // Also where another request that was under way has found it out.
        if change.isUnnamed {
            isUnnamed = true
            return true
        }
        guard !change.isShown, count < Self.most, known.acceptsRanges,
            known.etag != nil || known.lastModified != nil,
            let seen = change.facts ?? change.refused, known.contradicts(seen),
            seen.length ?? known.length == known.length
        else { return false }
        // Without a condition the whole would not have been sent for it.
        guard change.refused == nil || !isOpen else { return false }
        count += 1
        isOpen = true
        tag = seen.etag
        return true
    }

    /// How often a tag that comes in turn is waited for: the looks of a round may meet one server.
    var patience: Int { 3 + max(1, count) }

    /// Counts a request that another version has answered in turn; false after the last one.
    mutating func mayTakeTurns() -> Bool {
        turns += 1
        return turns <= Self.mostTurns
    }

    mutating func settle() { (isOpen, tag, count, turns) = (false, nil, 0, 0) }
}

/// How a request goes on with bytes that are kept.
struct Continuation {
    var ifRange: String?
    /// What the answer may not contradict; nil if nothing is known.
    var known: ContentInformation?
    /// What the answer to a request for the whole would replace.
    var kept: Belief.Kept?
    var toldLength: Int64?
    /// The bytes with which the answer has to begin; nil if something else shows its version.
    var overlap: Overlap?
    /// True if kept bytes show its version, whatever else does.
    var isCompared = false
    /// True if nothing was kept that could be compared, because nothing has come yet.
    var isFirst = false

    /// The position from which the request asks, where the first wanted byte is at `position`.
    func start(at position: Int64) -> Int64 { overlap?.range.offset ?? position }

    func target(_ wanted: HTTPRequest.Target) -> HTTPRequest.Target {
        guard let overlap else { return wanted }
        return switch wanted {
        case .whole: .whole
        case .from: .from(overlap.range.offset)
        case .range(let range): .range(ByteRange(from: overlap.range.offset, to: range.end))
        }
    }
}

/// Shows by kept bytes that the origin still has the same version, where no validator can.
///
/// Two versions may have the same length. Without a strong entity tag or a date that tells them
/// apart, and where the tags of one version differ from answer to answer, only bytes that are asked
/// for again show of which version an answer is.
struct OverlapProof {
    // Damaged bytes are dropped, and others looked for.
    private static let mostRepairs = 8

    let context: RequestContext
    let phases: PhaseTracker
    let version: VideoVersion
    var tails: [KeptBytes.Tail] = []
    let count: () -> Void

    /// Decides how a request goes on; throws ``RepresentationChanged`` if there is another version.
    func continuation(at position: Int64) throws -> Continuation {
        let (known, doubt) = (version.information, version.doubt)
        let condition = known.otherETags.isEmpty && !doubt.isOpen ? version.condition : nil
        guard version.isCompared else { return Continuation(ifRange: condition, known: known) }
        for _ in 0..<Self.mostRepairs {
            let kept = KeptBytes(store: context.store, video: version.video, tails: tails)
            let ranges = try kept.ranges()
            guard !ranges.isEmpty else {
                guard version.isEmpty else { throw RepresentationChanged(facts: known) }
                version.doubt.hasSampled = true
                return Continuation(known: known.withoutValidators, isFirst: true)
            }
            var plan = OverlapPlan(ranges, before: position, hasSampled: doubt.hasSampled)
            // Behind the last byte nothing would follow the overlap, and that tells no end.
            if known.length == nil, !doubt.isOpen { plan.lookOnly() }
            let overlap = try plan.inLine.flatMap { try self.overlap($0, kept) }
            let looks = try plan.looks.compactMap { try self.overlap($0, kept) }
            // What is damaged was dropped, so that other bytes have to be compared.
            guard looks.count == plan.looks.count, (overlap == nil) == (plan.inLine == nil) else {
                continue
            }
            for look in looks { try self.look(look, doubt) }
            version.doubt.hasSampled = true
            let isEnough = plan.isEnough(of: ranges) || version.information.hasIdleTags
            return Continuation(
                ifRange: condition, known: isEnough ? known.withoutValidators : version.information,
                overlap: overlap, isCompared: true)
        }
        throw RepresentationChanged(facts: known)
    }

    private func overlap(_ range: ByteRange, _ kept: KeptBytes) throws(CacheError) -> Overlap? {
        try kept.bytes(of: range).map { Overlap(range, kept: $0) }
    }

    /// Asks for kept bytes, until they have come under the tag that is in doubt.
    private func look(_ overlap: Overlap, _ doubt: Doubt) throws {
        for _ in 0..<doubt.patience {
            let facts = try ask(for: overlap)
            try version.agree(with: facts)
            guard let tag = doubt.tag,
                version.information.contradicts(
                    ContentInformation(length: nil, acceptsRanges: true, etag: tag))
            else { return }
        }
    }

    private func ask(for overlap: Overlap) throws -> ContentInformation {
        let range = overlap.range
        overlap.reset()
        let request = HTTPRequest(
            url: context.url, target: .range(range), readSize: context.schedule.readSize)
        let watcher = context.observer.requestBegan(url: context.url, start: range.offset)
        phases.enter(.connecting)
        count()
        let response = LookResponse(
            judge: ResponseJudge(
                request: request, start: range.offset,
                known: version.information.withoutValidators),
            overlap: overlap, watcher: watcher, phases: phases)
        try context.perform(request, handler: response, watcher: watcher, phases: phases) { _ in }
        guard overlap.isShown, let facts = response.facts else {
            throw DownloadError.truncated(url: context.url, missing: range.length)
        }
        return facts
    }
}

/// Handles the response to a request for bytes that are only compared.
private final class LookResponse: HTTPResponseHandler {
    private let judge: ResponseJudge
    private let overlap: Overlap
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private var position: Int64 = 0
    private var end: Int64?

    private(set) var facts: ContentInformation?

    init(
        judge: ResponseJudge, overlap: Overlap, watcher: any RequestObserver, phases: PhaseTracker
    ) {
        (self.judge, self.overlap, self.watcher, self.phases) = (judge, overlap, watcher, phases)
    }

    func head(_ head: HTTPResponseHead) throws {
        switch try judge.judge(head) {
        case .body(let skip, let end, let facts, _):
            (self.facts, self.end) = (facts, end)
            position = judge.start - skip
        case .whole, .unnamed: throw RepresentationChanged(facts: nil, isShown: true)
        case .refused(let length): throw RepresentationChanged(toldLength: length, isShown: true)
        case .changed(let facts): throw RepresentationChanged(facts: facts, isShown: true)
        case .atEnd(let length): throw RepresentationChanged(toldLength: length, isShown: true)
        }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
        guard overlap.agrees(with: bytes, at: position) else {
            throw RepresentationChanged(facts: facts, isShown: true)
        }
        position += Int64(bytes.count)
        // At its announced end a body ends by itself, and the connection can be reused.
        if overlap.isShown, position != end { throw EnoughCame() }
    }
}

extension ContentInformation {
    var withoutValidators: Self {
        var bare = self
        (bare.etag, bare.lastModified, bare.otherETags) = (nil, nil, [])
        return bare
    }

    /// The information after an answer with these facts was shown to be of the same version.
    func joined(with facts: Self) -> Self {
        var joined = self
        joined.isComparedByBytes = true
        if let tag = facts.etag, etag != nil, tag != etag, !otherETags.contains(tag),
            otherETags.count < Self.mostTags
        {
            joined.otherETags.append(tag)
        }
        // A date that changes although the bytes do not names no version.
        if facts.etag == nil || etag == nil, let date = facts.lastModified, date != lastModified {
            joined.lastModified = nil
        }
        return joined
    }

    /// True if the tags change too often to name anything: a server may make up one for each answer.
    var hasIdleTags: Bool { otherETags.count >= Self.mostTags }

    private static let mostTags = 8
}
