package import VideoCache

package protocol VideoListLoader: Sendable {
    /// Loads a list of videos on the calling thread; `keep` receives it before the load counts as
    /// done, and may save it.
    func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo]
}

extension VideoListLoader {
    package func load() throws -> [LibraryVideo] { try load(keep: nil) }
}

/// Saves the lists that another loader loads, each in the place of the one before (O5).
package struct SavingVideoListLoader: VideoListLoader {
    private let base: any VideoListLoader
    private let library: LocalVideoLibrary

    package init(_ base: any VideoListLoader, into library: LocalVideoLibrary) {
        (self.base, self.library) = (base, library)
    }

    /// Loads the list, and saves it on success; throws also where it cannot be saved.
    package func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        try base.load { videos in
            try library.save(videos)
            try keep?(videos)
        }
    }
}

/// Tries one loader, and another if it fails (O5), unless it was cancelled.
package struct FallbackVideoListLoader: VideoListLoader {
    private let primary: any VideoListLoader
    private let fallback: any VideoListLoader
    private let onFailure: @Sendable (any Error) -> Void

    /// Creates a loader with a fallback; `onFailure` receives the first loader's error.
    package init(
        _ primary: any VideoListLoader, fallback: any VideoListLoader,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        (self.primary, self.fallback, self.onFailure) = (primary, fallback, onFailure)
    }

    package func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
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
package struct RemoteVideoListLoader: VideoListLoader {
    private let url: String
    private let fetcher: WholeBodyFetcher

    package init(
        url: String, transport: any HTTPTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) {
        self.url = url
        fetcher = WholeBodyFetcher(
            transport: transport, observer: observer, cancellation: cancellation,
            limit: VideoFeed.maximumBytes)
    }

    /// Loads the list; its bytes are acknowledged and the request ends after `keep` has returned.
    package func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        let url = url
        return try fetcher.fetch(
            url, decode: { try VideoFeed.videos(in: $0, from: url) }, keep: keep)
    }
}
