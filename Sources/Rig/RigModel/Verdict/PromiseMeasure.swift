/// The measures that documented promises are held to; raw values are the words of `bounds.yml`.
package enum PromiseMeasure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest loss beyond the bound over the first kills of the iterations (B1).
    case lostBeyondBound = "lost_beyond_bound"
    /// The most bytes of a running request that survived although nothing should be saved (B2).
    case recoveredWhenDisabled = "recovered_when_disabled"
    /// The fewest bytes recovered after a kill at a planned byte, or of an amount, after a kill right
    /// before it: the amount less the most that was lost; an estimate (B3).
    case recovered
    /// 100 × Σ lost ÷ Σ received; an estimate (B4).
    case lossPercent = "loss_percent"
    /// The most that a kill right before an amount lost, in percent of it; an estimate (B4).
    case lossPercentWorst = "loss_percent_worst"
    /// Kills after which acknowledged data was lost, or wrong data was stored or served (B5).
    case unsoundStates = "unsound_states"
    /// The largest loss beyond the bound over kills during a commit (B5).
    case lostBeyondBoundInSaves = "lost_beyond_bound_in_saves"
    /// The same as ``unsoundStates`` for the second and later kills in a row (B6).
    case unsoundStatesAgain = "unsound_states_again"
    /// The largest loss beyond the bound over the second and later kills in a row (B6).
    case lostBeyondBoundAgain = "lost_beyond_bound_again"
    /// Kills after which saved data was not found, or found in the wrong ranges (B7).
    case notFoundAgain = "not_found_again"
    /// Kills after which recovered data did not play with the origin stopped (B7).
    case notPlayedOffline = "not_played_offline"
    /// Kills where the number of commits did not fit the acknowledged bytes (B8).
    case wrongCommitCounts = "wrong_commit_counts"
    /// Commits of a whole video by a spared worker; the value farthest from the figure (B8).
    case commits
    /// The mean size of those commits (B8).
    case commitBytesMean = "commit_bytes_mean"
    /// Throughput with 512 KB ÷ throughput with `disabled`, at 1 Gbit/s (B9).
    case throughputRatio = "throughput_ratio"
    /// The longest wait for the first byte of a cache hit (B9).
    case hitFirstByteSeconds = "hit_first_byte_seconds"
    /// The growth of a worker's peak memory for a video ten times as long (B10).
    case peakMemoryGrowth = "peak_memory_growth"
    /// The smallest threshold that the worker accepts without an override (B11).
    case leastThreshold = "least_threshold"

    /// True for what the second and later kills in a row show (B6).
    package var isOfLaterKills: Bool {
        self == .unsoundStatesAgain || self == .lostBeyondBoundAgain
    }

    package var unit: MetricUnit {
        switch self {
        case .lostBeyondBound, .recoveredWhenDisabled, .recovered, .lostBeyondBoundInSaves,
            .lostBeyondBoundAgain, .commitBytesMean, .peakMemoryGrowth, .leastThreshold:
            .bytes
        case .lossPercent, .lossPercentWorst: .percent
        case .hitFirstByteSeconds: .seconds
        case .throughputRatio: .fraction
        case .unsoundStates, .unsoundStatesAgain, .notFoundAgain, .notPlayedOffline,
            .wrongCommitCounts, .commits:
            .count
        }
    }

    package var words: String {
        switch self {
        case .lostBeyondBound: "lost beyond the bound"
        case .recoveredWhenDisabled: "of the running request recovered"
        case .recovered: "recovered"
        case .lossPercent: "lost"
        case .lossPercentWorst: "lost at worst"
        case .unsoundStates: "unsound states"
        case .unsoundStatesAgain: "unsound states after later kills"
        case .lostBeyondBoundInSaves: "lost beyond the bound in saves"
        case .lostBeyondBoundAgain: "lost beyond the bound by later kills"
        case .notFoundAgain: "kills after which not all was found again"
        case .notPlayedOffline: "kills after which not all played offline"
        case .wrongCommitCounts: "wrong commit counts"
        case .commits: "commits"
        case .commitBytesMean: "mean commit"
        case .throughputRatio: "of the throughput of disabled"
        case .hitFirstByteSeconds: "to the first byte of a hit"
        case .peakMemoryGrowth: "more memory for ten times the video"
        case .leastThreshold: "is the least threshold accepted"
        }
    }
}
