import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// Images by address, as files that appear only when complete (O6, O7).
@Suite struct FileImageStoreTests {
    private let folder = TemporaryFolder()
    private let store: FileImageStore
    private let url = "http://127.0.0.1/a.jpg"

    init() throws { store = try FileImageStore(folder: folder.path) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("images")).sorted()
    }

    @Test func anAbsentImageIsNil() throws {
        #expect(try store.image(url) == nil)
        #expect(!store.contains(url))
        try store.save(Data([1]), url: url)
        #expect(try store.image(url + "?") == nil)
    }

    @Test(arguments: [0, 1, 4096, 1 << 20], [Durability.process, .power])
    func anImageIsRetrievedByItsAddress(size: Int, durability: Durability) throws {
        let store = try FileImageStore(folder: folder.path, durability: durability)
        let image = Data(videoBytes(size))
        try store.save(image, url: url)
        #expect(try store.image(url) == image)
        #expect(store.contains(url))
        #expect(try names() == [FileImageStore.fileName(of: url)])
        let other = try FileImageStore(folder: folder.path, access: .readOnly)
        #expect(try other.image(url) == image)
    }

    @Test func anImageReplacesTheOneBefore() throws {
        for size in [5000, 3, 9000] {
            try store.save(Data(videoBytes(size, seed: UInt64(size))), url: url)
            #expect(try store.image(url) == Data(videoBytes(size, seed: UInt64(size))))
        }
        #expect(try names().count == 1)
    }

    /// The documents derive a file's name from the whole address.
    ///
    /// An address of 4,000 characters exceeds the 255 bytes of a file name, and the image is never
    /// stored.
    @Test func everyAddressHasANameOfTheSameLength() throws {
        let long = "http://127.0.0.1/" + String(repeating: "a/../%20", count: 498)
        #expect(long.count > 4000)
        let urls = ["", "x", "http://127.0.0.1/ü?a=../../b", long, long + "b"]
        for (number, url) in urls.enumerated() { try store.save(Data([UInt8(number)]), url: url) }
        for (number, url) in urls.enumerated() {
            #expect(try store.image(url) == Data([UInt8(number)]))
        }
        #expect(try names().map(\.count) == urls.map { _ in 32 })
    }

    /// Other programs find the file by the same rule: XXH3-128 as `xxhsum -H2` prints it.
    @Test func theNameIsTheHashThatOtherProgramsMake() {
        #expect(FileImageStore.fileName(of: "") == "99aa06d3014798d86001c324468d497f")
        #expect(
            FileImageStore.fileName(of: "http://127.0.0.1:8977/a.jpg")
                == "9ae9d2344e702d69c111574679ce0337")
    }

    @Test func clearingForgetsAllImagesAndNothingElse() throws {
        try store.save(Data([1]), url: url)
        try store.save(Data([2]), url: url + "2")
        let mine = folder.file("images/notes.txt")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine))
        try store.removeAll()
        #expect(try store.image(url) == nil)
        #expect(try names() == ["notes.txt"])
        try store.save(Data([3]), url: url)
        #expect(try store.image(url) == Data([3]))
    }

    @Test func aLibraryThatIsNotThereHoldsNoImages() throws {
        let store = try FileImageStore(folder: folder.file("none"), access: .readOnly)
        #expect(try store.image(url) == nil)
        try FileImageStore(folder: folder.file("none"), access: .existing).removeAll()
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    }

    @Test func aFolderThatCannotBeIsAClearError() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        #expect(
            performing: { try FileImageStore(folder: folder.file("file")) },
            throws: { if case .files(.cannotCreate) = $0 as? LibraryError { true } else { false } })
        // A folder in place of the image can be neither read nor replaced.
        try FileManager.default.createDirectory(
            atPath: store.path(of: url), withIntermediateDirectories: true)
        #expect(throws: LibraryError.self) { try store.image(url) }
        #expect(throws: LibraryError.self) { try store.save(Data([1]), url: url) }
        #expect(try names() == [FileImageStore.fileName(of: url)])
    }

    @Test func aFileUnderConstructionOutlivesAnotherOpen() throws {
        let images = ImageFolder(path: folder.file("images"))
        let name = FileImageStore.fileName(of: url)
        let file = try images.beginFile(name)
        let second = try images.beginFile(name)
        try file.write(Data([1, 2]))
        #expect(try names().count == 2)
        _ = try FileImageStore(folder: folder.path)
        _ = try FileImageStore(folder: folder.path, access: .existing)
        #expect(try names().count == 2)
        #expect(try store.image(url) == nil)
        try file.write(Data([1, 2, 3]))
        try file.publish(durability: .process)
        #expect(try store.image(url) == Data([1, 2, 3]))
        second.abandon()
        #expect(try names() == [name])
    }

    @Test func manyWritersOfOneImageLeaveOneOfThemWhole() async throws {
        let images = (0..<4).map { Data(videoBytes(50_000, seed: UInt64($0 + 1))) }
        try store.save(images[0], url: url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for image in images {
                group.addTask {
                    for _ in 0..<25 {
                        try store.save(image, url: url)
                        let found = try #require(try store.image(url))
                        #expect(images.contains(found))
                        _ = try FileImageStore(folder: folder.path)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try names().count == 1)
    }
}
