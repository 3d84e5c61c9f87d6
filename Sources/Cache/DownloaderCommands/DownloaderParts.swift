package import OfflineLibrary
package import VideoCache

/// The parts that the commands work with: each function gets the library's, and returns one.
package struct DownloaderParts: Sendable {
    package var durability: @Sendable (Durability) -> Durability = { $0 }
    /// The capacity that the library's own store enforces; nil for none.
    package var capacity: @Sendable (Int64) -> Int64? = { $0 }
    package var store: @Sendable (OpenedStore) throws -> any ChunkStore = { $0.store }
    /// The transport of videos; the observer is told what it requests.
    package var transport: @Sendable (any HTTPTransport, any CacheObserver) -> any HTTPTransport = {
        base, _ in base
    }
    package var schedule: @Sendable (any SaveSchedule) -> any SaveSchedule = { $0 }
    /// The observer that keeps the witness page.
    package var witness: @Sendable (any LastingObserver) -> any LastingObserver = { $0 }
    package var videoStore: @Sendable (any VideoStore) -> any VideoStore = { $0 }
    package var imageStore: @Sendable (FileImageStore) -> any ImageStore = { $0 }
    package init() {}
}

/// The store of a cache as the library makes it; a capacity of nil is no limit.
package struct OpenedStore {
    package let store: any ChunkStore
    package let capacity: Int64?

    package init(_ store: any ChunkStore, capacity: Int64?) {
        (self.store, self.capacity) = (store, capacity)
    }
}
