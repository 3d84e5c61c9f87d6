public import Foundation
import Synchronization

/// Stores one list of videos with its timestamp (O1).
///
/// Each call takes effect as a whole or not at all, even if the process is killed during it. Calls
/// may come from several threads at once.
public protocol VideoStore: Sendable {
    /// Removes the list; it is not an error if there is none.
    func deleteCachedVideos() throws(LibraryError)

    /// Stores a list if there is none.
    ///
    /// - Parameters:
    ///   - videos: the videos in order; an empty list is valid.
    ///   - timestamp: when the list was loaded.
    /// - Throws: ``LibraryError/listExists`` if there is one already. Deleting it first and then
    ///   inserting would lose both if the process is killed in between: use
    ///   ``replace(with:timestamp:)``.
    func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError)

    /// The list and its timestamp, of any age; nil if there is none.
    func retrieve() throws(LibraryError) -> CachedVideoList?

    /// Replaces the list, if any, in one step (O4).
    ///
    /// - Parameters:
    ///   - videos: the videos in order; an empty list is valid.
    ///   - timestamp: when the list was loaded.
    /// - Throws: ``LibraryError``; then the old list is unchanged.
    func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError)
}

/// Stores a list in memory, as long as the object exists (O1).
public final class InMemoryVideoStore: VideoStore {
    private let list = Mutex<CachedVideoList?>(nil)

    /// Creates a store without a list.
    public init() {}

    /// Removes the list.
    public func deleteCachedVideos() throws(LibraryError) { list.withLock { $0 = nil } }

    /// Stores a list if there is none.
    public func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let new = CachedVideoList(videos: videos, timestamp: timestamp)
        try new.expectStorable()
        let isStored = list.withLock { list in
            guard list == nil else { return false }
            list = new
            return true
        }
        guard isStored else { throw .listExists }
    }

    /// The list and its timestamp; nil if there is none.
    public func retrieve() throws(LibraryError) -> CachedVideoList? { list.withLock { $0 } }

    /// Replaces the list, in one step (O4).
    public func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let new = CachedVideoList(videos: videos, timestamp: timestamp)
        try new.expectStorable()
        list.withLock { $0 = new }
    }
}
