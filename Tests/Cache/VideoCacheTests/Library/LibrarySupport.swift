import Foundation

@testable import OfflineLibrary
@testable import VideoCache

/// Videos that differ in every field from those of another seed.
func libraryVideos(_ count: Int, seed: UInt64 = 1) -> [LibraryVideo] {
    var generator = SeededGenerator(state: seed)
    return (0..<count).map { index in
        let (high, low) = (generator.next(), generator.next())
        let bytes = withUnsafeBytes(of: (high, low)) { Array($0) }
        return LibraryVideo(
            id: NSUUID(uuidBytes: bytes) as UUID, title: "Title \(seed).\(index)",
            description: index.isMultiple(of: 2) ? "About \(high)" : nil,
            url: "http://127.0.0.1/\(low).mp4",
            thumbnailURL: index.isMultiple(of: 3) ? nil : "http://127.0.0.1/\(low).jpg",
            duration: index.isMultiple(of: 4) ? nil : Double(low % 10_000) / 8)
    }
}

/// A fixed time, the same in each run.
let someTime = Date(timeIntervalSince1970: 1_795_000_000.25)

/// A source that returns a list or fails.
struct ListSource: VideoListLoader {
    let result: Result<[LibraryVideo], TransportError>

    func load(keep: (([LibraryVideo]) throws -> Void)?) throws -> [LibraryVideo] {
        let videos = try result.get()
        try keep?(videos)
        return videos
    }
}
