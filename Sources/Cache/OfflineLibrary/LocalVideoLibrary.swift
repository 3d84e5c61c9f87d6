package import Foundation

/// The saved list, while it is valid (O3, O8).
public struct LocalVideoLibrary: VideoListLoader {
    /// The state of the saved list.
    public enum State: Sendable, Hashable {
        /// No list was saved.
        case absent
        /// A list was saved too long ago.
        case expired(CachedVideoList)
        /// A list was saved and is valid.
        case valid(CachedVideoList)
    }

    private let store: any VideoStore
    private let policy: LibraryCachePolicy
    private let now: @Sendable () -> Date

    package init(
        store: any VideoStore, policy: LibraryCachePolicy = LibraryCachePolicy(),
        now: @escaping @Sendable () -> Date
    ) {
        (self.store, self.policy, self.now) = (store, policy, now)
    }

    /// The state, without a change: an expired list stays until another replaces it.
    package func state() throws(LibraryError) -> State {
        guard let list = try store.retrieve() else { return .absent }
        return policy.isValid(list.timestamp, at: now()) ? .valid(list) : .expired(list)
    }

    /// The saved list; an expired or absent one loads as empty (O3).
    package func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        guard case .valid(let list) = try state() else {
            try keep?([])
            return []
        }
        try keep?(list.videos)
        return list.videos
    }

    /// Saves a list with the current time, replacing the existing one (O4).
    package func save(_ videos: [LibraryVideo]) throws(LibraryError) {
        try store.replace(with: videos, timestamp: now())
    }

    /// Removes the list (O7).
    package func clear() throws(LibraryError) { try store.deleteCachedVideos() }
}
