/// Where a list of videos comes from.
public protocol VideoListLoader: Sendable {
    /// Loads the list on the calling thread.
    ///
    /// - Parameter keep: is handed the list before the load counts as done, and may save it; nil
    ///   when there is nothing to do then.
    /// - Returns: the videos in order.
    /// - Throws: why it cannot be had, or what `keep` throws.
    func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo]
}

extension VideoListLoader {
    /// Loads the list on the calling thread.
    public func load() throws -> [LibraryVideo] { try load(keep: nil) }
}

/// Saves what another loader loads (O5).
public struct SavingVideoListLoader: VideoListLoader {
    private let base: any VideoListLoader
    private let library: LocalVideoLibrary
    private let onSaveFailure: @Sendable (LibraryError) throws -> Void

    /// A loader that saves.
    ///
    /// - Parameters:
    ///   - base: what loads.
    ///   - library: where the list is saved, in place of the one that is there.
    ///   - onSaveFailure: is told why the list could not be saved, and throws where the load is to
    ///     fail then; else the list is returned, unsaved.
    public init(
        _ base: any VideoListLoader, into library: LocalVideoLibrary,
        onSaveFailure: @escaping @Sendable (LibraryError) throws -> Void
    ) {
        self.base = base
        self.library = library
        self.onSaveFailure = onSaveFailure
    }

    /// Loads the list, and saves it on success.
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        var unsaved: (videos: [LibraryVideo], reason: LibraryError)?
        do {
            return try base.load { videos in
                do {
                    try library.save(videos)
                } catch let error as LibraryError {
                    unsaved = (videos, error)
                    throw error
                }
                try keep?(videos)
            }
        } catch {
            guard let unsaved else { throw error }
            try onSaveFailure(unsaved.reason)
            return unsaved.videos
        }
    }
}

/// Tries one loader, and another when it fails (O5).
public struct FallbackVideoListLoader: VideoListLoader {
    private let primary: any VideoListLoader
    private let fallback: any VideoListLoader
    private let onFailure: @Sendable (any Error) -> Void

    /// A loader that knows a way out.
    ///
    /// - Parameters:
    ///   - primary: is tried first.
    ///   - fallback: is tried when that fails; not when it was cancelled.
    ///   - onFailure: is told why the first failed.
    public init(
        _ primary: any VideoListLoader, fallback: any VideoListLoader,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.primary = primary
        self.fallback = fallback
        self.onFailure = onFailure
    }

    /// Loads the list from the first that has it.
    public func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        do {
            return try primary.load(keep: keep)
        } catch TransportError.cancelled {
            throw TransportError.cancelled
        } catch {
            onFailure(error)
            return try fallback.load(keep: keep)
        }
    }
}
