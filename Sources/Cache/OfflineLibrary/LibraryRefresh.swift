package import VideoCache

/// The result of a refresh.
public struct LibraryRefreshSummary: Sendable, Hashable {
    /// Why an image is missing.
    public struct Failure: Sendable, Hashable {
        /// The image's URL.
        public var url: String
        /// The error's text.
        public var reason: String
    }

    /// The number of videos in the list.
    public var videos = 0
    /// The number of images that were fetched and stored.
    public var fetchedImages = 0
    /// The number of images that were already stored.
    public var keptImages = 0
    /// The number of images that were removed, because the list does not name them any more.
    public var removedImages = 0
    /// Images that could not be fetched.
    public var failures: [Failure] = []
}

/// Updates the list, then its images (O4, O5, O6).
public struct LibraryRefresh: Sendable {
    /// Which images are fetched.
    public enum Images: Sendable, Hashable {
        /// Those that are not stored.
        case missing
        /// All, again.
        case all
    }

    private let videos: any VideoListLoader
    private let images: any ImageLoader
    private let store: any ImageStore

    /// Creates a refresh whose loader of the list saves it, too: ``SavingVideoListLoader``.
    package init(videos: any VideoListLoader, images: any ImageLoader, store: any ImageStore) {
        (self.videos, self.images, self.store) = (videos, images, store)
    }

    /// Creates a refresh from a feed on the network, which fails if the list cannot be saved.
    package init(
        from feed: String, into library: LocalVideoLibrary, images store: any ImageStore,
        by transport: any HTTPTransport, observer: any CacheObserver, cancellation: Cancellation
    ) {
        let remote = RemoteVideoListLoader(
            url: feed, transport: transport, observer: observer, cancellation: cancellation)
        self.init(
            videos: SavingVideoListLoader(remote, into: library),
            images: RemoteImageLoader(
                transport: transport, observer: observer, cancellation: cancellation),
            store: store)
    }

    /// Loads the list, then the images that it names, on the calling thread.
    ///
    /// An image that cannot be fetched is recorded, and the others are still fetched; one that cannot
    /// be stored ends the refresh. Images that the new list does not name are removed at the end,
    /// unless `lists` has another one by then; a kill before that leaves them to the next refresh.
    /// With nil none are removed.
    package func run(
        _ wanted: Images = .missing, removingUnlistedOf lists: SQLiteVideoStore? = nil
    ) throws -> LibraryRefreshSummary {
        let list = try videos.load()
        var summary = LibraryRefreshSummary(videos: list.count)
        var seen = Set<String>()
        for url in list.compactMap(\.thumbnailURL) where seen.insert(url).inserted {
            if wanted == .missing, store.contains(url) {
                summary.keptImages += 1
                continue
            }
            do {
                _ = try images.load(url) { image in try store.save(image, url: url) }
                summary.fetchedImages += 1
            } catch let error as LibraryError {
                throw error
            } catch TransportError.cancelled {
                throw TransportError.cancelled
            } catch {
                summary.failures.append(.init(url: url, reason: "\(error)"))
            }
        }
        summary.removedImages =
            try lists?.whileStored(list) { try store.removeAll(besides: seen) } ?? 0
        return summary
    }
}
