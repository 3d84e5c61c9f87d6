public import Foundation

/// Keeps one list of videos with its timestamp (O1).
///
/// Each call is whole or has no effect, also when the process is killed in the middle of it. Calls
/// may come from several threads at once.
public protocol VideoStore: Sendable {
    /// Forgets the list; having none is no error.
    func deleteCachedVideos() throws(LibraryError)

    /// Stores a list where there is none.
    ///
    /// - Parameters:
    ///   - videos: the videos in order; none is a list too.
    ///   - timestamp: when the list came.
    /// - Throws: ``LibraryError/listExists`` where there is one; deleting it first, and then
    ///   inserting, loses both when the process is killed in between: see
    ///   ``replace(with:timestamp:)``.
    func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError)

    /// The list and its timestamp, however old; nil when there is none.
    func retrieve() throws(LibraryError) -> CachedVideoList?

    /// Puts a list in the place of the one that is there, if any, in one step (O4).
    ///
    /// - Parameters:
    ///   - videos: the videos in order; none is a list too.
    ///   - timestamp: when the list came.
    /// - Throws: ``LibraryError``; the old list is there unchanged then.
    func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError)
}
