internal import Synchronization

/// The state that all sessions of a loader share.
final class LoaderEngine: Sendable {
    let store: any ChunkStore
    private let reserve: DiskReserve?
    let transport: any HTTPTransport
    let options: VideoLoader.Options
    let observer: any CacheObserver
    let clock: CacheClock
    private let runningCount = Mutex(0)
    private let lastReader = Atomic(0)
    private let fetches: RunningFetches

    init(
        store: any ChunkStore, fetches: RunningFetches, reserve: DiskReserve?,
        transport: any HTTPTransport, options: VideoLoader.Options, observer: any CacheObserver,
        clock: CacheClock
    ) {
        self.clock = clock
        self.store = store
        self.fetches = fetches
        self.reserve = reserve
        self.transport = transport
        self.options = options
        self.observer = observer
    }

    /// True while neither the loader nor a fetch of the cache downloads: a lookup waits for no save
    /// of theirs then.
    var isQuiet: Bool { runningCount.withLock { $0 == 0 } && fetches.isEmpty }

    /// A number that no other reader of the loader has.
    func nextReader() -> Int { lastReader.add(1, ordering: .relaxed).newValue }

    /// The context of requests for a video, all with the same additional fields.
    func context(
        url: String, fields: HTTPFields, cancellation: Cancellation
    ) -> RequestContext {
        RequestContext(
            url: url, store: store, reserve: reserve, transport: transport,
            schedule: options.schedule(url), observer: observer, cancellation: cancellation,
            clock: clock, fields: fields)
    }

    /// A player's wish, and what the loader's settings add to it.
    func wish(_ wish: FreshnessWish) -> FreshnessWish {
        options.revalidation == .always ? .asking : wish
    }

    /// How what is known about a video may be used now.
    func standing(
        of information: ContentInformation, for wish: FreshnessWish
    ) -> Freshness.Standing {
        guard let freshness = information.freshness else {
            // Nothing was said: fresh. Only a wish for an age, which is not known, is not met.
            return wish.asks || wish.maxAge != nil ? .stale : .fresh
        }
        return freshness.standing(at: clock.now, for: wish)
    }

    /// Runs the work on a thread of its own, because the transport blocks.
    ///
    /// - Throws: ``ThreadError``; the work is not done then.
    func detach(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        runningCount.withLock { $0 += 1 }
        do {
            try WorkThread.start { [self] in
                work()
                noteEnd()
            }
        } catch {
            noteEnd()
            throw error
        }
    }

    private func noteEnd() {
        let left = runningCount.withLock { count in
            count -= 1
            return count
        }
        if left == 0 { observer.entered(.idle) }
    }
}
