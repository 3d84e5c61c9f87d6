/// What the worker does until it is killed.
@dynamicMemberLookup
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

    package subscript<Value>(dynamicMember path: KeyPath<Facts, Value>) -> Value {
        facts[keyPath: path]
    }

    /// What is known of a workload by itself; another one is a case, and its line in ``facts``.
    package struct Facts: Sendable {
        /// What its worker is to complete, and what bytes are that it got wrong, in words.
        package let work, wrong: String
        /// False for a program that fetches nothing: there are no bytes to count.
        package var hasBytes = true
        /// True when the worker is a proxy that a player plays through.
        package var hasPlayer = false
        /// The number of videos that the origin serves; each has the length of `--video-size`.
        package var videoCount = 1

        fileprivate static func playing(_ videos: Int) -> Facts {
            let wrong = "of the whole were not handed to the player, or unlike the video's"
            return Facts(work: "video", wrong: wrong, hasPlayer: true, videoCount: videos)
        }
    }

    package var facts: Facts {
        switch self {
        case .download: Facts(work: "video", wrong: "of the completed file are unlike the video's")
        case .playback: .playing(1)
        case .switching: .playing(5)
        case .twoPlayers: .playing(2)
        case .offlineLibrary:
            Facts(work: "list", wrong: "of the refreshed list and images are unlike the origin's")
        case .check:
            Facts(work: "work", wrong: "of what the program left are wrong", hasBytes: false)
        }
    }

    /// The number of byte positions of the workload, laid end to end.
    package func length(videoLength: Int64, policies: [Policy]) -> Int64 {
        guard self != .offlineLibrary else { return LibraryPlan(policies).length }
        return videoLength * Int64(facts.videoCount)
    }
}

extension LibraryPlan {
    /// No image is larger than the smallest threshold, which so bounds the data in flight.
    package init(_ policies: [Policy]) {
        self.init(largest: policies.compactMap(\.threshold?.bytes).min() ?? 512 << 10)
    }
}
