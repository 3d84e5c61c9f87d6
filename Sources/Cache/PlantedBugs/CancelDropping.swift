internal import Foundation
internal import VideoCache

/// Whether the request of the calling thread was cancelled: its observer learns that, and its store
/// has to know.
private enum CancelledRequest {
    private static let key = "cancelled-request"

    static var isCurrent: Bool { Thread.current.threadDictionary[key] != nil }

    static func note(_ isCancelled: Bool) {
        Thread.current.threadDictionary[key] = isCancelled ? true : nil
    }
}

/// Reports no save of a cancelled request: there is none.
struct CancelDroppingRequest: BuggyRequest {
    let base: any RequestObserver

    func willFinish(unsaved: Int64?, isCancelled: Bool) {
        CancelledRequest.note(isCancelled)
        base.willFinish(unsaved: unsaved, isCancelled: isCancelled)
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        guard !CancelledRequest.isCurrent else { return }
        base.committed(range, stored: stored, acknowledged: acknowledged)
    }

    func ended(_ end: RequestEnd) {
        CancelledRequest.note(false)
        base.ended(end)
    }
}

struct CancelDroppingStore: ForwardingStore {
    let base: any ChunkStore

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        CancelledRequest.isCurrent ? 0 : try base.save(chunks, of: video)
    }
}
