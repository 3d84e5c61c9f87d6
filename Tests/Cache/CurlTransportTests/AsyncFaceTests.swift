@testable import CurlTransport
import Foundation
import Synchronization
import TestSupport
import Testing
import VideoCache

/// Fetching and reading in tasks, which may be cancelled at any moment (S2, S3).
@Suite struct AsyncFaceTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }
    private func address(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// An origin that sends so many bytes of a video of 900,000, and then nothing.
    private func silentOrigin(after count: Int) throws -> TestOrigin {
        let bytes = videoBytes(900_000)
        return try TestOrigin.video(bytes) { _, reply in
            if reply.body.count > 2 { (reply.sendsOnly, reply.fallsSilent) = (count, true) }
        }
    }

    // MARK: Fetching

    @Test func theProgressGoesFromWhatIsCachedToTheWhole() async throws {
        let bytes = videoBytes(900_000)
        let origin = try TestOrigin.video(bytes)
        try cache.seed(origin.url, bytes, [100_000..<200_000])
        let url = try address(origin.url)
        var seen: [FetchProgress] = []
        for try await progress in cache.cache.fetch(
            url, by: quickTransport(), policy: .conservative)
        {
            seen.append(progress)
        }
        let first = try #require(seen.first)
        #expect(first.ranges.contains(ByteRange(offset: 100_000, length: 100_000)))
        let last = try #require(seen.last)
        #expect(last.ranges.ranges == [ByteRange(offset: 0, length: 900_000)])
        #expect(last.length == 900_000 && last.fraction == 1)
        #expect(last.receivedBytes == 800_000 && last.bytesPerSecond > 0)
        for (earlier, later) in zip(seen, seen.dropFirst()) {
            #expect(earlier.cachedBytes <= later.cachedBytes)
            #expect(earlier.receivedBytes <= later.receivedBytes)
        }
        #expect(try cache.bytes(of: origin.url, count: 900_000) == bytes)
        #expect(try cache.cache.percentCached(of: url) == 100)
    }

    /// The origin is silent after 700,000 bytes; 176 KB of them are not saved when the task is
    /// cancelled.
    @Test func cancellingTheTaskSavesWhatHadCome() async throws {
        let origin = try silentOrigin(after: 700_000)
        let (url, cache) = (try address(origin.url), cache.cache)
        let transport = CountingTransport(base: quickTransport())
        let task = Task { for try await _ in cache.fetch(url, by: transport) {} }
        try await eventually("all of it has come") {
            transport.counts.bytes(of: origin.url) == 700_000
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // It was saved before the loop ended.
        #expect(try cache.cachedBytes(of: origin.url) == 700_000)
    }

    @Test func leavingTheLoopCancelsAndTheCloseWaitsForTheSave() async throws {
        let origin = try silentOrigin(after: 700_000)
        let url = try address(origin.url)
        let transport = CountingTransport(base: quickTransport(), isHeld: true)
        for try await progress in cache.cache.fetch(url, by: transport)
        where progress.cachedBytes > 0 { break }
        let (cache, isClosed) = (cache.cache, Flag())
        let close = Background {
            try cache.close()
            isClosed.set()
        }
        // A close that did not wait returns now, and the remainder is saved too late.
        try? await eventually("the cache is closed", within: .milliseconds(300)) { isClosed.value }
        transport.gate.signal()
        try close.value()
        let again = try VideoCache(folder: self.cache.folder)
        #expect(try again.cachedBytes(of: origin.url) == transport.counts.bytes(of: origin.url))
        try again.close()
    }

    @Test func aFailureIsThrownAndTheNextFetchGoesOn() async throws {
        let bytes = videoBytes(900_000)
        let isWell = Mutex(false)
        let origin = try TestOrigin.video(bytes) { _, reply in
            if reply.body.count > 2, !isWell.withLock(\.self) { reply.sendsOnly = 300_000 }
        }
        let (url, cache) = (try address(origin.url), cache.cache)
        await #expect(throws: TransportError.truncated(url: origin.url)) {
            for try await _ in cache.fetch(url, by: quickTransport(), retry: .none) {}
        }
        #expect(try cache.cachedBytes(of: origin.url) == 300_000)
        isWell.withLock { $0 = true }
        for try await _ in cache.fetch(url, by: quickTransport(), retry: .none) {}
        #expect(origin.ranges.last == "bytes=300000-")
        #expect(try cache.percentCached(of: url) == 100)
    }

    // MARK: Reading

    @Test func aRangeIsReadWhileItIsFetched() async throws {
        let bytes = videoBytes(900_000)
        let origin = try TestOrigin.video(bytes)
        let url = try address(origin.url)
        let loader = cache.loader()
        #expect(try await loader.information(of: url).length == 900_000)
        var read: [UInt8] = []
        for try await piece in loader.bytes(of: url, in: ByteRange(from: 5, to: 800_000)) {
            #expect(!piece.isEmpty)
            read += piece
        }
        loader.close()
        #expect(read == Array(bytes[5..<800_000]))
    }

    @Test func aCancelledReaderOfASilentOriginEnds() async throws {
        let origin = try silentOrigin(after: 300_000)
        let url = try address(origin.url)
        let loader = cache.loader()
        let read = Mutex(0)
        let task = Task {
            for try await piece in loader.bytes(of: url) { read.withLock { $0 += piece.count } }
        }
        try await eventually("all of it was read") { read.withLock { $0 == 300_000 } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        loader.close()
        #expect(try cache.cache.cachedBytes(of: origin.url) == 300_000)
    }

    // MARK: A storm

    /// A thousand tasks that fetch or read, and end in one of three ways after some steps.
    ///
    /// Nothing is left of them: no task, no connection, and no byte that was received and not
    /// saved.
    @Test func aThousandCancelledTasksLeaveNothing() async throws {
        let bytes = videoBytes(200_000)
        let origin = try TestOrigin.video(bytes)
        let policy = try SavePolicy(threshold: 32 << 10, allowingSmall: true)
        var transport: CountingTransport? = CountingTransport(base: quickTransport())
        let counts = try #require(transport).counts
        var loader: VideoLoader? = cache.loader(schedule: policy, transport: transport)
        for wave in 0..<10 {
            let tasks = try (wave * 100..<wave * 100 + 100).map { number in
                let url = try address("\(origin.url)?\(number)")
                if number.isMultiple(of: 3) {
                    return Storm(number: number).begin(try #require(loader).bytes(of: url))
                }
                return Storm(number: number).begin(
                    cache.cache.fetch(
                        url, by: try #require(transport), policy: policy, retry: .none))
            }
            for task in tasks { _ = await task.result }
        }
        loader?.close()
        (loader, transport) = (nil, nil)
        try cache.cache.close()
        try await eventually("no connection is left") { try connections(to: origin.port) == 0 }
        let again = try VideoCache(folder: cache.folder)
        var received: Int64 = 0
        for number in 0..<1000 {
            let url = "\(origin.url)?\(number)"
            let cached = try again.cachedRanges(of: url)
            #expect(cached.byteCount == counts.bytes(of: url), "\(number)")
            received += cached.byteCount
            var isRight = true
            _ = try again.readParts(in: ByteRange(offset: 0, length: 200_000), of: url) {
                let (start, piece) = (Int($0), $1)
                isRight =
                    bytes.withUnsafeBytes {
                        memcmp($0.baseAddress! + start, piece.baseAddress!, piece.count) == 0
                    } && isRight
            }
            #expect(isRight, "\(number)")
        }
        // Some were cancelled in the middle, some were complete.
        #expect(received > 0 && received < 200_000 * 1000)
        try again.close()
    }

    private struct Storm {
        let number: Int

        func begin<Steps: AsyncSequence & Sendable>(_ steps: Steps) -> Task<Void, any Error> {
            var random = SeededGenerator(state: UInt64(number))
            let most = Int(random.next() % 5)
            let task = Task {
                var count = 0
                for try await _ in steps {
                    count += 1
                    guard count > most else { continue }
                    if number % 4 == 0 { break }
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            if number % 4 == 1 { task.cancel() }
            return task
        }
    }
}

/// A transport that counts the bytes of videos as they leave the socket, without those of probes.
private final class CountingTransport: HTTPTransport {
    final class Counts: Sendable {
        private let counts = Mutex<[String: Int64]>([:])

        func add(_ count: Int, of url: String) {
            counts.withLock { $0[url, default: 0] += Int64(count) }
        }

        func bytes(of url: String) -> Int64 { counts.withLock { $0[url] ?? 0 } }
    }

    let counts = Counts()
    /// Opened, it lets a held request end.
    let gate = DispatchSemaphore(value: 0)
    private let base: any HTTPTransport
    private let isHeld: Bool

    /// Creates a transport; a held one does not return from a video's request before its gate opens.
    init(base: any HTTPTransport, isHeld: Bool = false) {
        (self.base, self.isHeld) = (base, isHeld)
    }

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        if case .range(let range) = request.target, range.length == 2 {
            return try base.perform(request, handler: handler, cancellation: cancellation)
        }
        defer { if isHeld { _ = gate.wait(timeout: .now() + 30) } }
        let tapped = TappedHandler(handler, onBody: { [counts] in counts.add($0, of: request.url) })
        try base.perform(request, handler: tapped, cancellation: cancellation)
    }
}
