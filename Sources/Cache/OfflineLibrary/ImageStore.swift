public import Foundation

/// Stores images by URL (O6).
///
/// Each call takes effect as a whole or not at all, even if the process is killed during it. Calls
/// may come from several threads at once.
public protocol ImageStore: Sendable {
    /// The image with a URL; nil if there is none.
    func image(_ url: String) throws(LibraryError) -> Data?
    /// True if there is an image with the URL.
    func contains(_ url: String) -> Bool
    /// Stores the image with a URL, replacing an existing one.
    func save(_ image: Data, url: String) throws(LibraryError)
    /// Removes the images with other URLs than these.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    func removeAll(besides urls: Set<String>) throws(LibraryError) -> Int
    /// Removes all images (O7).
    func removeAll() throws(LibraryError)
}
