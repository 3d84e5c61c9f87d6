/// Uses what a response brings; called on the thread that performs the request.
protocol ResponseTarget: AnyObject {
    /// Returns the version that a body with these facts, or an answer without one, belongs to, or
    /// throws if it must not be read; `isKnown` if its bytes are shown to be of the known version.
    func version(for facts: ContentInformation?, isKnown: Bool) throws -> VideoVersion
    /// Passes on received bytes, before they are saved (S1).
    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64)
    func saved(upTo position: Int64)
    /// Reports that the store had no room for some bytes, so they cannot be read from it (C6).
    func hadNoRoom()
    /// After a failed save, or if nothing may be stored: throws to end the request, or goes on.
    func cannotSave(_ error: any Error) throws
    /// Decides after each read: throws why the request must end; `EnoughCame` if no more is wanted.
    func goOn(at position: Int64) throws
}

/// Handles the response to a request for a video's bytes: checks its head, saves its body.
final class VideoResponse: HTTPResponseHandler {
    private let judge: ResponseJudge
    private let context: RequestContext
    private let target: any ResponseTarget
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private let overlap: Overlap?
    private var version: VideoVersion?
    // The number of bytes of the body that lie before the wanted position.
    private var skip: Int64 = 0
    // The position that the body must not exceed; nil if it is unknown.
    private var end: Int64?
    private var learntLength: Int64?
    private var isFramed = false
    private var announcesLength = false
    private var facts: ContentInformation?
    private var isKnown = false
    private var schedule: (any SaveSchedule)?
    // Until so many bytes have come, the answer may prove to be no version of the video (K1).
    private var doubtfulBytes: Int64 = 0
    private var held: [UInt8] = []
    private var isSaving = true
    // The last byte before an end that only earlier answers have told: used once the body has ended.
    private var lastByte: UInt8?
    private let asked: Int64
    // True if this side ended the body early.
    private var wasEnough = false

    /// Saves the body; nil until the head was accepted.
    private(set) var saver: IncrementalSaver?
    private(set) var position: Int64
    private(set) var retryAfter: Duration?

    /// The body has to begin with the bytes of `overlap`; nil if its head is enough.
    init(
        judge: ResponseJudge, context: RequestContext, target: any ResponseTarget,
        watcher: any RequestObserver, phases: PhaseTracker, overlap: Overlap? = nil
    ) {
        (self.overlap, self.judge, self.context, self.target) = (overlap, judge, context, target)
        (self.watcher, self.phases) = (watcher, phases)
        position = judge.start
        asked = context.clock.now
    }

    func head(_ head: HTTPResponseHead) throws {
        retryAfter = head.retryAfter
        isFramed = head.isFramed
        announcesLength = head.contentLength != nil
        switch try judge.judge(head) {
        case .body(let skip, let end, var facts, let isKnown):
            facts.freshness = Freshness(head, asked: asked, received: context.clock.now)
            (self.skip, self.end, self.facts, self.isKnown) = (skip, end, facts, isKnown)
            schedule = EncryptedSchedule.schedule(context.schedule, of: head, url: context.url)
            doubtfulBytes = isKnown ? 0 : judge.belief.doubtfulBytes(of: facts)
            if let overlap, overlap.range.offset < judge.start - skip {
                throw DownloadError.wrongRange(
                    url: context.url, asked: judge.request.rangeHeader ?? "the whole",
                    answered: head["content-range"] ?? "no range")
            }
            if doubtfulBytes == 0 { try begin() }
        case .whole(let facts):
            let isSame = judge.belief.known?.isProvenSame(as: facts) ?? false
            throw RepresentationChanged(
                refused: facts, isConditionIgnored: isSame && judge.request.ifRange != nil)
        case .refused(let toldLength): throw RepresentationChanged(toldLength: toldLength)
        case .unnamed: throw RepresentationChanged(isUnnamed: true)
        case .changed(var facts):
            facts.freshness = Freshness(head, asked: asked, received: context.clock.now)
            throw RepresentationChanged(facts: facts)
        case .atEnd(let length):
            version = try target.version(for: nil, isKnown: true)
            learntLength = length
            throw EnoughCame()
        }
    }

    /// Begins to use the body, with what was held back of it.
    private func begin() throws {
        guard version == nil, let facts, let schedule else { return }
        let refusal = DownloadError.notStorable(url: context.url)
        if facts.isForbidden { try target.cannotSave(refusal) }
        let version = try target.version(for: facts, isKnown: isKnown)
        self.version = version
        // What it brings of a stored version confirms all of that (RFC 9111, 3.4).
        if isKnown { version.renew(facts.freshness, at: context.clock.now) }
        if facts.isForbidden || version.information.isForbidden {
            isSaving = false
            try target.cannotSave(refusal)
        }
        saver = IncrementalSaver(
            version: version, start: judge.start, lead: overlap?.range.length ?? 0,
            store: context.store, schedule: schedule, observer: watcher, phases: phases)
        if let shortage = context.reserve?.shortage { try giveUpSaving(shortage) }
        let bytes = held
        held = []
        if !bytes.isEmpty { try bytes.withUnsafeBytes { try use($0, at: judge.start) } }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        let skipped = Int(min(skip, Int64(bytes.count)))
        watcher.received(
            bytes.count - skipped
                + (try compare(UnsafeRawBufferPointer(rebasing: bytes[..<skipped]))))
        skip -= Int64(skipped)
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
        phases.enter(.receiving)
        let room = end.map { max(0, $0 - position) } ?? Int64.max
        let wanted = Int(min(Int64(bytes.count), room))
        // Without it a longer body, whose beginning is all that was told, is not complete (K19).
        let holdsBack = mayBeLonger && wanted > 0 && Int64(wanted) == room
        let used = holdsBack ? wanted - 1 : wanted
        if used > 0 { try take(UnsafeRawBufferPointer(rebasing: bytes[..<used])) }
        if wanted < bytes.count || lastByte != nil { throw surplus(bytes.count - used) }
        if holdsBack { lastByte = bytes[used] }
        // Checked after the bytes are taken: bytes from before the cancellation are saved too (S3).
        if context.cancellation.isCancelled { throw TransportError.cancelled }
        // At its announced end a body ends by itself, and the connection can be reused.
        if position != end { try askToGoOn() }
    }

    /// True for a whole whose head does not say where it ends.
    private var mayBeLonger: Bool { judge.request.target == .whole && !announcesLength }

    private func surplus(_ count: Int) -> DownloadError {
        guard mayBeLonger else {
            return .wrongRange(
                url: context.url, asked: judge.request.rangeHeader ?? "the whole", answered: "more")
        }
        // It contradicts the length that was told before, so it must not end as complete (K19).
        isSaving = false
        return .otherLength(
            url: context.url, told: end ?? position,
            came: position + Int64(count) + (lastByte == nil ? 0 : 1))
    }

    /// Compares bytes from before the wanted position, and returns how many of them were asked for.
    private func compare(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        guard let overlap, !bytes.isEmpty else { return 0 }
        let came = ByteRange(offset: position - skip, length: Int64(bytes.count))
        guard overlap.agrees(with: bytes, at: came.offset) else {
            throw RepresentationChanged(facts: facts, isShown: true)
        }
        if overlap.isShown, let facts {
            do {
                try version?.agree(with: facts)
            } catch {
                try giveUpSaving(error)
            }
        }
        return Int(came.intersection(overlap.range)?.length ?? 0)
    }

    private func askToGoOn() throws {
        do {
            try target.goOn(at: position)
        } catch is EnoughCame {
            wasEnough = true
            throw EnoughCame()
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws {
        let start = position
        position += Int64(bytes.count)
        guard version == nil else { return try use(bytes, at: start) }
        held.append(contentsOf: bytes)
        if Int64(held.count) >= doubtfulBytes { try begin() }
    }

    private func use(_ bytes: UnsafeRawBufferPointer, at start: Int64) throws {
        version?.noteBytes()
        target.arrived(bytes, at: start)
        guard isSaving, let saver else { return }
        do {
            try saver.append(bytes)
            noteSaved(by: saver)
        } catch {
            try giveUpSaving(error)
        }
    }

    /// Saves the remainder (S2), and records a length that only the end revealed; throws also if the
    /// end of the body shows that it is not what its head said.
    func finish(endedWell: Bool) throws {
        let end = Result { try judgeEnd(endedWell: endedWell) }
        // What was not believed is not saved, so that it does not replace what is cached (K1).
        if case .failure = end, !isKnown { isSaving = false }
        if endedWell, case .success = end { try begin() }
        watcher.willFinish(
            unsaved: isSaving ? saver?.unsavedBytes ?? 0 : nil,
            isCancelled: phases.current == .cancelling)
        do {
            if isSaving, let saver {
                try saver.finish()
                noteSaved(by: saver)
            }
            if endedWell, case .success = end, let version {
                if saver != nil, isSaving { try version.settle() }
                try noteEnd(of: version)
            }
        } catch {
            try giveUpSaving(error)
        }
        try end.get()
    }

    /// True once the body of an answer with the whole has ended by itself.
    private func isWholeOver(endedWell: Bool) -> Bool {
        endedWell && !wasEnough && judge.request.target == .whole && facts != nil
    }

    /// Judges a whole again, now that its length is known.
    private func judgeEnd(endedWell: Bool) throws {
        guard isWholeOver(endedWell: endedWell), var facts else { return }
        if let lastByte {
            self.lastByte = nil
            try withUnsafeBytes(of: lastByte) { try take($0) }
        }
        if let end, position < end {
            throw isFramed
                ? DownloadError.truncated(url: context.url, missing: end - position)
                : DownloadError.otherLength(url: context.url, told: end, came: position)
        }
        facts.length = position
        try judge.belief.refuseUnproven(
            facts, isKnown: judge.belief.isKnown(facts), isTold: end != nil)
    }

    private func noteSaved(by saver: IncrementalSaver) {
        if saver.hadRoomForAll { target.saved(upTo: saver.savedEnd) } else { target.hadNoRoom() }
    }

    private func noteEnd(of version: VideoVersion) throws(CacheError) {
        if let learntLength { return try version.learn(length: learntLength) }
        guard isWholeOver(endedWell: true), version.end == nil else { return }
        if !isFramed { watcher.endedUnannounced(at: position) }
        try version.learn(length: position)
    }

    private func giveUpSaving(_ error: CacheError) throws {
        isSaving = false
        watcher.saveFailed(error)
        try target.cannotSave(error)
    }
}
