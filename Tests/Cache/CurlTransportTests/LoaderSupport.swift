import Foundation
import Synchronization
import VideoCache

@testable import CurlTransport

extension TemporaryCache {
    /// A loader over the cache that does not retry unless told otherwise.
    func loader(
        schedule: any SaveSchedule = SavePolicy.default, retry: RetryPolicy = .none,
        readAhead: Int64 = 32 << 20, observer: any CacheObserver = SilentObserver(),
        transport: (any HTTPTransport)? = nil
    ) -> VideoLoader {
        VideoLoader(
            cache: cache,
            transport: transport
                ?? way.transport(.init(connectTimeout: .seconds(5), progressTimeout: .seconds(30))),
            options: .init(schedule: { _ in schedule }, retry: retry, readAhead: readAhead),
            observer: observer)
    }

    /// What a player gets of a video, or of a range, by a loader of its own.
    func play(_ url: String, _ range: ByteRange? = nil) throws -> [UInt8] {
        let loader = loader()
        defer { loader.close() }
        return try loader.reader(of: url, range: range).all()
    }
}

extension VideoReader {
    func all(limit: Int = 1 << 20) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try next(limit: limit) { bytes += more }
        return bytes
    }

    func bytes(atLeast count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let more = try next(limit: count - bytes.count) {
            bytes += more
        }
        return bytes
    }
}

extension RetryPolicy {
    static func atOnce(_ retries: Int) -> Self { Self(retries: retries, pause: { _, _ in }) }
}

struct NeverEnded: Error {}

final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
            done.signal()
        }
    }

    /// The result of the work; fails after 30 s.
    func value() throws -> Value {
        guard done.wait(timeout: .now() + 30) == .success,
            let outcome = result.withLock({ $0 })
        else { throw NeverEnded() }
        done.signal()
        return try outcome.get()
    }
}

/// Passes a response on, once it has told of its head or of the number of its bytes.
final class TappedHandler: HTTPResponseHandler {
    private let base: any HTTPResponseHandler
    private let onHead: (HTTPResponseHead) -> Void
    private let onBody: (Int) -> Void

    init(
        _ base: any HTTPResponseHandler, onHead: @escaping (HTTPResponseHead) -> Void = { _ in },
        onBody: @escaping (Int) -> Void = { _ in }
    ) {
        (self.base, self.onHead, self.onBody) = (base, onHead, onBody)
    }

    func head(_ head: HTTPResponseHead) throws {
        onHead(head)
        try base.head(head)
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        onBody(bytes.count)
        try base.body(bytes)
    }
}
