/// What the worker is doing when it is killed.
package enum Workload: String, Sendable, Hashable, Codable, CaseIterable {
    /// A program fetches one video from its first byte to its last, and ends.
    case download
    /// A player plays one video through the worker's proxy as players do: it probes, seeks, cancels,
    /// starts again and asks twice (T8).
    case playback
    /// A player switches between five videos in quick succession (T1, T5).
    case switching
    /// A list of videos and their images are refreshed over and over (O4, O6).
    case offlineLibrary = "offline-library"

    /// How many videos the origin serves; each is as long as `--video-size` says.
    package var videoCount: Int { self == .switching ? 5 : 1 }

    /// True when the worker is a proxy that a player plays through.
    package var hasPlayer: Bool { self == .playback || self == .switching }
}
