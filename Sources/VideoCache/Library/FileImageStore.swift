public import Foundation
internal import CXXHash

/// Images as files, one each, in `images` in the library's folder (O6).
///
/// A file's name is the XXH3-128 hash of the image's address, as 32 hex digits: of the same length
/// for every address, so that a long one overflows nothing. With a million images the odds that
/// any two share a name are 1 in 10^27. The hash does not resist somebody who looks for two such
/// addresses on purpose: at worst one image is shown for the other, and only where both come from
/// the same feed.
///
/// A file appears under its name whole, by a rename; what a killed write leaves goes when the
/// folder is opened next to be written.
public final class FileImageStore: ImageStore {
    /// The images' folder, within the library's.
    public static let folderName = "images"

    private let folder: ImageFolder
    private let durability: Durability

    /// Opens the store in a library's folder.
    ///
    /// - Parameters:
    ///   - library: the library's folder.
    ///   - access: whether to write, and whether to create what is absent; without, a folder that
    ///     is not there holds no images.
    ///   - durability: what a saved image must survive.
    /// - Throws: ``LibraryError``.
    public init(
        folder library: String, access: SQLiteChunkStore.Access = .readWrite,
        durability: Durability = .process
    ) throws(LibraryError) {
        folder = ImageFolder(path: library + "/" + Self.folderName)
        self.durability = durability
        if access == .readWrite {
            try LibraryFolder.create(folder.path)
            // What is in a folder is of no use when the folder's own name is lost.
            if durability == .power { try LibraryFolder.synchronize(library) }
        }
        if access != .readOnly { try folder.removeLeftovers() }
    }

    /// The name of the file that holds the image of an address.
    public static func fileName(of url: String) -> String {
        var url = url
        let hash = url.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
        return hex(hash.high64) + hex(hash.low64)
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The path of the file that holds, or would hold, the image of an address.
    public func path(of url: String) -> String {
        folder.path + "/" + Self.fileName(of: url)
    }

    /// The image of an address; nil when there is none.
    public func image(_ url: String) throws(LibraryError) -> Data? {
        let path = path(of: url)
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw .inputOutput(path: path, reason: LibraryFolder.reason(error))
        }
    }

    /// True when there is an image of the address.
    public func contains(_ url: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: url))
    }

    /// Stores the image of an address; its file is there whole when the call returns.
    public func save(_ image: Data, url: String) throws(LibraryError) {
        let file = try folder.beginFile(Self.fileName(of: url))
        do {
            try file.write(image)
            try file.publish(durability: durability)
        } catch {
            file.abandon()
            throw error
        }
    }

    /// Forgets all images (O7).
    public func removeAll() throws(LibraryError) { try folder.removeImages() }
}
