import Synchronization

@testable import VideoCache

/// The pauses of a download that is tried again; none of them takes time.
final class Pauses: Sendable {
    private let noted = Mutex<[Duration]>([])

    var all: [Duration] { noted.withLock(\.self) }

    func note(_ duration: Duration) { noted.withLock { $0.append(duration) } }

    /// A policy with these pauses: 1 s, 2 s, then 3 s.
    func policy(_ retries: Int) -> RetryPolicy {
        RetryPolicy(retries: retries, firstPause: .seconds(1), longestPause: .seconds(3)) {
            [self] duration, _ in note(duration)
        }
    }
}
