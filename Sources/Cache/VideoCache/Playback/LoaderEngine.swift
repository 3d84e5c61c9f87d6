internal import Foundation
internal import Synchronization

/// The state that all sessions of a loader share.
final class LoaderEngine: Sendable {
    let store: any ChunkStore
    private let reserve: DiskReserve?
    let transport: any HTTPTransport
    let options: VideoLoader.Options
    let observer: any CacheObserver
    private let runningCount = Mutex(0)
    private let fetches: RunningFetches

    init(
        store: any ChunkStore, fetches: RunningFetches, reserve: DiskReserve?,
        transport: any HTTPTransport, options: VideoLoader.Options, observer: any CacheObserver
    ) {
        self.store = store
        self.fetches = fetches
        self.reserve = reserve
        self.transport = transport
        self.options = options
        self.observer = observer
    }

    /// True while neither the loader nor a fetch of the cache downloads: a lookup waits for no save
    /// of theirs then.
    var isQuiet: Bool { runningCount.withLock { $0 == 0 } && fetches.isEmpty }

    /// The context that all requests for one video share.
    func context(url: String, cancellation: Cancellation) -> RequestContext {
        RequestContext(
            url: url, store: store, reserve: reserve, transport: transport,
            schedule: options.schedule(url), observer: observer, cancellation: cancellation)
    }

    /// Runs the work on a thread of its own, because the transport blocks.
    func detach(_ work: @escaping @Sendable () -> Void) {
        runningCount.withLock { $0 += 1 }
        Thread.detachNewThread { [self] in
            work()
            let left = runningCount.withLock { count in
                count -= 1
                return count
            }
            if left == 0 { observer.entered(.idle) }
        }
    }
}
