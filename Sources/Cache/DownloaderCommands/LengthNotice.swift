internal import Synchronization
internal import VideoCache

/// Reports on standard error, even with `--quiet`, that an origin never told how long a video is,
/// once for each video.
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
