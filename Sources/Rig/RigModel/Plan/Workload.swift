/// What the worker does until it is killed.
package enum Workload: String, Sendable, Hashable, Codable, CaseIterable {
    /// A program fetches one video from its first byte to its last, then ends.
    case download
    /// A player plays one video through the worker's proxy as real players do: it probes, seeks,
    /// cancels, restarts and requests ranges twice (T8).
    case playback
    /// A player switches between five videos in quick succession (T1, T5).
    case switching
    /// A list of videos and their images is refreshed repeatedly (O4, O6).
    case offlineLibrary = "offline-library"

    /// The number of videos that the origin serves; each has the length of `--video-size`.
    package var videoCount: Int { self == .switching ? 5 : 1 }

    /// True when the worker is a proxy that a player plays through.
    package var hasPlayer: Bool { self == .playback || self == .switching }
}
