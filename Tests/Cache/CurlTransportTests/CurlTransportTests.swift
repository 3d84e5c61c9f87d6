import Foundation
import Testing
import VideoCache

@testable import CurlTransport

@Suite("HTTP by libcurl, against real sockets", .serialized) struct CurlTransportTests {
    private let transports = Dictionary(
        uniqueKeysWithValues: Way.allCases.map {
            ($0, $0.transport(.init(connectTimeout: .seconds(5), progressTimeout: .seconds(30))))
        })

    private func transport(_ way: Way) throws -> CurlTransport { try #require(transports[way]) }

    private func get(
        _ url: String, target: HTTPRequest.Target = .whole, readSize: Int = 16 << 10,
        cancellation: Cancellation = Cancellation(), way: Way, by other: CurlTransport? = nil,
        onBody: @escaping () throws -> Void = {}
    ) throws -> Collector {
        let collector = Collector()
        collector.onBody = onBody
        try (other ?? transport(way)).perform(
            HTTPRequest(url: url, target: target, readSize: readSize), handler: collector,
            cancellation: cancellation)
        return collector
    }

    @Test(
        "never takes more than the read size at once", arguments: [1024, 4096, 16 << 10],
        Way.allCases)
    func readSize(size: Int, way: Way) throws {
        let bytes = videoBytes(300_000)
        let origin = try TestOrigin.video(bytes)
        let answer = try get(origin.url, readSize: size, way: way)
        #expect(answer.bytes == bytes)
        #expect(answer.largest <= size)
        #expect(answer.head?.status == 200)
        #expect(answer.head?["ETag"] == "\"v1\"")
    }

    @Test("asks for identity, and for the range as HTTP writes it", arguments: Way.allCases)
    func headers(way: Way) throws {
        let bytes = videoBytes(5000)
        let origin = try TestOrigin.video(bytes)
        let part = try get(origin.url, target: .range(ByteRange(from: 10, to: 20)), way: way)
        #expect(part.bytes == Array(bytes[10..<20]))
        #expect(try get(origin.url, target: .from(4990), way: way).bytes == Array(bytes[4990...]))
        #expect(origin.ranges == ["bytes=10-19", "bytes=4990-"])
        #expect(origin.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
    }

    @Test("a silent origin does not hold up a cancellation (S3)", arguments: Way.allCases)
    func cancelOnSilence(way: Way) throws {
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
        let transport = way.transport(.init(progressTimeout: .seconds(60)))
        #expect(throws: TransportError.cancelled) {
            try transport.perform(
                HTTPRequest(url: origin.url, target: .whole, readSize: 16 << 10),
                handler: collector, cancellation: cancellation)
        }
        #expect(collector.bytes.count == 20_000)
    }

    @Test("a request cancelled before it begins sends nothing (T6)", arguments: Way.allCases)
    func cancelledBefore(way: Way) throws {
        let origin = try TestOrigin.video([1])
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: TransportError.cancelled) {
            try get(origin.url, cancellation: cancellation, way: way)
        }
        #expect(origin.requests.isEmpty)
    }

    @Test("redirects are followed, their bodies skipped", arguments: Way.allCases)
    func redirect(way: Way) throws {
        let bytes = videoBytes(1000)
        let origin = try TestOrigin { request in
            request.path == "/v.mp4"
                ? Reply(status: 302, headers: ["Location": "/there"], body: Array("gone".utf8))
                : TestOrigin.honest(request, bytes)
        }
        let answer = try get(origin.url, target: .range(ByteRange(from: 5, to: 9)), way: way)
        #expect(answer.bytes == Array(bytes[5..<9]))
        #expect(answer.head?.status == 206)
        #expect(origin.requests.map(\.path) == ["/v.mp4", "/there"])
    }

    @Test(arguments: Way.allCases) func redirectsWithoutEnd(way: Way) throws {
        let origin = try TestOrigin { _ in Reply(status: 301, headers: ["Location": "/v.mp4"]) }
        #expect(throws: TransportError.tooManyRedirects(url: origin.url)) {
            try get(origin.url, way: way)
        }
        #expect(origin.requests.count == 11)
    }

    @Test("a redirect does not lead out of the web", arguments: Way.allCases)
    func redirectToFile(way: Way) throws {
        let origin = try TestOrigin { _ in
            Reply(status: 302, headers: ["Location": "file:///etc/hostname"])
        }
        #expect(throws: TransportError.unsupportedAddress(url: origin.url)) {
            try get(origin.url, way: way)
        }
    }

    /// libcurl hands over what follows an unrequested 101 like a body.
    ///
    /// The handler had seen no head, took it for the bytes it had requested, and they were played.
    @Test("a body without a head is dropped", arguments: Way.allCases)
    func switchedProtocols(way: Way) throws {
        let origin = try TestOrigin { _ in Reply(status: 101, body: videoBytes(50_000)) }
        let collector = Collector()
        #expect {
            try transport(way).perform(
                HTTPRequest(url: origin.url, target: .whole, readSize: 4096), handler: collector,
                cancellation: Cancellation())
        } throws: {
            if case .failed? = $0 as? TransportError { true } else { false }
        }
        #expect(collector.bytes.isEmpty)
    }

    @Test(arguments: Way.allCases) func truncatedBody(way: Way) throws {
        let origin = try TestOrigin { _ in Reply(body: videoBytes(50_000), sendsOnly: 30_000) }
        #expect(throws: TransportError.truncated(url: origin.url)) { try get(origin.url, way: way) }
    }

    @Test(arguments: Way.allCases) func silence(way: Way) throws {
        let origin = try TestOrigin { _ in Reply(body: [1, 2, 3], sendsOnly: 1, fallsSilent: true) }
        let impatient = way.transport(.init(progressTimeout: .seconds(1)))
        #expect(throws: TransportError.timedOut(url: origin.url)) {
            try get(origin.url, way: way, by: impatient)
        }
    }

    @Test(arguments: Way.allCases) func nothingListens(way: Way) throws {
        let origin = try TestOrigin.video([1])
        let url = origin.url
        origin.stop()
        #expect {
            try get(url, way: way)
        } throws: {
            switch $0 as? TransportError {
            case .cannotConnect?: way == .direct
            // The proxy says so.
            case .tunnelRefused(_, 502)?: way == .tunnelled
            default: false
            }
        }
    }

    @Test("what the handler throws comes out, and the transport can go on", arguments: Way.allCases)
    func handlerError(way: Way) throws {
        struct Enough: Error {}
        let bytes = videoBytes(400_000)
        let origin = try TestOrigin.video(bytes)
        #expect(throws: Enough.self) { try get(origin.url, way: way) { throw Enough() } }
        #expect(try get(origin.url, way: way).bytes == bytes)
    }

    @Test("chunks are taken apart, trailers ignored", arguments: Way.allCases)
    func chunked(way: Way) throws {
        let bytes = videoBytes(50_000)
        let origin = try TestOrigin { _ in Reply(body: bytes, isChunked: true) }
        let answer = try get(origin.url, way: way)
        #expect(answer.bytes == bytes)
        #expect(answer.head?["x-trailer"] == nil)
    }

    @Test("several threads share a transport", arguments: Way.allCases)
    func concurrently(way: Way) async throws {
        let bytes = videoBytes(200_000)
        let origin = try TestOrigin.video(bytes)
        let transport = try transport(way)
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
}
