public import Foundation

/// Where images come from.
public protocol ImageLoader: Sendable {
    /// Loads an image on the calling thread.
    ///
    /// - Parameters:
    ///   - url: the image's address.
    ///   - keep: is handed the image before the load counts as done, and may save it; nil when
    ///     there is nothing to do then.
    /// - Returns: the image.
    /// - Throws: why it cannot be had, or what `keep` throws.
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

    /// A loader.
    ///
    /// - Parameters:
    ///   - transport: how images are asked for.
    ///   - observer: watches the requests.
    ///   - cancellation: stops them.
    public init(
        transport: any HTTPTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) {
        fetcher = WholeBodyFetcher(
            transport: transport, observer: observer, cancellation: cancellation,
            limit: Self.maximumBytes)
    }

    /// Loads an image; the request is over, and its bytes acknowledged, once `keep` has returned.
    ///
    /// - Throws: ``FeedError/tooLarge(url:limit:)``, ``DownloadError`` or ``TransportError``.
    public func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data {
        try fetcher.fetch(url, decode: { $0 }, keep: keep)
    }
}

/// Loads images from a store where they are there, else from another loader, and stores them (O6).
public struct CachingImageLoader: ImageLoader {
    private let base: any ImageLoader
    private let store: any ImageStore

    /// A loader that keeps what it loads.
    public init(_ base: any ImageLoader, store: any ImageStore) {
        self.base = base
        self.store = store
    }

    /// Loads an image, without the network where the store has it.
    public func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data {
        if let image = try store.image(url) {
            try keep?(image)
            return image
        }
        return try reload(url, keep: keep)
    }

    /// Loads an image anew and stores it, also where the store has one.
    @discardableResult
    public func reload(_ url: String, keep: ((Data) throws -> Void)? = nil) throws -> Data {
        try base.load(url) { image in
            try store.save(image, url: url)
            try keep?(image)
        }
    }
}
