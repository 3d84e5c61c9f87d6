import Foundation
import Testing
import VideoCache

@testable import CurlTransport

@Suite("HTTP by libcurl, against real sockets", .serialized)
struct CurlTransportTests {
    let transport = CurlTransport(
        options: .init(connectTimeout: .seconds(5), progressTimeout: .seconds(30)))

    private func get(
        _ url: String, target: HTTPRequest.Target = .whole, readSize: Int = 16 << 10,
        cancellation: Cancellation = Cancellation(), by other: CurlTransport? = nil,
        onBody: @escaping () throws -> Void = {}
    ) throws -> Collector {
        let collector = Collector()
        collector.onBody = onBody
        try (other ?? transport).perform(
            HTTPRequest(url: url, target: target, readSize: readSize), handler: collector,
            cancellation: cancellation)
        return collector
    }

    @Test("never takes more than the read size at once", arguments: [1024, 4096, 16 << 10])
    func readSize(size: Int) throws {
        let bytes = videoBytes(300_000)
        let origin = try TestOrigin.video(bytes)
        let answer = try get(origin.url, readSize: size)
        #expect(answer.bytes == bytes)
        #expect(answer.largest <= size)
        #expect(answer.head?.status == 200)
        #expect(answer.head?["ETag"] == "\"v1\"")
    }

    @Test("asks for identity, and for the range as HTTP writes it")
    func headers() throws {
        let bytes = videoBytes(5000)
        let origin = try TestOrigin.video(bytes)
        let part = try get(origin.url, target: .range(ByteRange(from: 10, to: 20)))
        #expect(part.bytes == Array(bytes[10..<20]))
        #expect(try get(origin.url, target: .from(4990)).bytes == Array(bytes[4990...]))
        #expect(origin.ranges == ["bytes=10-19", "bytes=4990-"])
        #expect(origin.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
    }

    @Test("a silent origin does not hold up a cancellation (S3)")
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
        let transport = CurlTransport(options: .init(progressTimeout: .seconds(60)))
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

    @Test("redirects are followed, their bodies skipped")
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

    /// libcurl hands over what follows an unrequested 101 like a body.
    ///
    /// The handler had seen no head, took it for the bytes it had requested, and they were played.
    @Test("a body without a head is dropped")
    func switchedProtocols() throws {
        let origin = try TestOrigin { _ in Reply(status: 101, body: videoBytes(50_000)) }
        let collector = Collector()
        #expect {
            try transport.perform(
                HTTPRequest(url: origin.url, target: .whole, readSize: 4096), handler: collector,
                cancellation: Cancellation())
        } throws: {
            if case .failed? = $0 as? TransportError { true } else { false }
        }
        #expect(collector.bytes.isEmpty)
    }

    @Test func truncatedBody() throws {
        let origin = try TestOrigin { _ in Reply(body: videoBytes(50_000), sendsOnly: 30_000) }
        #expect(throws: TransportError.truncated(url: origin.url)) { try get(origin.url) }
    }

    @Test func silence() throws {
        let origin = try TestOrigin { _ in
            Reply(body: [1, 2, 3], sendsOnly: 1, fallsSilent: true)
        }
        let impatient = CurlTransport(options: .init(progressTimeout: .seconds(1)))
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

    @Test("chunks are taken apart, trailers ignored")
    func chunked() throws {
        let bytes = videoBytes(50_000)
        let origin = try TestOrigin { _ in Reply(body: bytes, isChunked: true) }
        let answer = try get(origin.url)
        #expect(answer.bytes == bytes)
        #expect(answer.head?["x-trailer"] == nil)
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
}
