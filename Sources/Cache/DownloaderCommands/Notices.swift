internal import Synchronization
internal import VideoCache

/// Reports damage on standard error, even with `--quiet`.
struct DamageNotice: CacheObserver {
    func mended(_ url: String?, lost: [ByteRange]) {
        let what = url.map { "what was cached of \($0): \(lost.byteCount) bytes are lost" }
        StandardError.write(
            "downloader: damage was found in \(what ?? "the cache's index: what it has lost is dropped");"
                + " what is missing is fetched anew\n")
    }
}

/// Reports on standard error that nothing is saved, and when it is again (S6): the disk is low or
/// full, or a file as large as it may be, or the cache can only be read, or was removed.
final class DiskNotice: CacheObserver {
    private let isLow = Atomic(false)

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Request(notice: self, beganLow: isLow.load(ordering: .sequentiallyConsistent))
    }

    private struct Request: RequestObserver {
        let notice: DiskNotice
        /// A request that began before is saved to its end, which says nothing of the disk.
        let beganLow: Bool

        func saveFailed(_ error: CacheError) {
            guard Self.isLasting(error),
                !notice.isLow.exchange(true, ordering: .sequentiallyConsistent)
            else { return }
            StandardError.write(
                "downloader: \(error); playing goes on, and nothing is saved meanwhile\n")
        }

        private static func isLasting(_ error: CacheError) -> Bool {
            switch error {
            case .diskLow, .diskFull, .fileTooLarge, .readOnly, .moved: true
            default: false
            }
        }

        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            guard beganLow, notice.isLow.exchange(false, ordering: .sequentiallyConsistent)
            else { return }
            StandardError.write("downloader: there is room again, and saving goes on\n")
        }
    }
}

/// Reports, even with `--quiet`, that an origin never told a video's length, once for each.
final class LengthNotice: CacheObserver {
    private let reported = Mutex<Set<String>>([])

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Request(notice: self, url: url)
    }

    private struct Request: RequestObserver {
        let notice: LengthNotice
        let url: String

        func endedUnannounced(at position: Int64) {
            guard notice.reported.withLock({ $0.insert(url).inserted }) else { return }
            StandardError.write(
                "downloader: \(url) never told its length: the connection was closed after "
                    + "\(position) bytes, which counts as the end; compare it if it must be whole\n"
            )
        }
    }
}
