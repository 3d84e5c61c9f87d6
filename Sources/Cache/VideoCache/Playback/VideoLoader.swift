internal import Synchronization

/// Serves ranges of videos to players, from the cache and from the network as bytes arrive (C3–C9,
/// S1–S3, F1–F4).
///
/// Any number of readers may read any number of videos at once. Readers that want the same bytes
/// share one running download. It ends where cached bytes or another download begin, when no reader
/// wants its next byte, and when it is far enough ahead of its readers. Each running download is
/// one active request, with one threshold, for the loss bound (B1).
///
/// If the store cannot accept bytes, playback continues without it; the request's observer is told
/// (``RequestObserver/saveFailed(_:)-(CacheError)``).
public final class VideoLoader: Sendable {
    /// The settings of a loader; an immutable value (S5).
    public struct Options: Sendable {
        /// When the bytes of a video's requests are saved; called for each download.
        public var schedule: @Sendable (_ url: String) -> any SaveSchedule
        /// How often a failed request is retried.
        public var retry: RetryPolicy
        /// The smallest read-ahead, in bytes; less would end a request after every other read.
        public static let minimumReadAhead: Int64 = 128 << 10

        /// How far a running download may be ahead of its readers, in bytes; at least 128 KB.
        ///
        /// As many bytes ahead of a reader are protected from eviction, so choose less than a
        /// quarter of the cache's capacity.
        public var readAhead: Int64
        /// When the origin of a stored video is asked whether it is still the same (RFC 9111).
        public var revalidation: Revalidation

        /// Creates options; by default 512 KB, three retries, 32 MB, and asking about what is no
        /// longer fresh.
        public init(
            schedule: @escaping @Sendable (_ url: String) -> any SaveSchedule = { _ in
                SavePolicy.default
            },
            retry: RetryPolicy = .default, readAhead: Int64 = 32 << 20,
            revalidation: Revalidation = .stale
        ) {
            (self.revalidation, self.schedule, self.retry) = (revalidation, schedule, retry)
            self.readAhead = max(Self.minimumReadAhead, readAhead)
        }
    }

    // Beyond this number, idle sessions are removed.
    private static let keptSessions = 64

    private let cache: VideoCache
    let transport: any HTTPTransport
    let options: Options
    let observer: any CacheObserver
    private let runningCount = Atomic(0)
    private let lastReader = Atomic(0)
    private let sessions = Mutex(Sessions())

    private struct Sessions {
        var byURL: [String: VideoSession] = [:]
        var isClosed = false
    }

    /// Creates a loader over a cache.
    ///
    /// - Parameters:
    ///   - cache: where bytes are stored; must stay open until the loader is closed.
    ///   - transport: sends requests to origins.
    ///   - options: the loader's settings.
    ///   - observer: watches what happens; called on many threads.
    public init(
        cache: VideoCache, transport: any HTTPTransport, options: Options = Options(),
        observer: any CacheObserver = SilentObserver()
    ) {
        (self.cache, self.transport, self.options) = (cache, transport, options)
        self.observer = observer
    }

    var store: any ChunkStore { cache.store }
    var clock: CacheClock { cache.clock }

    /// What ``information(of:fields:)`` returns, on the calling thread.
    package func information(
        of url: String, fields: HTTPFields = HTTPFields(),
        cancellation: Cancellation = Cancellation()
    ) throws -> ContentInformation {
        try known(of: url, for: .none, fields: fields, cancellation: cancellation).information
    }

    /// The same for a player that may have a wish of its own.
    func known(
        of url: String, for wish: FreshnessWish, fields: HTTPFields = HTTPFields(),
        cancellation: Cancellation
    ) throws -> KnownVideo {
        // Registered as a reader, so that the session is not removed meanwhile.
        let (session, number) = session(of: url) { ($0, $0.addReader(range: nil)) }
        defer { session.removeReader(number) }
        try session.refresh()
        let found = try session.currentVersion(
            for: wish, fields: fields, cancellation: cancellation)
        return KnownVideo(information: found.version.information, unconfirmed: found.unconfirmed)
    }

    /// True if what is known about a video may be used without asking its origin.
    package func isFresh(_ information: ContentInformation, for wish: FreshnessWish) -> Bool {
        standing(of: information, for: self.wish(wish)) == .fresh
    }

    /// The milliseconds since 1970, by the cache's clock.
    package var now: Int64 { clock.now }

    /// True while neither the loader nor a fetch downloads: a lookup waits for no save then.
    package var isQuiet: Bool {
        runningCount.load(ordering: .acquiring) == 0 && cache.running.isEmpty
    }

    /// Creates a reader of a range of a video.
    ///
    /// Nothing is requested from the network before its first ``VideoReader/next(limit:)``.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - range: the bytes to read, cut at the video's end; nil reads the whole video, even one of
    ///     unknown length.
    ///   - fields: more header fields of the requests that this reader makes necessary, such as a
    ///     `Referer`. Of several readers that wait for the same download, those of the one that it was
    ///     started for count. They do not change what is found in the cache.
    /// - Returns: a reader at the range's start.
    public func reader(
        of url: String, range: ByteRange?, fields: HTTPFields = HTTPFields()
    ) -> VideoReader {
        let reader = read(of: url, in: range, fields: fields)
        reader.open()
        return reader
    }

    /// Creates a reader that begins with its first work; asks no origin that was asked already.
    package func read(
        of url: String, in range: ByteRange?, asks: Bool = true, fields: HTTPFields = HTTPFields()
    ) -> VideoReader {
        let (session, number) = session(of: url) {
            ($0, $0.addReader(range: range, fields: fields))
        }
        return VideoReader(loader: self, session: session, number: number, asks: asks)
    }

    /// Cancels all running downloads, saves what they received (S2, S3), and waits for them and for
    /// readers that are using the store.
    ///
    /// From then on readers throw ``TransportError/cancelled``, also readers of videos that were
    /// not requested before. The cache may then be closed.
    public func close() {
        let open = sessions.withLock { sessions in
            sessions.isClosed = true
            return Array(sessions.byURL.values)
        }
        for session in open { session.close() }
    }

    /// Finds or creates the session of a video, and uses it before it can be removed.
    private func session<Value: Sendable>(of url: String, use: (VideoSession) -> Value) -> Value {
        sessions.withLock { sessions in
            if sessions.byURL.count >= Self.keptSessions, sessions.byURL[url] == nil {
                sessions.byURL = sessions.byURL.filter { !$0.value.isIdle }
            }
            let session =
                sessions.byURL[url]
                ?? VideoSession(url: url, loader: self, isClosed: sessions.isClosed)
            sessions.byURL[url] = session
            return use(session)
        }
    }
}

extension VideoLoader {
    func nextReader() -> Int { lastReader.add(1, ordering: .relaxed).newValue }

    func context(url: String, fields: HTTPFields, cancellation: Cancellation) -> RequestContext {
        RequestContext(
            url: url, store: store, reserve: cache.reserve, transport: transport,
            schedule: options.schedule(url), observer: observer, cancellation: cancellation,
            clock: clock, fields: fields)
    }

    /// A player's wish, and what the loader's settings add to it.
    func wish(_ wish: FreshnessWish) -> FreshnessWish {
        options.revalidation == .always ? .asking : wish
    }

    func standing(
        of information: ContentInformation, for wish: FreshnessWish
    ) -> Freshness.Standing {
        guard let freshness = information.freshness else {
            // Nothing was said: fresh. Only a wish for an age, which is not known, is not met.
            return wish.asks || wish.maxAge != nil ? .stale : .fresh
        }
        return freshness.standing(at: clock.now, for: wish)
    }

    /// Runs the work on a thread of its own, because the transport blocks; the loader lives as long.
    func detach(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        runningCount.add(1, ordering: .acquiringAndReleasing)
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
        let left = runningCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        if left == 0 { observer.entered(.idle) }
    }
}
