public import Foundation
public import VideoCache

/// The offline library in a folder, for tasks: a list of videos and their images (O1–O8).
///
/// Each call works on a thread that may wait for the disk or for an origin, and throws
/// ``LibraryError``. Several processes may use one folder; the last list saved is kept.
public final class OfflineLibrary: Sendable {
    private let database: SQLiteVideoStore
    private let images: FileImageStore
    private let list: LocalVideoLibrary

    /// Opens the library in a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - durability: what a saved list or image must survive.
    ///   - now: the clock, which decides whether a list is expired (O3).
    /// - Throws: ``LibraryError``; then nothing that existed is changed.
    public init(
        folder: String, durability: Durability = .process, now: @escaping @Sendable () -> Date
    ) throws(LibraryError) {
        database = try SQLiteVideoStore(folder: folder, durability: durability)
        images = try FileImageStore(folder: folder, durability: durability)
        list = LocalVideoLibrary(store: database, now: now)
    }

    /// The saved list and how old it is, without the network.
    public func state() async throws -> LocalVideoLibrary.State {
        try await Self.value { [list] in try list.state() }
    }

    /// The saved list, without the network; empty if there is none, or it is expired (O3).
    public func videos() async throws -> [LibraryVideo] {
        try await Self.value { [list] in try list.load() }
    }

    /// A saved image, without the network; nil if there is none (O6).
    public func image(_ url: String) async throws -> Data? {
        try await Self.value { [images] in try images.image(url) }
    }

    /// Fetches the list, replaces the saved one (O4, O5), fetches the images that are missing, and
    /// removes those that no list names any more.
    ///
    /// Cancelling the task ends the running request; the list and the images that were saved stay.
    ///
    /// - Parameters:
    ///   - feed: the list's address, http or https.
    ///   - transport: sends the requests.
    ///   - wanted: which images to fetch.
    ///   - observer: watches the requests; called on the refresh's own thread.
    /// - Returns: what was fetched, and which images could not be.
    /// - Throws: ``DownloadError``, ``FeedError``, ``TransportError`` or ``LibraryError``;
    ///   `CancellationError`.
    public func refresh(
        from feed: URL, by transport: any HTTPTransport,
        images wanted: LibraryRefresh.Images = .missing,
        observer: any CacheObserver = SilentObserver()
    ) async throws -> LibraryRefreshSummary {
        let cancellation = Cancellation()
        let refresh = LibraryRefresh(
            from: feed.absoluteString, into: list, images: images, by: transport,
            observer: observer, cancellation: cancellation)
        return try await Self.value(cancellation) { [database] in
            try refresh.run(wanted, removingUnlistedOf: database)
        }
    }

    /// Removes the list and all images (O7).
    public func clear() async throws {
        try await Self.value { [list, images] in
            try list.clear()
            try images.removeAll()
        }
    }

    /// Closes the library; it cannot be used afterwards.
    ///
    /// - Throws: ``LibraryError``; what was saved is safe even then.
    public func close() async throws { try await Self.value { [database] in try database.close() } }

    private static func value<Value: Sendable>(
        _ cancellation: Cancellation = Cancellation(),
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await BlockingThreads.shared.value(onCancel: { cancellation.cancel() }, work)
    }
}
