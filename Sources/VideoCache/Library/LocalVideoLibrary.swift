public import Foundation

/// The saved list, as long as it is good (O3, O8).
public struct LocalVideoLibrary: VideoListLoader {
    /// What there is of a list.
    public enum State: Sendable, Hashable {
        /// None was saved.
        case absent
        /// One was saved, too long ago.
        case expired(CachedVideoList)
        /// One that is good.
        case valid(CachedVideoList)
    }

    private let store: any VideoStore
    private let policy: LibraryCachePolicy
    private let now: @Sendable () -> Date

    /// A library over a store.
    ///
    /// - Parameters:
    ///   - store: keeps the list.
    ///   - policy: says how long a list is good.
    ///   - now: the clock.
    public init(
        store: any VideoStore, policy: LibraryCachePolicy = LibraryCachePolicy(),
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.policy = policy
        self.now = now
    }

    /// What there is, without changing it: an expired list stays until another replaces it.
    public func state() throws(LibraryError) -> State {
        guard let list = try store.retrieve() else { return .absent }
        return policy.isValid(list.timestamp, at: now()) ? .valid(list) : .expired(list)
    }

    /// The saved list; an expired or absent one loads as empty (O3).
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        guard case .valid(let list) = try state() else {
            try keep?([])
            return []
        }
        try keep?(list.videos)
        return list.videos
    }

    /// Saves a list with the present moment, in place of the one that is there (O4).
    public func save(_ videos: [LibraryVideo]) throws(LibraryError) {
        try store.replace(with: videos, timestamp: now())
    }

    /// Forgets the list (O7).
    public func clear() throws(LibraryError) { try store.deleteCachedVideos() }
}
