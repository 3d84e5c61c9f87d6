public import Foundation
public import VideoCache

/// Loads images.
public protocol ImageLoader: Sendable {
    /// Loads an image on the calling thread.
    ///
    /// - Parameters:
    ///   - url: the image's URL.
    ///   - keep: receives the image before the load counts as done, and may save it; nil if that is
    ///     not needed.
    /// - Returns: the image.
    /// - Throws: why it cannot be loaded, or what `keep` throws.
    func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data
}

extension ImageLoader {
    /// Loads an image on the calling thread.
    public func load(_ url: String) throws -> Data { try load(url, keep: nil) }
}

/// Loads images from the network.
public struct RemoteImageLoader: ImageLoader {
    /// The most bytes that an image may have.
    public static let maximumBytes = 32 << 20

    private let fetcher: WholeBodyFetcher

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - observer: watches the requests.
    ///   - cancellation: cancels them.
    public init(
        transport: any HTTPTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) {
        fetcher = WholeBodyFetcher(
            transport: transport, observer: observer, cancellation: cancellation,
            limit: Self.maximumBytes, refusesDocuments: true)
    }

    /// Loads an image; its bytes are acknowledged and the request ends after `keep` has returned.
    ///
    /// - Throws: ``FeedError/tooLarge(url:limit:)``, ``DownloadError`` or ``TransportError``.
    public func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data {
        try fetcher.fetch(url, decode: { $0 }, keep: keep)
    }
}
