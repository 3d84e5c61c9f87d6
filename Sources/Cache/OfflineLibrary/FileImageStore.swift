internal import CXXHash
package import Foundation
package import VideoCache

/// Stores images as one file each, in `images` in the library's folder (O6).
///
/// A file's name is the XXH3-128 hash of the image's URL, as 32 hex digits. It has the same length
/// for every URL, so long URLs are no problem. With a million images the probability that any two
/// share a name is 1 in 10^27. The hash does not resist deliberate collisions: at worst one image
/// is shown instead of the other, and only if both come from the same feed.
///
/// A file gets its name by a rename, once it is complete. Leftovers of killed writes are removed
/// when the folder is next opened for writing.
package final class FileImageStore: ImageStore {
    static let folderName = "images"

    private let folder: ImageFolder
    private let durability: Durability

    /// Opens the store in a library's folder; a missing folder that is not created counts as empty.
    package init(
        folder library: String, access: CacheAccess = .readWrite, durability: Durability = .process
    ) throws(LibraryError) {
        folder = ImageFolder(path: library + "/" + Self.folderName)
        self.durability = durability
        if access == .readWrite {
            try LibraryFolder.create(folder.path)
            // The folder's contents are lost if its own directory entry is.
            if durability == .power { try LibraryFolder.synchronize(library) }
        }
        if access != .readOnly { try folder.removeLeftovers() }
    }

    static func fileName(of url: String) -> String {
        var url = url
        let hash = url.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
        return String(format: "%016llx%016llx", hash.high64, hash.low64)
    }

    /// The path of an image's file, whether or not it exists.
    package func path(of url: String) -> String { folder.path + "/" + Self.fileName(of: url) }

    package func image(_ url: String) throws(LibraryError) -> Data? {
        let path = path(of: url)
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw LibraryFolder.failure(path, error)
        }
    }

    package func contains(_ url: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: url))
    }

    package func save(_ image: Data, url: String) throws(LibraryError) {
        let file = try folder.beginFile(Self.fileName(of: url))
        do {
            try file.write(image)
            try file.publish(durability: durability)
        } catch {
            file.abandon()
            throw error
        }
    }

    @discardableResult
    package func removeAll(besides urls: Set<String>) throws(LibraryError) -> Int {
        try folder.removeImages(besides: Set(urls.map(Self.fileName)))
    }

    package func removeAll() throws(LibraryError) { try folder.removeImages(besides: []) }
}
