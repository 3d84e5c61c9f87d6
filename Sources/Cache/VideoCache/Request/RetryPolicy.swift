internal import Dispatch

/// How often a failed request is retried, and how long the pauses are.
///
/// Only failures that may be temporary are retried: connections that fail, stall or break, and
/// responses such as 503. Bytes that were not cached before reset the count, so only attempts
/// without progress are limited.
public struct RetryPolicy: Sendable {
    /// Waits, and returns early if the cancellation is triggered.
    public typealias Pause = @Sendable (_ duration: Duration, _ cancellation: Cancellation) -> Void

    /// The number of retries without progress after a failure; 0 gives up at once.
    public var retries: Int
    /// The pause before the first retry; each further one is twice as long.
    public var firstPause: Duration
    /// The longest pause.
    public var longestPause: Duration
    /// The longest wait that an origin's `Retry-After` may request; beyond it the request fails.
    public var longestRetryAfter: Duration
    /// How to wait.
    public var pause: Pause

    /// Creates a policy; by default three retries, 0.2 s to 5 s apart.
    public init(
        retries: Int = 3, firstPause: Duration = .milliseconds(200),
        longestPause: Duration = .seconds(5), longestRetryAfter: Duration = .seconds(30),
        pause: @escaping Pause = Self.wait
    ) {
        self.retries = max(0, retries)
        (self.firstPause, self.longestPause) = (firstPause, longestPause)
        (self.longestRetryAfter, self.pause) = (longestRetryAfter, pause)
    }

    /// Three retries, 0.2 s to 5 s apart.
    public static let `default` = Self()
    /// No retries.
    public static let none = Self(retries: 0)

    /// Waits on the calling thread.
    public static let wait: Pause = { duration, cancellation in
        let bell = DispatchSemaphore(value: 0)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        cancellation.waking({ bell.signal() }) {
            _ = bell.wait(timeout: .now() + .nanoseconds(nanoseconds))
        }
    }
}

struct RetryCount {
    private let policy: RetryPolicy
    private var used = 0

    init(policy: RetryPolicy) { self.policy = policy }
    mutating func noteProgress() { used = 0 }

    func allows(_ error: any Error, retryAfter: Duration?) -> Bool {
        Self.mayPass(error) && used < policy.retries
            && Self.asked(retryAfter, error) <= policy.longestRetryAfter
    }

    /// The pause that the origin asks for, as its head says, or an error without it.
    private static func asked(_ retryAfter: Duration?, _ error: any Error) -> Duration {
        guard case DownloadError.busy(_, _, let seconds) = error else { return retryAfter ?? .zero }
        return retryAfter ?? .seconds(seconds)
    }

    /// True if a request for the whole is the last thing to try: what may have been a failure of
    /// the moment has stayed, and the origin has not asked for more time than is waited (K2).
    func isLastResort(after error: any Error, retryAfter: Duration?) -> Bool {
        RefusedForm.isPossible(error) && !allows(error, retryAfter: retryAfter)
            && Self.asked(retryAfter, error) <= policy.longestRetryAfter
    }

    mutating func pause(
        after error: any Error, retryAfter: Duration?, cancellation: Cancellation
    ) throws {
        guard allows(error, retryAfter: retryAfter) else { throw error }
        let doubled = policy.firstPause * (1 << min(used, 20))
        used += 1
        let asked = Self.asked(retryAfter, error)
        policy.pause(max(min(doubled, policy.longestPause), asked), cancellation)
    }

    /// True if the same request may succeed later.
    static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as TransportError:
            switch error {
            case .cannotConnect, .timedOut, .truncated, .failed: true
            case .tunnelRefused(_, let status): Self.mayPass(status: status)
            case .cancelled, .notTrusted, .authoritiesUnreadable, .tooManyRedirects,
                .redirectRefused, .unsupportedAddress, .notHTTP, .noLibrary:
                false
            }
        case DownloadError.status(_, let code): mayPass(status: code)
        case DownloadError.truncated, DownloadError.otherLength, DownloadError.busy: true
        default: false
        }
    }

    private static func mayPass(status: Int) -> Bool {
        [408, 429, 500, 502, 503, 504].contains(status)
    }
}
