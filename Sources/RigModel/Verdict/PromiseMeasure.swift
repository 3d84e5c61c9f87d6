/// What a promise of the documents is held to; the raw values are the words of `bounds.yml`.
package enum PromiseMeasure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The greatest loss beyond the bound over the first kills of the iterations (B1).
    case lostBeyondBound = "lost_beyond_bound"
    /// The most bytes of a running request that survived although nothing was to be saved (B2).
    case recoveredWhenDisabled = "recovered_when_disabled"
    /// The fewest bytes recovered after a kill at a planned byte; an estimate (B3).
    case recovered
    /// 100 × Σ lost ÷ Σ received; an estimate (B4).
    case lossPercent = "loss_percent"
    /// Kills after which something acknowledged was gone, or something wrong was kept or served
    /// (B5).
    case unsoundStates = "unsound_states"
    /// The greatest loss beyond the bound over the kills inside a commit (B5).
    case lostBeyondBoundInSaves = "lost_beyond_bound_in_saves"
    /// The same as ``unsoundStates`` of the second and later kills in a row (B6).
    case unsoundStatesAgain = "unsound_states_again"
    /// The greatest loss beyond the bound over the second and later kills in a row (B6).
    case lostBeyondBoundAgain = "lost_beyond_bound_again"
    /// Kills after which something saved was not found, or found in the wrong ranges (B7).
    case notFoundAgain = "not_found_again"
    /// Kills after which something recovered did not play with the origin stopped (B7).
    case notPlayedOffline = "not_played_offline"
    /// Kills at which the number of commits did not fit what was acknowledged (B8).
    case wrongCommitCounts = "wrong_commit_counts"
    /// Commits of a whole video, of a worker that was spared; the farthest from the figure (B8).
    case commits
    /// The mean size of those commits (B8).
    case commitBytesMean = "commit_bytes_mean"
    /// Throughput with 512 KB ÷ throughput with `disabled`, at 1 Gbit/s (B9).
    case throughputRatio = "throughput_ratio"
    /// The longest wait for the first byte of a cache hit (B9).
    case hitFirstByteSeconds = "hit_first_byte_seconds"
    /// How much more memory a worker takes at its peak for a video ten times as long (B10).
    case peakMemoryGrowth = "peak_memory_growth"
    /// The least threshold that the worker accepts without an override (B11).
    case leastThreshold = "least_threshold"

    /// What its values are counted in.
    package var unit: MetricUnit {
        switch self {
        case .lostBeyondBound, .recoveredWhenDisabled, .recovered, .lostBeyondBoundInSaves,
            .lostBeyondBoundAgain, .commitBytesMean, .peakMemoryGrowth, .leastThreshold:
            .bytes
        case .lossPercent: .percent
        case .hitFirstByteSeconds: .seconds
        case .throughputRatio: .fraction
        case .unsoundStates, .unsoundStatesAgain, .notFoundAgain, .notPlayedOffline,
            .wrongCommitCounts, .commits:
            .count
        }
    }

    /// What a value is, in a few words after it.
    package var words: String {
        switch self {
        case .lostBeyondBound: "lost beyond the bound"
        case .recoveredWhenDisabled: "of the running request recovered"
        case .recovered: "recovered"
        case .lossPercent: "lost"
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
