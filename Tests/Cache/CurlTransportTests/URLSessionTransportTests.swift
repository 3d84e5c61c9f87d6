import Dispatch
import Foundation
import Synchronization
import Testing
import URLSessionTransport
import VideoCache

@Suite("HTTP by URLSession, against real sockets", .serialized)
struct URLSessionTransportTests {
    let transport = URLSessionTransport(options: .init(progressTimeout: .seconds(30)))

    private func get(
        _ url: String, target: HTTPRequest.Target = .whole,
        cancellation: Cancellation = Cancellation(), by other: URLSessionTransport? = nil,
        onBody: @escaping () throws -> Void = {}
    ) throws -> Collector {
        let collector = Collector()
        collector.onBody = onBody
        try (other ?? transport).perform(
            HTTPRequest(url: url, target: target, readSize: 16 << 10), handler: collector,
            cancellation: cancellation)
        return collector
    }

    @Test("asks for identity, and for the range as HTTP writes it")
    func headers() throws {
        let bytes = videoBytes(5000)
        let origin = try TestOrigin.video(bytes)
        let part = try get(origin.url, target: .range(ByteRange(from: 10, to: 20)))
        #expect(part.bytes == Array(bytes[10..<20]))
        #expect(part.head?.status == 206)
        #expect(part.head?["ETag"] == "\"v1\"")
        #expect(try get(origin.url, target: .from(4990)).bytes == Array(bytes[4990...]))
        #expect(origin.ranges == ["bytes=10-19", "bytes=4990-"])
        #expect(origin.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
        #expect(origin.requests.allSatisfy { $0.headers["user-agent"] == "downloader" })
    }

    @Test("a silent origin does not hold up a cancellation, and what came is handed over (S3)")
    func cancelOnSilence() throws {
        let origin = try TestOrigin { _ in
            Reply(body: videoBytes(50_000), sendsOnly: 20_000, fallsSilent: true)
        }
        let cancellation = Cancellation()
        let collector = Collector()
        collector.onBody = { [unowned collector] in
            guard collector.bytes.count == 20_000 else { return }
            Thread.detachNewThread { cancellation.cancel() }
        }
        // Without the cancellation it would last a minute, and end with another error.
        let transport = URLSessionTransport(options: .init(progressTimeout: .seconds(60)))
        #expect(throws: TransportError.cancelled) {
            try transport.perform(
                HTTPRequest(url: origin.url, target: .whole, readSize: 16 << 10),
                handler: collector, cancellation: cancellation)
        }
        #expect(collector.bytes.count == 20_000)
    }

    @Test("a request cancelled before it begins sends nothing (T6)")
    func cancelledBefore() throws {
        let origin = try TestOrigin.video([1])
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: TransportError.cancelled) {
            try get(origin.url, cancellation: cancellation)
        }
        #expect(origin.requests.isEmpty)
    }

    @Test("redirects are followed with their range, their bodies skipped")
    func redirect() throws {
        let bytes = videoBytes(1000)
        let origin = try TestOrigin { request in
            request.path == "/v.mp4"
                ? Reply(status: 302, headers: ["Location": "/there"], body: Array("gone".utf8))
                : TestOrigin.honest(request, bytes)
        }
        let answer = try get(origin.url, target: .range(ByteRange(from: 5, to: 9)))
        #expect(answer.bytes == Array(bytes[5..<9]))
        #expect(answer.head?.status == 206)
        #expect(origin.requests.map(\.path) == ["/v.mp4", "/there"])
    }

    @Test func redirectsWithoutEnd() throws {
        let origin = try TestOrigin { _ in Reply(status: 301, headers: ["Location": "/v.mp4"]) }
        #expect(throws: TransportError.tooManyRedirects(url: origin.url)) { try get(origin.url) }
        #expect(origin.requests.count == 11)
    }

    @Test("a redirect does not lead out of the web")
    func redirectToFile() throws {
        let origin = try TestOrigin { _ in
            Reply(status: 302, headers: ["Location": "file:///etc/hostname"])
        }
        #expect(throws: TransportError.unsupportedAddress(url: origin.url)) {
            try get(origin.url)
        }
    }

    @Test("what came before the body was cut is handed over, then it fails (S2)")
    func truncatedBody() throws {
        let origin = try TestOrigin { _ in Reply(body: videoBytes(50_000), sendsOnly: 30_000) }
        let collector = Collector()
        #expect(throws: TransportError.self) {
            try transport.perform(
                HTTPRequest(url: origin.url, target: .whole, readSize: 16 << 10),
                handler: collector, cancellation: Cancellation())
        }
        #expect(collector.bytes.count == 30_000)
    }

    @Test func silence() throws {
        let origin = try TestOrigin { _ in
            Reply(body: [1, 2, 3], sendsOnly: 1, fallsSilent: true)
        }
        let impatient = URLSessionTransport(options: .init(progressTimeout: .seconds(1)))
        #expect(throws: TransportError.timedOut(url: origin.url)) {
            try get(origin.url, by: impatient)
        }
    }

    @Test func nothingListens() throws {
        let origin = try TestOrigin.video([1])
        let url = origin.url
        origin.stop()
        #expect {
            try get(url)
        } throws: {
            if case .cannotConnect? = $0 as? TransportError { true } else { false }
        }
    }

    @Test("what the handler throws comes out, and the transport can go on")
    func handlerError() throws {
        struct Enough: Error {}
        let bytes = videoBytes(400_000)
        let origin = try TestOrigin.video(bytes)
        #expect(throws: Enough.self) { try get(origin.url) { throw Enough() } }
        #expect(try get(origin.url).bytes == bytes)
    }

    @Test("several threads share a transport")
    func concurrently() async throws {
        let bytes = videoBytes(200_000)
        let origin = try TestOrigin.video(bytes)
        let transport = transport
        let url = origin.url
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let collector = Collector()
                    try transport.perform(
                        HTTPRequest(url: url, target: .whole, readSize: 4096),
                        handler: collector, cancellation: Cancellation())
                    return collector.bytes
                }
            }
            for try await answer in group { #expect(answer == bytes) }
        }
    }

    /// Counts bytes as they arrive, and signals when all have.
    private final class Arrivals: Sendable {
        let allHaveCome = DispatchSemaphore(value: 0)
        let count = Mutex(0)
        let total: Int

        init(total: Int) { self.total = total }

        func add(_ bytes: Int) {
            let all = count.withLock { count in
                count += bytes
                return count
            }
            if all == total { allHaveCome.signal() }
        }
    }

    /// Does not return from the first piece before all bytes have arrived.
    private final class SlowHandler: HTTPResponseHandler {
        let arrivals: Arrivals
        var handed = 0
        var hadBackPressure = false

        init(total: Int) { arrivals = Arrivals(total: total) }

        var arrivalCounter: (@Sendable (Int) -> Void)? {
            { [arrivals] in arrivals.add($0) }
        }

        func head(_ head: HTTPResponseHead) {}

        func body(_ bytes: UnsafeRawBufferPointer) {
            if handed == 0 {
                hadBackPressure = arrivals.allHaveCome.wait(timeout: .now() + 20) != .success
            }
            handed += bytes.count
        }
    }

    /// Shows why received bytes are counted on arrival.
    ///
    /// While the handler works, all other bytes leave the socket and wait in memory, where a kill
    /// loses them (B1).
    @Test("reads on while the handler works, and counts what has come")
    func noBackPressure() throws {
        let bytes = videoBytes(6 << 20)
        let origin = try TestOrigin.video(bytes)
        let handler = SlowHandler(total: bytes.count)
        try transport.perform(
            HTTPRequest(url: origin.url, target: .whole, readSize: 16 << 10), handler: handler,
            cancellation: Cancellation())
        #expect(!handler.hadBackPressure, "\(handler.arrivals.count.withLock(\.self)) arrived")
        #expect(handler.handed == bytes.count)
    }
}
