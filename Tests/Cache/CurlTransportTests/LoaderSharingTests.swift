import Dispatch
import Synchronization
import Testing
import TestSupport
import VideoCache

@testable import CurlTransport

@Suite("Readers share what is running (C7, S3, T1, T5, T6, T8)", .serialized)
struct LoaderSharingTests {
    let cache: TemporaryCache
    let bytes = videoBytes(4_000_000)
    let gate = DispatchSemaphore(value: 0)

    init() throws { cache = try TemporaryCache() }

    /// An origin that pauses in the body of a request for everything until the gate opens.
    private func gated(after count: Int) throws -> TestOrigin {
        let (bytes, gate) = (bytes, gate)
        return try TestOrigin.video(bytes) { request, reply in
            if request.range?.first == 0, request.range?.last == nil {
                (reply.pausesAfter, reply.gate) = (count, gate)
            }
        }
    }

    @Test("duplicate and overlapping requests share one download; each byte comes once (C7)")
    func shared() throws {
        let origin = try gated(after: 1_000_000)
        let url = origin.url
        let ledger = Ledger()
        let loader = cache.loader(observer: ledger)
        let first = loader.reader(of: url, range: nil)
        #expect(try first.bytes(atLeast: 1_000_000) == Array(bytes[..<1_000_000]))
        let starts = [0, 0, 700_000, 999_999, 1_900_000]
        let others = starts.map { start in
            Background {
                try loader.reader(
                    of: url, range: ByteRange(from: Int64(start), to: 4_000_000)
                ).all()
            }
        }
        gate.signal()
        #expect(try first.all() == Array(bytes[1_000_000...]))
        for (start, other) in zip(starts, others) {
            #expect(try other.value() == Array(bytes[start...]))
        }
        loader.close()
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-"])
        #expect(ledger.requests.map(\.received) == [2, 4_000_000])
    }

    @Test("a seek far ahead gets a download of its own, and the first one stops there (T8)")
    func farSeek() throws {
        let origin = try gated(after: 500_000)
        let url = origin.url
        let ledger = Ledger()
        let loader = cache.loader(observer: ledger)
        let first = loader.reader(of: url, range: nil)
        #expect(try first.bytes(atLeast: 500_000) == Array(bytes[..<500_000]))
        let seek = loader.reader(of: url, range: ByteRange(from: 3_000_000, to: 4_000_000))
        #expect(try seek.all() == Array(bytes[3_000_000...]))
        gate.signal()
        #expect(try first.all() == Array(bytes[500_000...]))
        loader.close()
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-", "bytes=3000000-"])
        let received = ledger.requests.map(\.received).reduce(0, +)
        #expect(received < 4_000_002 + 2 * Int64(SavePolicy.maximumReadSize))
    }

    @Test("a download lives as long as one reader wants it") func lastOneOut() throws {
        let origin = try gated(after: 800_000)
        let ledger = Ledger()
        let loader = cache.loader(observer: ledger)
        let readers = (0..<2).map { _ in loader.reader(of: origin.url, range: nil) }
        for reader in readers { _ = try reader.bytes(atLeast: 800_000) }
        readers[0].cancel()
        #expect(throws: TransportError.cancelled) { try readers[0].next() }
        #expect(ledger.requests.last?.end == nil)
        readers[1].cancel()
        try blockUntil("the request is cancelled") { ledger.requests.last?.end == .cancelled }
        #expect(try cache.cache.cachedBytes(of: origin.url) == 800_000)
        gate.signal()
        loader.close()
    }

    @Test("far enough ahead a download ends its request, and goes on when the reader comes near")
    func readAhead() throws {
        let origin = try TestOrigin.video(bytes)
        let ledger = Ledger()
        let loader = cache.loader(readAhead: 500_000, observer: ledger)
        let reader = loader.reader(of: origin.url, range: nil)
        let start = try reader.bytes(atLeast: 1000)
        try blockUntil("the request is cancelled") { ledger.requests.last?.end == .cancelled }
        let received = try #require(ledger.requests.last).received
        #expect((500_000...1_100_000).contains(received))
        #expect(try cache.cache.cachedBytes(of: origin.url) == received)
        #expect(try start + reader.all() == bytes)
        loader.close()
        #expect(ledger.requests.map(\.received).reduce(0, +) == 4_000_002, "each byte once")
        #expect(ledger.phases.last == .idle)
    }

    @Test("five videos tapped one after the other: every byte is saved (T1, T5)")
    func fiveVideos() throws {
        let counts = ["/1": 1 << 20, "/2": 200 << 10, "/3": 100 << 10, "/4": 50 << 10, "/5": 1]
        let origin = try TestOrigin.video(bytes) { request, reply in
            if request.range?.last == nil {
                reply.sendsOnly = counts[request.path]
                reply.fallsSilent = true
            }
        }
        let ledger = Ledger()
        let loader = cache.loader(observer: ledger)
        let base = "http://127.0.0.1:\(origin.port)"
        var readers: [VideoReader] = []
        for (path, count) in counts.sorted(by: { $0.key < $1.key }) {
            readers.last?.cancel()
            let reader = loader.reader(of: base + path, range: nil)
            #expect(try reader.bytes(atLeast: count).count == count)
            readers.append(reader)
        }
        loader.close()
        for (path, count) in counts {
            #expect(try cache.cache.cachedBytes(of: base + path) == count)
        }
        #expect(ledger.worstUnacknowledged <= 512 << 10)
    }

    @Test("five videos at once, each with its own threshold (S5, B1)") func atOnce() throws {
        let origin = try TestOrigin.video(bytes)
        let bytes = bytes
        let ledger = Ledger()
        let loader = VideoLoader(
            cache: cache.cache, transport: CurlTransport(),
            options: .init(schedule: { $0.hasSuffix("0") ? SavePolicy.aggressive : .conservative }),
            observer: ledger)
        let base = "http://127.0.0.1:\(origin.port)/"
        let all = (0..<5).map { number in
            Background { try loader.reader(of: base + "\(number)", range: nil).all() == bytes }
        }
        for one in all { #expect(try one.value()) }
        loader.close()
        #expect(ledger.requests.count == 10)
        let sizes = ledger.requests.compactMap { $0.commits.map(\.length).max() }.sorted()
        #expect(sizes.last ?? 0 > 900 << 10)
        #expect(sizes.dropLast().allSatisfy { $0 <= 256 << 10 })
    }

    @Test("closed, or cancelled before the first byte: clean (T6)")
    func beforeTheFirstByte() throws {
        let origin = try TestOrigin.video(bytes)
        let loader = cache.loader()
        let reader = loader.reader(of: origin.url, range: nil)
        reader.cancel()
        #expect(throws: TransportError.cancelled) { try reader.next() }
        let waiting = Background { try loader.information(of: origin.url + "?silent") }
        _ = try waiting.value()
        loader.close()
        #expect(throws: TransportError.cancelled) {
            try loader.reader(of: origin.url, range: nil).next()
        }
        #expect(origin.ranges == ["bytes=0-1"])
    }

    @Test("a cancel ends a probe of a silent origin, and a close does") func silentProbe() throws {
        let origin = try TestOrigin { _ in Reply(body: [1, 2], sendsOnly: 0, fallsSilent: true) }
        let url = origin.url
        let loader = cache.loader(transport: SlowHead())
        let cancellation = Cancellation()
        let asking = Background { try loader.information(of: url, cancellation: cancellation) }
        cancellation.cancel()
        #expect(throws: TransportError.cancelled) { try asking.value() }
        let reader = loader.reader(of: url, range: nil)
        let reading = Background { try reader.next() }
        loader.close()
        #expect(throws: TransportError.cancelled) { try reading.value() }
    }

    private struct SlowHead: HTTPTransport {
        func perform(
            _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
        ) throws {
            let bell = DispatchSemaphore(value: 0)
            cancellation.waking({ bell.signal() }) { _ = bell.wait(timeout: .now() + 60) }
            throw TransportError.cancelled
        }
    }
}
