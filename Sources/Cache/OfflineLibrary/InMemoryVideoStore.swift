public import Foundation
import Synchronization

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
