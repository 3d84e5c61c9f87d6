import Foundation
import Synchronization
import Testing

@testable import PlantedBugs
@testable import VideoCache

/// Two requests of one version ran; the one learnt the length while the other was about to save.
///
/// "Was cleared or replaced meanwhile": from then on nothing that came was saved.
@Suite("A save beside a request that learns the length succeeds")
struct LengthLearntMeanwhileTests {
    /// A store with another request that learns the length before the first save reaches it.
    private final class LearningStore: ForwardingStore {
        let base: any ChunkStore
        let version = Mutex<VideoVersion?>(nil)

        init(base: any ChunkStore) { self.base = base }

        func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
            let learning = version.withLock { version in
                defer { version = nil }
                return version
            }
            try learning?.learn(length: 100)
            return try base.save(chunks, of: video)
        }
    }

    @Test(arguments: StorageLayout.allCases)
    func saves(layout: StorageLayout) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("PlantedBugsTests-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = LearningStore(base: try SQLiteChunkStore(folder: folder, layout: layout))
        let facts = ContentInformation(
            length: nil, acceptsRanges: true, lastModified: "Fri, 01 Mar 2024 10:00:00 GMT")
        let version = VideoVersion(stored: try store.store(facts, url: "v"), in: store)
        store.version.withLock { $0 = version }
        let saved = try [UInt8(1), 2].withUnsafeBytes {
            try version.save([Chunk(offset: 0, bytes: $0)])
        }
        #expect(saved == 2)
        #expect(version.end == 100)
        try store.close()
    }
}
