public import Foundation

/// Keeps images by their addresses (O6).
///
/// Each call is whole or has no effect, also when the process is killed in the middle of it. Calls
/// may come from several threads at once.
public protocol ImageStore: Sendable {
    /// The image of an address; nil when there is none.
    func image(_ url: String) throws(LibraryError) -> Data?
    /// True when there is an image of the address.
    func contains(_ url: String) -> Bool
    /// Stores the image of an address, in place of the one that is there, if any.
    func save(_ image: Data, url: String) throws(LibraryError)
    /// Forgets all images (O7).
    func removeAll() throws(LibraryError)
}
