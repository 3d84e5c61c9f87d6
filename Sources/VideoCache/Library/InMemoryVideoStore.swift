public import Foundation
import Synchronization

/// A list that lives as long as the object (O1).
public final class InMemoryVideoStore: VideoStore {
    private let list = Mutex<CachedVideoList?>(nil)

    /// A store without a list.
    public init() {}

    /// Forgets the list.
    public func deleteCachedVideos() throws(LibraryError) {
        list.withLock { $0 = nil }
    }

    /// Stores a list where there is none.
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

    /// The list and its timestamp; nil when there is none.
    public func retrieve() throws(LibraryError) -> CachedVideoList? {
        list.withLock { $0 }
    }

    /// Puts a list in the place of the one that is there, in one step (O4).
    public func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let new = CachedVideoList(videos: videos, timestamp: timestamp)
        try new.expectStorable()
        list.withLock { $0 = new }
    }
}
