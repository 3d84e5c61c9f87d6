/// Who wants what a response brings; called on the thread that performs the request.
protocol ResponseTarget: AnyObject {
    /// Says which version the body belongs to, or throws when it must not come.
    ///
    /// - Parameter facts: what the head tells; nil when it brings no body.
    /// - Returns: the version.
    /// - Throws: why the body must not come.
    func version(for facts: ContentInformation?) throws -> VideoVersion
    /// Hands over bytes that have come, before they are saved (S1).
    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64)
    /// Says that everything before the position is saved.
    func saved(upTo position: Int64)
    /// Says that some bytes had no room in the store: they are not there to be read again (C6).
    func hadNoRoom()
    /// Decides what follows a save that failed: throws to end the request, or goes on unsaved.
    func saveFailed(_ error: CacheError) throws
    /// Decides after each read whether to go on; throws to end the request.
    ///
    /// - Parameter position: where the next byte belongs.
    /// - Throws: `EnoughCame` when nothing more is wanted, or why it is over.
    func goOn(at position: Int64) throws
}

/// Takes the answer to a request for a video's bytes: judges its head, saves its body.
final class VideoResponse: HTTPResponseHandler {
    private let judge: ResponseJudge
    private let context: RequestContext
    private let target: any ResponseTarget
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private var version: VideoVersion?
    // Bytes of the body that lie before the wanted position.
    private var skip: Int64 = 0
    // Where the body must not go beyond; nil when nobody knows where it ends.
    private var end: Int64?
    private var learntLength: Int64?
    private var isFramed = false
    private var isSaving = true
    // True when the body was ended from this side, before its own end.
    private var wasEnough = false

    /// What saves the body; nil until the head was found good.
    private(set) var saver: IncrementalSaver?
    /// Where the next byte belongs.
    private(set) var position: Int64
    /// How long the origin wants to be left alone.
    private(set) var retryAfter: Duration?

    /// An answer that has not come yet.
    ///
    /// - Parameters:
    ///   - judge: knows what was asked.
    ///   - context: what the request belongs to.
    ///   - target: takes what it brings.
    ///   - watcher: watches the request.
    ///   - phases: where the download is.
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
            begin(try target.version(for: facts))
        case .wholeNeeded: throw RepresentationChanged(facts: nil)
        case .changed(let facts): throw RepresentationChanged(facts: facts)
        case .atEnd(let length):
            version = try target.version(for: nil)
            learntLength = length
            throw EnoughCame()
        }
    }

    private func begin(_ version: VideoVersion) {
        self.version = version
        saver = IncrementalSaver(
            version: version, start: judge.start, store: context.store,
            schedule: context.schedule, observer: watcher, phases: phases)
    }

    // Bytes that are to be skipped are none of the request's: only `body` can tell them apart.
    var arrivalCounter: (@Sendable (Int) -> Void)? { skip == 0 ? watcher.arrivalCounter : nil }

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
        // Checked after the bytes are taken: what came before the cancel is saved too (S3).
        if context.cancellation.isCancelled { throw TransportError.cancelled }
        // At its announced end a body ends by itself, and leaves the connection for the next.
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

    /// Saves the remainder (S2), and notes the length where only the end could tell it.
    ///
    /// - Parameter endedWell: true when the response came to its end, or nothing more was wanted.
    /// - Throws: what the target throws when the save fails.
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
