public import VideoCache

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
