/// What the worker does until it is killed.
package enum Workload: String, Sendable, Hashable, Codable, CaseIterable {
    /// A program fetches one video from its first byte to its last, then ends.
    case download
    /// A player probes, seeks, cancels, restarts and asks twice, as real players do (T8).
    case playback
    /// A player switches between five videos in quick succession (T1, T5).
    case switching
    /// Two players play a video each at the same time, with a threshold of its own (S5).
    case twoPlayers = "two-players"
    /// A list of videos and their images is refreshed repeatedly (O4, O6).
    case offlineLibrary = "offline-library"
    /// Any program changes files, and a command of its user's judges what is left.
    case check

    /// False for a program that fetches nothing: there are no bytes to count.
    package var hasBytes: Bool { self != .check }

    /// The number of videos that the origin serves; each has the length of `--video-size`.
    package var videoCount: Int {
        switch self {
        case .switching: 5
        case .twoPlayers: 2
        case .download, .playback, .offlineLibrary, .check: 1
        }
    }

    /// True when the worker is a proxy that a player plays through.
    package var hasPlayer: Bool {
        switch self {
        case .playback, .switching, .twoPlayers: true
        case .download, .offlineLibrary, .check: false
        }
    }
}

extension Workload {
    /// The number of byte positions of the workload, laid end to end.
    package func length(videoLength: Int64, policies: [Policy]) -> Int64 {
        self == .offlineLibrary ? LibraryPlan(policies).length : videoLength * Int64(videoCount)
    }
}

extension LibraryPlan {
    /// No image is larger than the smallest threshold, which so bounds the data in flight.
    package init(_ policies: [Policy]) {
        self.init(largest: policies.compactMap(\.threshold?.bytes).min() ?? 512 << 10)
    }
}
