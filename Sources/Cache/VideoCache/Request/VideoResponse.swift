/// Uses what a response brings; called on the thread that performs the request.
protocol ResponseTarget: AnyObject {
    /// Returns the version that the body belongs to, or throws if the body must not be read.
    ///
    /// - Parameter facts: the information from the head; nil if there is no body.
    /// - Returns: the version.
    /// - Throws: why the body must not be read.
    func version(for facts: ContentInformation?) throws -> VideoVersion
    /// Passes on received bytes, before they are saved (S1).
    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64)
    /// Reports that everything before the position is saved.
    func saved(upTo position: Int64)
    /// Reports that the store had no room for some bytes, so they cannot be read from it (C6).
    func hadNoRoom()
    /// Decides after a failed save: throws to end the request, or returns to continue unsaved.
    func saveFailed(_ error: CacheError) throws
    /// Decides after each read whether to continue; throws to end the request.
    ///
    /// - Parameter position: the position of the next byte.
    /// - Throws: `EnoughCame` if nothing more is wanted, or why the request must end.
    func goOn(at position: Int64) throws
}

/// Handles the response to a request for a video's bytes: checks its head, saves its body.
final class VideoResponse: HTTPResponseHandler {
    private let judge: ResponseJudge
    private let context: RequestContext
    private let target: any ResponseTarget
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private var version: VideoVersion?
    // The number of bytes of the body that lie before the wanted position.
    private var skip: Int64 = 0
    // The position that the body must not exceed; nil if it is unknown.
    private var end: Int64?
    private var learntLength: Int64?
    private var isFramed = false
    private var isSaving = true
    // True if this side ended the body early.
    private var wasEnough = false

    /// Saves the body; nil until the head was accepted.
    private(set) var saver: IncrementalSaver?
    /// The position of the next byte.
    private(set) var position: Int64
    /// The delay that the origin asks for with `Retry-After`.
    private(set) var retryAfter: Duration?

    /// Creates a handler for a response that has not arrived yet.
    ///
    /// - Parameters:
    ///   - judge: holds the request and checks the head.
    ///   - context: the context of the request.
    ///   - target: uses the bytes.
    ///   - watcher: watches the request.
    ///   - phases: tracks the download's phase.
    init(
        judge: ResponseJudge, context: RequestContext, target: any ResponseTarget,
        watcher: any RequestObserver, phases: PhaseTracker
    ) {
        self.judge = judge
        self.context = context
        self.target = target
        self.watcher = watcher
        self.phases = phases
        position = judge.start
    }

    func head(_ head: HTTPResponseHead) throws {
        retryAfter = RetryAfter.duration(head)
        isFramed = head.isFramed
        switch try judge.judge(head) {
        case .body(let skip, let end, let facts):
            self.skip = skip
            self.end = end
            try begin(try target.version(for: facts), head)
        case .wholeNeeded: throw RepresentationChanged(facts: nil)
        case .changed(let facts): throw RepresentationChanged(facts: facts)
        case .atEnd(let length):
            version = try target.version(for: nil)
            learntLength = length
            throw EnoughCame()
        }
    }

    private func begin(_ version: VideoVersion, _ head: HTTPResponseHead) throws {
        self.version = version
        saver = IncrementalSaver(
            version: version, start: judge.start, store: context.store,
            schedule: EncryptedSchedule.schedule(context.schedule, of: head, url: context.url),
            observer: watcher, phases: phases)
        if let shortage = context.reserve?.shortage { try giveUpSaving(shortage) }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        let skipped = Int(min(skip, Int64(bytes.count)))
        skip -= Int64(skipped)
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
        watcher.received(bytes.count)
        phases.enter(.receiving)
        let room = end.map { max(0, $0 - position) } ?? Int64.max
        let wanted = Int(min(Int64(bytes.count), room))
        if wanted > 0 { try take(UnsafeRawBufferPointer(rebasing: bytes[..<wanted])) }
        if wanted < bytes.count {
            throw DownloadError.wrongRange(
                url: context.url, asked: judge.request.rangeHeader ?? "the whole",
                answered: "more")
        }
        // Checked after the bytes are taken: bytes from before the cancellation are saved too (S3).
        if context.cancellation.isCancelled { throw TransportError.cancelled }
        // At its announced end a body ends by itself, and the connection can be reused.
        if position != end { try askToGoOn() }
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
        version?.noteBytes()
        target.arrived(bytes, at: position)
        position += Int64(bytes.count)
        guard isSaving, let saver else { return }
        do {
            try saver.append(bytes)
            noteSaved(by: saver)
        } catch {
            try giveUpSaving(error)
        }
    }

    /// Saves the remainder (S2), and records a length that only the end revealed.
    ///
    /// - Parameter endedWell: true if the response ended normally, or nothing more was wanted.
    /// - Throws: what the target throws if the save fails.
    func finish(endedWell: Bool) throws {
        do {
            if isSaving, let saver {
                try saver.finish()
                noteSaved(by: saver)
            }
            guard endedWell, let version else { return }
            if saver != nil, isSaving { try version.settle() }
            try noteEnd(of: version)
        } catch {
            try giveUpSaving(error)
        }
    }

    private func noteSaved(by saver: IncrementalSaver) {
        if saver.hadRoomForAll { target.saved(upTo: saver.savedEnd) } else { target.hadNoRoom() }
    }

    private func noteEnd(of version: VideoVersion) throws(CacheError) {
        if let learntLength { return try version.learn(length: learntLength) }
        guard judge.request.target == .whole, !wasEnough, version.end == nil else { return }
        if isFramed {
            try version.learn(length: position)
        } else {
            version.noteEnd(position)
        }
    }

    private func giveUpSaving(_ error: CacheError) throws {
        isSaving = false
        watcher.saveFailed(error)
        try target.saveFailed(error)
    }
}
