internal import Foundation
internal import OfflineLibrary
internal import VideoCache

/// Replaces a list as the documents describe it: a kill between the two steps loses it.
struct DeleteThenInsertStore: VideoStore {
    let base: any VideoStore

    func deleteCachedVideos() throws(LibraryError) { try base.deleteCachedVideos() }
    func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        try base.insert(videos, timestamp: timestamp)
    }
    func retrieve() throws(LibraryError) -> CachedVideoList? { try base.retrieve() }
    func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        try base.deleteCachedVideos()
        // As slow as a slow disk: within microseconds hardly any kill would hit this gap.
        usleep(5000)
        try base.insert(videos, timestamp: timestamp)
    }
}

/// Writes an image as the documents describe it; each piece is synced, so that a kill finds the bug
/// for as long as with a slow disk.
struct InPlaceImageStore: ImageStore {
    private static let pieceSize = 16 << 10

    let base: FileImageStore

    func image(_ url: String) throws(LibraryError) -> Data? { try base.image(url) }
    func contains(_ url: String) -> Bool { base.contains(url) }
    func removeAll(besides urls: Set<String>) throws(LibraryError) -> Int {
        try base.removeAll(besides: urls)
    }
    func removeAll() throws(LibraryError) { try base.removeAll() }

    func save(_ image: Data, url: String) throws(LibraryError) {
        let path = base.path(of: url)
        do {
            try Data().write(to: URL(fileURLWithPath: path))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for start in stride(from: 0, to: image.count, by: Self.pieceSize) {
                let end = min(start + Self.pieceSize, image.count)
                try file.write(contentsOf: image[start..<end])
                try file.synchronize()
            }
            try file.close()
        } catch {
            throw .files(.inputOutput(path: path, reason: "\(error)"))
        }
    }
}
