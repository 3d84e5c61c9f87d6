package import Foundation
import Synchronization

/// Stores one list of videos with its timestamp (O1).
///
/// Each call takes effect as a whole or not at all, even if the process is killed during it. Calls
/// may come from several threads at once.
package protocol VideoStore: Sendable {
    /// Removes the list; it is not an error if there is none.
    func deleteCachedVideos() throws(LibraryError)
    /// Stores a list, which may be empty, if there is none, or else throws
    /// ``LibraryError/listExists``.
    ///
    /// Deleting it first and then inserting would lose both if the process is killed in between: use
    /// ``replace(with:timestamp:)``.
    func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError)
    /// The list and its timestamp, of any age; nil if there is none.
    func retrieve() throws(LibraryError) -> CachedVideoList?
    /// Replaces the list, if any, in one step (O4); if it throws, the old list is unchanged.
    func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError)
}

/// Stores a list in memory, as long as the object exists (O1).
package final class InMemoryVideoStore: VideoStore {
    private let list = Mutex<CachedVideoList?>(nil)

    package init() {}

    package func deleteCachedVideos() throws(LibraryError) { list.withLock { $0 = nil } }

    package func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let new = CachedVideoList(videos: videos, timestamp: timestamp)
        try new.expectStorable()
        try list.withLock { list throws(LibraryError) in
            guard list == nil else { throw .listExists }
            list = new
        }
    }

    package func retrieve() throws(LibraryError) -> CachedVideoList? { list.withLock { $0 } }

    package func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let new = CachedVideoList(videos: videos, timestamp: timestamp)
        try new.expectStorable()
        list.withLock { $0 = new }
    }
}
