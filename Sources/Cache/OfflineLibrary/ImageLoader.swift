package import Foundation
package import VideoCache

package protocol ImageLoader: Sendable {
    /// Loads an image on the calling thread; `keep` receives it before the load counts as done, and
    /// may save it.
    func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data
}

extension ImageLoader {
    package func load(_ url: String) throws -> Data { try load(url, keep: nil) }
}

/// Loads images from the network.
package struct RemoteImageLoader: ImageLoader {
    /// The most bytes that an image may have.
    static let maximumBytes = 32 << 20

    private let fetcher: WholeBodyFetcher

    package init(
        transport: any HTTPTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) {
        fetcher = WholeBodyFetcher(
            transport: transport, observer: observer, cancellation: cancellation,
            limit: Self.maximumBytes, refusesDocuments: true)
    }

    /// Loads an image; its bytes are acknowledged and the request ends after `keep` has returned.
    package func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data {
        try fetcher.fetch(url, decode: { $0 }, keep: keep)
    }
}
