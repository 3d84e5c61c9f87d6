/// What a limit of a promise is about, as `bounds.yml` describes it under `measures`.
package struct PromiseMeasure: Sendable, Hashable, Decodable {
    /// Its name in `bounds.yml` and in `documented.json`.
    package var name = ""
    package let figure: PromiseFigure
    package let unit: MetricUnit
    /// Which rows it is measured over: those that each of these words applies to; nil for all.
    package var rows: [RowKind]?
    /// The checkers whose findings ``PromiseFigure/findings`` counts.
    package var checkers: Set<Checker>?
    /// What follows the value in a sentence.
    package let words: String

    enum CodingKeys: String, CodingKey { case figure, unit, rows, checkers, words }

    /// True for what the second and later kills in a row show (B6).
    package var isOfLaterKills: Bool { rows?.contains(.later) == true }

    package func includes(_ row: IterationRow) -> Bool {
        rows?.allSatisfy { $0.includes(row) } ?? true
    }
}

/// The figures that promises are held to; raw values are the words of `bounds.yml`.
package enum PromiseFigure: String, Sendable, Hashable, CaseIterable, Decodable {
    /// The most bytes that a kill lost beyond its bound.
    case lostBeyondBound = "lost_beyond_bound"
    case recoveredBytes = "recovered_bytes"
    /// The fewest bytes found after a kill at a byte, or right before an amount; an estimate.
    case leastRecovered = "least_recovered"
    /// 100 × Σ lost ÷ Σ received; an estimate.
    case lossPercent = "loss_percent"
    /// The most that a kill right before an amount lost, in percent of it; an estimate.
    case worstLossPercent = "worst_loss_percent"
    /// Rows in which one of the measure's checkers found something.
    case findings
    /// Commits of a whole video; the value farthest from the limit.
    case commits
    case commitBytesMean = "commit_bytes_mean"
    /// Throughput with 512 KB ÷ throughput with `disabled`, at 1 Gbit/s.
    case throughputRatio = "throughput_ratio"
    case hitFirstByteSeconds = "hit_first_byte_seconds"
    /// The growth of a worker's peak memory for a video ten times as long.
    case peakMemoryGrowth = "peak_memory_growth"
    /// The smallest threshold that the worker accepts without an override.
    case leastThreshold = "least_threshold"

    /// True for what many rows together show, which decides only from enough of them on.
    package var isEstimate: Bool {
        [.leastRecovered, .lossPercent, .worstLossPercent].contains(self)
    }
}

/// A kind of row; raw values are the words of `bounds.yml`.
package enum RowKind: String, Sendable, Hashable, Decodable {
    /// The first kill of an iteration, or a later one.
    case first, later
    /// A worker that was killed, or one that was not.
    case killed, spared
    /// A download without a player, and what has a player.
    case download, player
    case video
    /// A policy with a threshold, or the one without.
    case threshold, disabled
    case committing

    package func includes(_ row: IterationRow) -> Bool {
        switch self {
        case .first: row.kill == 1
        case .later: row.kill > 1
        case .killed: !row.isSpared && Fault(rawValue: row.fault)?.hasMoment ?? true
        case .spared: row.isSpared
        case .download: row.workload == Workload.download.rawValue
        case .player: row.workload != Workload.download.rawValue
        case .video: row.workload != Workload.offlineLibrary.rawValue
        case .threshold: row.thresholdBytes != nil
        case .disabled: row.thresholdBytes == nil
        case .committing: row.phase == .committing
        }
    }
}
