internal import Synchronization

/// Serves ranges of videos to players: from the cache, and from the network as it comes
/// (C3–C9, S1–S3, F1–F4).
///
/// Any number of readers may read any number of videos at once. Readers that want the same bytes
/// share one running download, which ends where cached bytes or another download begin, when
/// nobody wants its next byte any more, and when it is far enough ahead of its readers. Each
/// running download is one active request, with one threshold, for the loss bound (B1).
///
/// When the store cannot take bytes, playing goes on without it; the request's observer is told
/// (``RequestObserver/saveFailed(_:)-(CacheError)``).
public final class VideoLoader: Sendable {
    /// How a loader works; an immutable value (S5).
    public struct Options: Sendable {
        /// When the bytes of a video's requests are saved; asked for each download.
        public var schedule: @Sendable (_ url: String) -> any SaveSchedule
        /// How often a failed request is sent again.
        public var retry: RetryPolicy
        /// The least read-ahead, in bytes: less would end a request after every other read.
        public static let minimumReadAhead: Int64 = 128 << 10

        /// How far a running download may be ahead of its readers, in bytes; at least 128 KB.
        ///
        /// So many bytes ahead of a reader are also kept from eviction: choose less than a
        /// quarter of the cache's capacity.
        public var readAhead: Int64

        /// Options as given; 512 KB, three retries and 32 MB unless told otherwise.
        public init(
            schedule: @escaping @Sendable (_ url: String) -> any SaveSchedule = { _ in
                SavePolicy.default
            },
            retry: RetryPolicy = .default, readAhead: Int64 = 32 << 20
        ) {
            self.schedule = schedule
            self.retry = retry
            self.readAhead = max(Self.minimumReadAhead, readAhead)
        }
    }

    // Beyond so many, those that nobody uses are forgotten.
    private static let keptSessions = 64

    private let engine: LoaderEngine
    private let sessions = Mutex(Sessions())

    private struct Sessions {
        var byURL: [String: VideoSession] = [:]
        var isClosed = false
    }

    /// A loader over a cache.
    ///
    /// - Parameters:
    ///   - cache: where bytes are kept; must stay open until the loader is closed.
    ///   - transport: how origins are asked.
    ///   - options: how the loader works.
    ///   - observer: watches what happens; called on many threads.
    public init(
        cache: VideoCache, transport: any HTTPTransport, options: Options = Options(),
        observer: any CacheObserver = SilentObserver()
    ) {
        engine = LoaderEngine(
            store: cache.store, transport: transport, options: options, observer: observer)
    }

    /// What the origin says about a video: from the cache when known, else by one request for
    /// bytes 0–1 (C3).
    ///
    /// Blocks while it asks.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - cancellation: ends the wait.
    /// - Returns: the facts; their length is nil as long as the origin has not told it.
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``.
    public func information(
        of url: String, cancellation: Cancellation = Cancellation()
    ) throws -> ContentInformation {
        // Entered as a reader, so that the session is not forgotten meanwhile.
        let (session, number) = session(of: url) { ($0, $0.addReader(range: nil)) }
        defer { session.removeReader(number) }
        try session.refresh()
        return try session.currentVersion(cancellation: cancellation).information
    }

    /// A reader of a range of a video.
    ///
    /// Nothing is asked of the network before its first ``VideoReader/next(limit:)``.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - range: the bytes wanted, without what lies beyond the video's end; nil reads the whole
    ///     video, also one of unknown length.
    /// - Returns: a reader at the range's start.
    public func reader(of url: String, range: ByteRange?) -> VideoReader {
        let (session, number) = session(of: url) { ($0, $0.addReader(range: range)) }
        // A store that fails now fails the reader's first look too, which can say so.
        if (try? session.refresh()) != nil { session.bindIfKnown(number) }
        return VideoReader(session: session, number: number)
    }

    /// Ends every running download, saves what came (S2, S3), and waits for them, and for readers
    /// that are looking into the cache.
    ///
    /// Readers throw ``TransportError/cancelled`` from then on, also those of videos that nobody
    /// has asked for before; the cache may be closed.
    public func close() {
        let open = sessions.withLock { sessions in
            sessions.isClosed = true
            return Array(sessions.byURL.values)
        }
        for session in open { session.close() }
    }

    /// Finds or makes the session of a video, and uses it before anybody could forget it.
    private func session<Value: Sendable>(of url: String, use: (VideoSession) -> Value) -> Value {
        sessions.withLock { sessions in
            if sessions.byURL.count >= Self.keptSessions, sessions.byURL[url] == nil {
                sessions.byURL = sessions.byURL.filter { !$0.value.isIdle }
            }
            let session =
                sessions.byURL[url]
                ?? VideoSession(url: url, engine: engine, isClosed: sessions.isClosed)
            sessions.byURL[url] = session
            return use(session)
        }
    }
}
