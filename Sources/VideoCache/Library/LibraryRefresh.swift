/// What a refresh did.
public struct LibraryRefreshSummary: Sendable, Hashable {
    /// Why an image is not there.
    public struct Failure: Sendable, Hashable {
        /// The image's address.
        public var url: String
        /// The error's text.
        public var reason: String
    }

    /// Videos of the list.
    public var videos = 0
    /// Images that were fetched and stored.
    public var fetchedImages = 0
    /// Images that were there.
    public var keptImages = 0
    /// Images that could not be fetched.
    public var failures: [Failure] = []
}

/// Brings the list up to date, then its images (O4, O5, O6).
public struct LibraryRefresh: Sendable {
    /// Which images are fetched.
    public enum Images: Sendable, Hashable {
        /// Those that are not there.
        case missing
        /// All, anew.
        case all
    }

    private let videos: any VideoListLoader
    private let images: CachingImageLoader
    private let store: any ImageStore

    /// A refresh that has not begun.
    ///
    /// - Parameters:
    ///   - videos: loads the list, and saves it: see ``SavingVideoListLoader``.
    ///   - images: loads the images.
    ///   - store: keeps the images.
    public init(videos: any VideoListLoader, images: any ImageLoader, store: any ImageStore) {
        self.videos = videos
        self.images = CachingImageLoader(images, store: store)
        self.store = store
    }

    /// Loads the list, then the images that it names, on the calling thread.
    ///
    /// An image that the network does not bring is noted, and the others are fetched all the same.
    ///
    /// - Parameter wanted: which images to fetch.
    /// - Returns: what was done.
    /// - Throws: what the list's loader throws; ``LibraryError`` when an image cannot be stored;
    ///   ``TransportError/cancelled``.
    public func run(_ wanted: Images = .missing) throws -> LibraryRefreshSummary {
        let list = try videos.load()
        var summary = LibraryRefreshSummary(videos: list.count)
        var seen = Set<String>()
        for url in list.compactMap(\.thumbnailURL) where seen.insert(url).inserted {
            if wanted == .missing, store.contains(url) {
                summary.keptImages += 1
                continue
            }
            do {
                try images.reload(url)
                summary.fetchedImages += 1
            } catch let error as LibraryError {
                throw error
            } catch TransportError.cancelled {
                throw TransportError.cancelled
            } catch {
                summary.failures.append(.init(url: url, reason: "\(error)"))
            }
        }
        return summary
    }
}
