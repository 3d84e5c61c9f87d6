package import Foundation

/// Stores images by URL (O6).
///
/// Each call takes effect as a whole or not at all, even if the process is killed during it. Calls
/// may come from several threads at once.
package protocol ImageStore: Sendable {
    /// The image with a URL; nil if there is none.
    func image(_ url: String) throws(LibraryError) -> Data?
    func contains(_ url: String) -> Bool
    /// Stores the image with a URL, replacing an existing one.
    func save(_ image: Data, url: String) throws(LibraryError)
    /// Removes the images with other URLs than these, and returns how many there were.
    @discardableResult
    func removeAll(besides urls: Set<String>) throws(LibraryError) -> Int
    func removeAll() throws(LibraryError)
}
