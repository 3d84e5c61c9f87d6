public import Foundation
internal import Synchronization

/// How far a fetch has come.
public struct FetchProgress: Sendable, Hashable {
    /// The cached parts of the video; they survive a kill.
    public var ranges: ByteRangeSet
    /// The video's size in bytes; nil while it is unknown.
    public var length: Int64?
    /// How many bytes this fetch has received.
    public var receivedBytes: Int64
    /// How fast they came, in bytes per second, from the first one on.
    public var bytesPerSecond: Double

    /// The number of cached bytes.
    public var cachedBytes: Int64 { ranges.byteCount }

    /// The cached part of the video, from 0 to 1; nil while its length is unknown.
    public var fraction: Double? { length.map { $0 > 0 ? Double(cachedBytes) / Double($0) : 1 } }
}

extension VideoCache {
    /// Fetches what is missing of a video, and saves it as it arrives (C8, S1, S2).
    ///
    /// The fetch begins with the loop over its progress, and ends with it:
    ///
    /// - The first element says what is cached already, one follows each save, and the last one
    ///   says that the video is complete. A slow loop gets the newest one only.
    /// - Cancelling the task, or leaving the loop, cancels the fetch. Received bytes are
    ///   saved (S3), also by ``close(observer:)``, which waits for that. If the task is cancelled,
    ///   the loop ends with a `CancellationError` once it is saved.
    /// - However the fetch fails, received bytes are saved, and the next one goes on from there.
    ///
    /// - Parameters:
    ///   - url: the video's address, http or https.
    ///   - transport: sends requests to the origin.
    ///   - policy: how many bytes a kill may cost.
    ///   - retry: how often to continue after a failure that may be temporary.
    ///   - observer: watches the fetch's requests and saves; called on the fetch's own thread.
    /// - Returns: the progress. Its loop throws ``CacheError``, ``DownloadError`` or
    ///   ``TransportError``.
    public func fetch(
        _ url: URL, by transport: any HTTPTransport, policy: SavePolicy = .default,
        retry: RetryPolicy = .default, observer: any CacheObserver = SilentObserver()
    ) -> VideoFetch {
        VideoFetch {
            let run = FetchRun(cache: self, url: url.absoluteString)
            run.start(
                Download(
                    url: run.url, cache: self, transport: transport, schedule: policy,
                    observer: ObserverGroup(members: [observer, run]),
                    cancellation: run.cancellation, retry: retry))
            return run
        }
    }
}

/// The progress of a fetch; see ``VideoCache/fetch(_:by:policy:retry:observer:)``.
public struct VideoFetch: AsyncSequence, Sendable {
    fileprivate let start: @Sendable () -> FetchRun

    /// Starts the fetch; each loop is a fetch of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(handle: Handle(run: start())) }

    /// Waits for the progress of a running fetch.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let handle: Handle

        /// The newest progress that was not returned yet; nil when the video is complete.
        public mutating func next() async throws -> FetchProgress? { try await handle.run.next() }
    }

    /// Cancels the fetch when its loop is left.
    fileprivate final class Handle: Sendable {
        let run: FetchRun

        init(run: FetchRun) { self.run = run }

        deinit { run.cancellation.cancel() }
    }
}

/// One fetch on a thread of its own, and the task that waits for its progress.
private final class FetchRun: Sendable {
    private struct State {
        var received: Int64 = 0
        var began: ContinuousClock.Instant?
        // Not returned yet.
        var progress: FetchProgress?
        var result: Result<Void, any Error>?
        var waiter: CheckedContinuation<FetchProgress?, any Error>?
    }

    let cancellation = Cancellation()
    private let cache: VideoCache
    let url: String
    private let state = Mutex(State())

    init(cache: VideoCache, url: String) { (self.cache, self.url) = (cache, url) }

    func start(_ download: Download) {
        cache.running.add(cancellation)
        do {
            try BlockingThreads.shared.run { [self] in
                publish()
                let result = Result {
                    let summary = try download.run()
                    if summary.isCancelled { throw CancellationError() }
                    if let shortfall = summary.shortfall(of: url) { throw shortfall }
                }
                publish()
                end(with: result)
            }
        } catch {
            end(with: .failure(error))
        }
    }

    private func end(with result: Result<Void, any Error>) {
        state.withLock { $0.result = result }
        deliver()
        cache.running.remove(cancellation)
    }

    func next() async throws -> FetchProgress? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                state.withLock { $0.waiter = waiter }
                deliver()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func deliver() {
        let wasCancelled = cancellation.isCancelled
        state.withLock { state in
            guard let waiter = state.waiter else { return }
            var isComplete = false
            if case .success = state.result { isComplete = true }
            if let progress = state.progress, isComplete || !wasCancelled {
                waiter.resume(returning: progress)
            } else if let result = state.result {
                waiter.resume(with: result.map { nil })
            } else {
                return
            }
            (state.progress, state.waiter) = (nil, nil)
        }
    }

    /// Notes what is cached now; if that cannot be read, the download says why.
    private func publish() {
        guard let ranges = try? cache.cachedRanges(of: url) else { return }
        let length = (try? cache.video(url))?.information.length
        state.withLock { state in
            let seconds = state.began.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
            state.progress = FetchProgress(
                ranges: ranges, length: length, receivedBytes: state.received,
                bytesPerSecond: seconds > 0 ? Double(state.received) / seconds : 0)
        }
        deliver()
    }
}

extension FetchRun: CacheObserver, RequestObserver {
    func requestBegan(url: String, start: Int64) -> any RequestObserver { self }

    func received(_ count: Int) {
        state.withLock { state in
            state.received += Int64(count)
            if state.began == nil { state.began = .now }
        }
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        if stored > 0 { publish() }
    }
}
