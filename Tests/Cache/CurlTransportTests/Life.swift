import Foundation
import Synchronization

@testable import CurlTransport
@testable import VideoCache

/// One random life of a loader: its steps follow from a seed, and a model knows the bytes.
final class Life {
    static let paths = ["/a.mp4", "/b.mp4"]

    private let origin: ModelOrigin
    private let address: String
    private let transport: any HTTPTransport
    private let overstates: Bool
    private var generator: SeededGenerator
    private var place: Place
    private var readers: [Watched] = []
    private var background: [Background<[String]>] = []

    /// Observations that must not occur.
    private(set) var faults: [String] = []

    /// A cache and its loader, from a launch to a kill.
    private struct Place {
        let folder: String
        let store: SQLiteChunkStore
        let book: AcknowledgedBytes
        let loader: VideoLoader
    }

    /// A reader, and the position where its next bytes must lie.
    private final class Watched: Sendable {
        let reader: VideoReader
        let path: String
        private let expected: Mutex<Int64>

        init(reader: VideoReader, path: String) {
            (self.reader, self.path) = (reader, path)
            expected = Mutex(reader.position)
        }

        /// The next bytes and their position; several threads read in turn.
        func next(limit: Int) throws -> (position: Int, bytes: [UInt8])? {
            try expected.withLock { expected in
                guard let bytes = try reader.next(limit: limit) else { return nil }
                let position = Int(expected)
                expected += Int64(bytes.count)
                return (position, bytes)
            }
        }
    }

    init(
        seed: UInt64, origin: ModelOrigin, address: String, transport: any HTTPTransport,
        overstates: Bool = false
    ) throws {
        (self.origin, self.address, self.transport) = (origin, address, transport)
        self.overstates = overstates
        generator = SeededGenerator(state: seed ^ 0x5EED)
        // Both layouts, in turn.
        place = try Self.launch(
            Self.newFolder(), AcknowledgedBytes(transport, overstates: overstates),
            layout: seed % 2 == 0 ? .file : .rows)
    }

    deinit { try? FileManager.default.removeItem(atPath: place.folder) }

    /// In memory if possible: the cost of syncs is measured elsewhere.
    private static func newFolder() -> String {
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        return parent + "/LoaderLife-" + UUID().uuidString
    }

    private static func launch(
        _ folder: String, _ book: AcknowledgedBytes, layout: StorageLayout
    ) throws -> Place {
        let store = try SQLiteChunkStore(folder: folder, layout: layout)
        let policy = try SavePolicy(threshold: 16 << 10, allowingSmall: true)
        let loader = VideoLoader(
            cache: VideoCache(store: store), transport: book,
            options: .init(
                schedule: { _ in policy }, retry: RetryPolicy(retries: 2, pause: { _, _ in })),
            observer: book)
        return Place(folder: folder, store: store, book: book, loader: loader)
    }

    func run() throws {
        for _ in 0..<Int.random(in: 4...16, using: &generator) { try step() }
        origin.becomeHonest()
        for path in Self.paths { try finalRead(path) }
        for work in background { faults += try work.value() }
        readers = []
        place.loader.close()
        try checkStore(place)
        try place.store.close()
    }

    private func step() throws {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...6: open()
        case 7...11: try readSome()
        case 12...14: readInBackground()
        case 15...16: cancelOne()
        case 17...18:
            if let path = Self.paths.randomElement(using: &generator) { origin.change(path) }
        default: try kill()
        }
    }

    private func open() {
        let path = Self.paths.randomElement(using: &generator) ?? "/a.mp4"
        let from = Int64.random(in: 0..<120_000, using: &generator)
        let length = Int64.random(in: 1...100_000, using: &generator)
        let range: ByteRange? =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: nil
            case 1: ByteRange(offset: 0, length: 2)
            case 2: ByteRange(from: from, to: Int64.max)
            default: ByteRange(offset: from, length: length)
            }
        let reader = place.loader.reader(of: address + path, range: range)
        readers.append(Watched(reader: reader, path: path))
    }

    private func readSome() throws {
        guard let watched = readers.randomElement(using: &generator) else { return }
        let limit = Int.random(in: 1...40_000, using: &generator)
        let origin = origin
        // On a separate thread, so that a read that never ends is detected.
        faults += try Background { Self.read(watched, limit: limit, times: 2, origin) }.value()
    }

    private func readInBackground() {
        guard let watched = readers.randomElement(using: &generator) else { return }
        let limit = Int.random(in: 100...40_000, using: &generator)
        let (times, origin) = (Int.random(in: 1...60, using: &generator), origin)
        background.append(Background { Self.read(watched, limit: limit, times: times, origin) })
    }

    private func cancelOne() {
        guard let index = readers.indices.randomElement(using: &generator) else { return }
        readers.remove(at: index).reader.cancel()
    }

    /// Reads, and returns what is wrong with the bytes, which two threads may get in turn.
    private static func read(
        _ watched: Watched, limit: Int, times: Int, _ origin: ModelOrigin
    ) -> [String] {
        var faults: [String] = []
        for _ in 0..<times {
            do {
                guard let (position, bytes) = try watched.next(limit: limit) else { break }
                let etag = try watched.reader.information().etag
                let video = origin.bytes(watched.path, etag: etag) ?? []
                let end = position + bytes.count
                if bytes.isEmpty || bytes.count > limit || end > video.count
                    || Array(video[position..<end]) != bytes
                {
                    faults.append("wrong bytes of \(watched.path) \(etag ?? "-") at \(position)")
                }
            } catch DownloadError.changed {
                // Only an origin that has changed may be reported as changed.
                let etag = try? watched.reader.information().etag
                if etag == origin.currentTag(watched.path) {
                    faults.append("\(watched.path) has not changed")
                }
                break
            } catch is TransportError {
                break
            } catch is DownloadError {
                break
            } catch {
                faults.append("\(error)")
                break
            }
        }
        return faults
    }

    /// A fresh reader gets one whole version, at once or after an error about a change.
    private func finalRead(_ path: String) throws {
        let url = address + path
        for attempt in 0..<8 {
            let reader = place.loader.reader(of: url, range: nil)
            do {
                let bytes = try Background { try reader.all() }.value()
                if try bytes != origin.bytes(path, etag: reader.information().etag) {
                    faults.append("the whole of \(path) is wrong")
                }
                return
            } catch {
                // It may wait for a request that began before the origin became honest.
                guard error is DownloadError || error is TransportError, attempt < 7 else {
                    throw error
                }
            }
        }
    }

    /// Simulates a SIGKILL between two statements: the files as they are, opened by a new store.
    ///
    /// Kills within a statement are tested by the rig. Here the files must not change while they
    /// are copied; those of a killed process do not either.
    private func kill() throws {
        let folder = Self.newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let old = place
        let owed = try old.store.access { _ in
            for name in ["cache.sqlite", "cache.sqlite-wal", "data"] {
                let from = old.folder + "/" + name
                guard FileManager.default.fileExists(atPath: from) else { continue }
                try FileManager.default.copyItem(atPath: from, toPath: folder + "/" + name)
            }
            return old.book.acknowledged
        }
        place = try Self.launch(
            folder, AcknowledgedBytes(transport, owing: owed, overstates: overstates),
            layout: old.store.layout)
        try checkStore(place)
        for watched in readers { watched.reader.cancel() }
        readers = []
        old.loader.close()
        try old.store.close()
        try FileManager.default.removeItem(atPath: old.folder)
    }

    /// Everything cached equals its version, and everything acknowledged is cached.
    private func checkStore(_ place: Place) throws {
        let store = place.store
        let cache = VideoCache(store: store)
        for path in Self.paths {
            let url = address + path
            guard let video = try store.video(url: url) else { continue }
            let ranges = try store.ranges(of: video)
            let bytes = origin.bytes(path, etag: video.information.etag) ?? []
            var found = ByteRangeSet()
            let whole = ByteRange(from: 0, to: Int64.max)
            let damaged = try cache.readParts(in: whole, of: url) { position, part in
                let range = ByteRange(offset: position, length: Int64(part.count))
                found.insert(range)
                if range.end > bytes.count
                    || !part.elementsEqual(bytes[Int(position)..<Int(range.end)])
                {
                    faults.append("wrong bytes stored of \(path) at \(position)")
                }
            }
            if !damaged.isEmpty || found != ranges { faults.append("\(path): hollow or damaged") }
            let owed = place.book.ranges(url, etag: video.information.etag)
            if !owed.ranges.allSatisfy(found.contains) { faults.append("\(path): bytes lost") }
        }
    }
}
