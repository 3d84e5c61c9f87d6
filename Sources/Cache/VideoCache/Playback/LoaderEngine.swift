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

    init(
        store: any ChunkStore, reserve: DiskReserve?, transport: any HTTPTransport,
        options: VideoLoader.Options, observer: any CacheObserver
    ) {
        self.store = store
        self.reserve = reserve
        self.transport = transport
        self.options = options
        self.observer = observer
    }

    /// True while nothing is downloaded: no save is waited for then by those who look something up.
    var isQuiet: Bool { runningCount.withLock { $0 == 0 } }

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
