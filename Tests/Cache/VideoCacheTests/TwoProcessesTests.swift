import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import VideoCache

/// Two downloads of two videos into one folder were started at once, and one of them failed.
///
/// It reported "another program's database", having seen the other's half-made tables, or "in use",
/// at a checkpoint.
@Suite("Several processes share a cache's folder", .serialized)
struct TwoProcessesTests {
    private let folder = TemporaryFolder()

    /// Runs the body on several threads at once.
    ///
    /// Each opens its own store, and so its own connection; SQLite's locks separate them as they do
    /// processes.
    private func atOnce(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
    ) -> [String] {
        let errors = Mutex<[String]>([])
        let ready = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            ready.add(1, ordering: .acquiringAndReleasing)
            do {
                try blockUntil("two are there", every: .zero) {
                    ready.load(ordering: .acquiring) >= min(count, 2)
                }
                try body(index)
            } catch { errors.withLock { $0.append("\(error)") } }
        }
        return errors.withLock { $0 }
    }

    @Test(
        "created at once, many rounds, the loser finds the winner's tables",
        arguments: StorageLayout.allCases)
    func createdAtOnce(layout: StorageLayout) throws {
        for round in 0..<100 {
            let errors = atOnce(2) { index in
                let store = try SQLiteChunkStore(folder: folder.file("\(round)"), layout: layout)
                try store.save([1, 2, 3], at: 0, of: store.anyVideo("\(index)"))
                try VideoCache(store: store).close()
            }
            #expect(errors.isEmpty, "round \(round): \(errors)")
            let look = try VideoCache(folder: folder.file("\(round)"), access: .readOnly)
            #expect(try look.totalCachedBytes() == 6)
        }
    }

    @Test(
        "a checkpoint that another connection is doing is no error, mid-download or at the end",
        arguments: StorageLayout.allCases)
    func checkpointsAtOnce(layout: StorageLayout) throws {
        let path = folder.path
        _ = try SQLiteChunkStore(folder: path, layout: layout)
        let errors = atOnce(2) { index in
            let store = try SQLiteChunkStore(folder: path)
            let video = try store.anyVideo("\(index)")
            for number in 0..<150 {
                try store.save(videoBytes(20_000), at: Int64(number) * 20_000, of: video)
                try store.checkpoint()
            }
            try VideoCache(store: store).close()
        }
        #expect(errors.isEmpty, "\(errors)")
        let look = try VideoCache(folder: path, access: .readOnly)
        #expect(try look.totalCachedBytes() == 6_000_000)
    }

    @Test(
        "a chunk that goes while it is read was absent, not damaged (C5)",
        arguments: StorageLayout.allCases)
    func goneInMidRead(layout: StorageLayout) throws {
        let size = 1 << 20
        let bytes = videoBytes(size)
        let capacity = Int64(size) + 10
        // There is room for one chunk, so each save evicts the other video's.
        let videos = try {
            let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
            defer { try? store.close() }
            return try ["a", "b"].map { try store.anyVideo($0) }
        }()
        let isOver = Atomic(false)
        let seen = Mutex((whole: 0, absent: 0, damaged: 0))
        let errors = atOnce(2) { index in
            let store = try SQLiteChunkStore(
                folder: folder.path, capacity: index == 0 ? capacity : nil)
            if index == 0 {
                defer { isOver.store(true, ordering: .releasing) }
                var saves = 0
                // On a busy machine the reader may not be scheduled during the first hundreds of
                // saves.
                try blockUntil("the chunk was read, and was gone", every: .zero) {
                    try store.save(bytes, at: 0, of: videos[saves % 2])
                    saves += 1
                    return saves >= 150 && seen.withLock { $0.whole > 0 && $0.absent > 0 }
                }
            } else {
                while !isOver.load(ordering: .acquiring) {
                    let chunk = try store.chunk(of: videos[0], from: 0)
                    seen.withLock { seen in
                        guard let chunk else { return seen.absent += 1 }
                        if chunk.bytes == nil { seen.damaged += 1 } else { seen.whole += 1 }
                    }
                }
            }
            try store.close()
        }
        #expect(errors.isEmpty, "\(errors)")
        let (whole, absent, damaged) = seen.withLock { $0 }
        #expect(damaged == 0 && whole > 0 && absent > 0, "\(whole), \(absent), \(damaged)")
    }
}
