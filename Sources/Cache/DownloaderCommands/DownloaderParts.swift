package import OfflineLibrary
package import VideoCache

/// The parts that the commands work with, each as the program wants it.
///
/// Every function gets a part as the library makes it, and returns the one to use.
package protocol DownloaderParts: Sendable {
    /// What a commit survives.
    func durability(_ durability: Durability) -> Durability
    /// The capacity that the library's own store enforces; nil for none.
    func capacity(_ capacity: Int64) -> Int64?
    /// The store of a cache; a capacity of nil is no limit.
    func store(
        _ store: any ChunkStore, at path: String, capacity: Int64?, observer: any CacheObserver
    ) throws -> any ChunkStore
    /// The transport of videos; the observer is told what it requests.
    func transport(_ transport: any HTTPTransport, observer: any CacheObserver) -> any HTTPTransport
    /// When the bytes of a request are saved.
    func schedule(_ schedule: any SaveSchedule) -> any SaveSchedule
    /// The observer that keeps the witness page.
    func witness(_ observer: any LastingObserver) -> any LastingObserver
    func videoStore(_ store: any VideoStore) -> any VideoStore
    func imageStore(_ store: FileImageStore) -> any ImageStore
}

/// The parts as the library makes them.
package struct PlainParts: DownloaderParts {
    package init() {}

    package func durability(_ durability: Durability) -> Durability { durability }

    package func capacity(_ capacity: Int64) -> Int64? { capacity }

    package func store(
        _ store: any ChunkStore, at path: String, capacity: Int64?, observer: any CacheObserver
    ) -> any ChunkStore { store }

    package func transport(
        _ transport: any HTTPTransport, observer: any CacheObserver
    ) -> any HTTPTransport { transport }

    package func schedule(_ schedule: any SaveSchedule) -> any SaveSchedule { schedule }

    package func witness(_ observer: any LastingObserver) -> any LastingObserver { observer }

    package func videoStore(_ store: any VideoStore) -> any VideoStore { store }

    package func imageStore(_ store: FileImageStore) -> any ImageStore { store }
}
