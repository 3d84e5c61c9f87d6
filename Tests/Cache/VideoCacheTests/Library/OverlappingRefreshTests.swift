import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// Another list is saved while a refresh fetches images, be it in a library that has replaced this one.
///
/// At its end the old refresh removed all images that its own list did not name, by their names: those
/// of the list that was stored then were gone.
@Suite("The end of a refresh removes no image of another list (K13)")
struct OverlappingRefreshTests {
    private struct Images: ImageLoader {
        let meanwhile: @Sendable () throws -> Void

        func load(_ url: String, keep: ((Data) throws -> Void)?) throws -> Data {
            try meanwhile()
            try keep?(Data(url.utf8))
            return Data(url.utf8)
        }
    }

    private static func refresh(
        _ videos: [LibraryVideo], in folder: String,
        meanwhile: @escaping @Sendable () throws -> Void = {}
    ) throws -> LibraryRefreshSummary {
        let database = try SQLiteVideoStore(folder: folder)
        let library = LocalVideoLibrary(store: database, now: { someTime })
        let refresh = LibraryRefresh(
            videos: SavingVideoListLoader(
                ListSource(result: .success(videos)), into: library),
            images: Images(meanwhile: meanwhile), store: try FileImageStore(folder: folder))
        return try refresh.run(removingUnlistedOf: database)
    }

    @Test(arguments: [true, false])
    func theOtherListKeepsItsImages(isRemoved: Bool) throws {
        let folder = TemporaryFolder()
        let place = folder.file("library")
        // One image each.
        let (old, new) = (libraryVideos(2), libraryVideos(2, seed: 2))
        _ = try Self.refresh(libraryVideos(2, seed: 3), in: place)
        let result = Result {
            try Self.refresh(old, in: place) {
                if isRemoved { try FileManager.default.removeItem(atPath: place) }
                let summary = try Self.refresh(new, in: place)
                #expect(summary.removedImages == (isRemoved ? 0 : 1))
            }
        }
        if isRemoved {
            #expect(throws: LibraryError.files(.moved(path: place + "/library.sqlite"))) {
                try result.get()
            }
        } else {
            #expect(try result.get().removedImages == 0)
        }
        let store = try SQLiteVideoStore(folder: place, access: .readOnly)
        #expect(try store.retrieve()?.videos == new)
        let image = try #require(new[1].thumbnailURL)
        #expect(try FileImageStore(folder: place, access: .readOnly).contains(image))
    }
}
