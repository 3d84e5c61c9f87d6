public import VideoCache

/// Loads a list of videos.
public protocol VideoListLoader: Sendable {
    /// Loads the list on the calling thread.
    ///
    /// - Parameter keep: receives the list before the load counts as done, and may save it; nil if
    ///   that is not needed.
    /// - Returns: the videos in order.
    /// - Throws: why it cannot be loaded, or what `keep` throws.
    func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo]
}

extension VideoListLoader {
    /// Loads the list on the calling thread.
    public func load() throws -> [LibraryVideo] { try load(keep: nil) }
}

/// Saves the lists that another loader loads (O5).
public struct SavingVideoListLoader: VideoListLoader {
    private let base: any VideoListLoader
    private let library: LocalVideoLibrary

    /// Creates a loader that saves into a library, replacing its list.
    public init(_ base: any VideoListLoader, into library: LocalVideoLibrary) {
        (self.base, self.library) = (base, library)
    }

    /// Loads the list, and saves it on success; throws also where it cannot be saved.
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        try base.load { videos in
            try library.save(videos)
            try keep?(videos)
        }
    }
}

/// Tries one loader, and another if it fails (O5).
public struct FallbackVideoListLoader: VideoListLoader {
    private let primary: any VideoListLoader
    private let fallback: any VideoListLoader
    private let onFailure: @Sendable (any Error) -> Void

    /// Creates a loader with a fallback.
    ///
    /// - Parameters:
    ///   - primary: is tried first.
    ///   - fallback: is tried if the first fails, unless it was cancelled.
    ///   - onFailure: receives the first loader's error.
    public init(
        _ primary: any VideoListLoader, fallback: any VideoListLoader,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        (self.primary, self.fallback, self.onFailure) = (primary, fallback, onFailure)
    }

    /// Loads the list from the first loader that succeeds.
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        do {
            return try primary.load(keep: keep)
        } catch TransportError.cancelled {
            throw TransportError.cancelled
        } catch {
            onFailure(error)
            return try fallback.load(keep: keep)
        }
    }
}

/// Loads a list of videos from a feed on the network (O5); ``VideoFeed`` defines the format.
public struct RemoteVideoListLoader: VideoListLoader {
    private let url: String
    private let fetcher: WholeBodyFetcher

    /// Creates a loader of one feed.
    ///
    /// - Parameters:
    ///   - url: the feed's URL.
    ///   - transport: sends the request.
    ///   - observer: watches the request.
    ///   - cancellation: cancels it.
    public init(
        url: String, transport: any HTTPTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) {
        self.url = url
        fetcher = WholeBodyFetcher(
            transport: transport, observer: observer, cancellation: cancellation,
            limit: VideoFeed.maximumBytes)
    }

    /// Loads the list; its bytes are acknowledged and the request ends after `keep` has returned.
    ///
    /// - Throws: ``FeedError``, ``DownloadError`` or ``TransportError``.
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        let url = url
        return try fetcher.fetch(
            url, decode: { try VideoFeed.videos(in: $0, from: url) }, keep: keep)
    }
}
