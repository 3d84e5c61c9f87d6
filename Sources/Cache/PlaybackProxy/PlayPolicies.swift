internal import Synchronization
public import VideoCache

/// The thresholds that players want for their videos, by the videos' addresses (S5).
///
/// A player asks with `threshold=` in the address that it opens; the newest one of a video counts
/// for downloads that begin afterwards. The loader has to be told:
/// `.init(schedule: { url in policies[url] ?? .default })`.
public final class PlayPolicies: Sendable {
    // What players ask for must not grow for ever.
    private static let most = 1024

    private let byURL = Mutex<[String: SavePolicy]>([:])

    /// Creates policies of no video.
    public init() {}

    /// The policy that was wanted last for a video; nil if none was.
    public subscript(url: String) -> SavePolicy? { byURL.withLock { $0[url] } }

    /// Notes what a player of a video wants; nil for nothing of its own.
    func note(_ policy: SavePolicy?, for url: String) {
        byURL.withLock { policies in
            if policy != nil, policies.count >= Self.most, policies[url] == nil {
                policies.removeAll()
            }
            policies[url] = policy
        }
    }
}
