package import RigModel

/// Compares the documents' promises with the measurements.
package enum PromiseJudge {
    /// What the rows of a run show about each promise; inconclusive rows are ignored.
    ///
    /// - Parameter videoLength: the length of its video in bytes.
    /// - Returns: a reading for each limit that the run can judge.
    package static func readings(
        _ rows: [IterationRow], videoLength: Int64, of promises: [Promise]
    ) -> [PromiseReading] {
        let conclusive = rows.filter(\.isConclusive)
        return promises.flatMap { promise in
            promise.limits.indices.compactMap { index -> PromiseReading? in
                let limit = promise.limits[index]
                guard limit.video.map({ $0 == videoLength }) ?? true else { return nil }
                let about = conclusive.filter { row in
                    (limit.policy.map { $0 == row.policy } ?? true)
                        && row.isAbout(limit)
                }
                return figure(limit, about, videoLength: videoLength).flatMap {
                    isByChance($0, limit) ? nil : $0.reading(promise.id, index)
                }
            }
        }
    }

    /// Readings of the rig's own measurements.
    ///
    /// - Parameter measured: values by measure, each the worst of `n` observations.
    /// - Returns: a reading for each limit on one of the measures.
    package static func readings(
        _ measured: [PromiseMeasure: (value: Double, n: Int)], of promises: [Promise]
    ) -> [PromiseReading] {
        promises.flatMap { promise in
            promise.limits.indices.compactMap { index in
                measured[promise.limits[index].measure].map {
                    PromiseReading(promise: promise.id, limit: index, value: $0.value, n: $0.n)
                }
            }
        }
    }

    /// Combines readings: the worst of several for one limit counts.
    ///
    /// The numbers of observations add up, except for estimates.
    package static func results(
        _ readings: [PromiseReading], of promises: [Promise]
    ) -> [PromiseResult] {
        promises.map { promise in
            PromiseResult(
                promise: promise,
                readings: promise.limits.indices.map { index in
                    let own = readings.filter { $0.promise == promise.id && $0.limit == index }
                    return worst(own.map(Figure.init), promise.limits[index])?
                        .reading(promise.id, index)
                })
        }
    }

    /// An observed value, or an estimate from observations.
    private struct Figure {
        var value: Double
        var n: Int
        var interval: ConfidenceInterval?

        init(_ value: Double, n: Int = 1) {
            self.value = value
            self.n = n
        }

        init(_ reading: PromiseReading) {
            value = reading.value
            n = reading.n
            interval = reading.interval
        }

        func reading(_ promise: String, _ limit: Int) -> PromiseReading {
            PromiseReading(promise: promise, limit: limit, value: value, n: n, interval: interval)
        }
    }

    /// What rows show about a limit; nil when they show nothing.
    private static func figure(
        _ limit: Promise.Limit, _ rows: [IterationRow], videoLength: Int64
    ) -> Figure? {
        switch limit.measure {
        case .lossPercent: loss(rows.filter(\.isFirstKill))
        case .lossPercentWorst: limit.at.flatMap { mostLost(rows.filter(\.isFirstKill), of: $0) }
        case .recovered: limit.at.flatMap { leastKept(rows.filter(\.isFirstKill), of: $0, limit) }
        case .lostBeyondBoundAgain, .unsoundStatesAgain:
            again(worst(seen(limit, rows, videoLength: videoLength), limit), rows)
        default: worst(seen(limit, rows, videoLength: videoLength), limit)
        }
    }

    /// The figure farthest beyond the limit, or else nearest to it.
    private static func worst(_ figures: [Figure], _ limit: Promise.Limit) -> Figure? {
        func rank(_ figure: Figure) -> (Int, Double) {
            let verdict = limit.verdict(of: figure.reading("", 0))
            let place = [.holds, .undecided, .broken].firstIndex(of: verdict) ?? 0
            return (place, excess(figure.value, limit))
        }
        guard var chosen = figures.max(by: { rank($0) < rank($1) }) else { return nil }
        if chosen.interval == nil { chosen.n = figures.reduce(0) { $0 + $1.n } }
        return chosen
    }

    /// How far a value is beyond the limit; negative within it.
    private static func excess(_ value: Double, _ limit: Promise.Limit) -> Double {
        max(
            limit.most.map { value - $0 } ?? -.infinity,
            limit.least.map { $0 - value } ?? -.infinity)
    }

    /// The fewest kills for an interval.
    ///
    /// 59 kills without an exception bound exceptions below 5 % of all kills. Fewer may all have
    /// landed between two commits by chance.
    package static let fewestKills = Binomial.trialsNeeded(toBoundBelow: 0.05) ?? .max

    /// How many kills of a run of pinned kills are missing for the estimates of some promises; 0 when
    /// none are, and for a run of which fewer than half of what is needed counts.
    ///
    /// A kill while bytes flow can come too late to count, on a busy machine many of them: that is
    /// no reason to need fewer. What a kill has lost does not decide here, only whether it counts.
    package static func missingKills(
        _ rows: [IterationRow], videoLength: Int64, of promises: [Promise]
    ) -> Int {
        let estimates: Set<PromiseMeasure> = [.recovered, .lossPercent, .lossPercentWorst]
        let missing = promises.flatMap(\.limits).compactMap { limit -> Int? in
            guard estimates.contains(limit.measure), limit.at != nil,
                limit.video.map({ $0 == videoLength }) ?? true
            else { return nil }
            let count = rows.count { row in
                row.isConclusive && row.isFirstKill && row.lostBytes != nil && row.isAbout(limit)
                    && limit.policy.map { $0 == row.policy } ?? true
            }
            return 2 * count < fewestKills ? nil : fewestKills - count
        }
        return max(0, missing.max() ?? 0)
    }

    /// True for a few kills of a run that drew its kills over the whole video, of which some happened
    /// to come right before an amount: unless they break a figure, they say nothing about it.
    private static func isByChance(_ figure: Figure, _ limit: Promise.Limit) -> Bool {
        limit.within != nil && figure.n < fewestKills
            && limit.verdict(of: figure.reading("", 0)) != .broken
    }

    /// Loss over all kills, with its bootstrap interval.
    private static func loss(_ rows: [IterationRow]) -> Figure? {
        let ratio = LossRatio(rows)
        guard let percent = ratio.percent else { return nil }
        var figure = Figure(percent, n: ratio.lost.count)
        let unbounded = ConfidenceInterval(low: nil, high: nil)
        figure.interval = figure.n < fewestKills ? unbounded : ratio.interval ?? unbounded
        return figure
    }

    /// The least that a kill left.
    ///
    /// The promise holds for every kill, so a single one below the figure breaks it: what every
    /// kill leaves is at most the observed minimum, which is the upper end. The lower end is what
    /// all but 5 % of kills leave, with 95 % confidence: the same minimum, once enough kills were
    /// observed.
    ///
    /// Right before an amount, a kill leaves as much less as it had not received yet: what it would
    /// have left of the amount itself is the amount less its loss.
    private static func leastKept(
        _ rows: [IterationRow], of amount: Int64, _ limit: Promise.Limit
    ) -> Figure? {
        let kept = rows.compactMap { row in
            limit.within == nil ? row.recoveredBytes : row.lostBytes.map { amount - $0 }
        }.map(Double.init)
        guard let least = kept.min() else { return nil }
        var figure = Figure(least, n: kept.count)
        figure.interval = ConfidenceInterval(
            low: kept.count < fewestKills ? nil : least, high: least)
        return figure
    }

    /// The most that a kill lost, in percent of an amount; the mirror image of ``leastKept``.
    private static func mostLost(_ rows: [IterationRow], of amount: Int64) -> Figure? {
        let lost = rows.compactMap(\.lostBytes).map { 100 * Double($0) / Double(amount) }
        guard let most = lost.max() else { return nil }
        var figure = Figure(most, n: lost.count)
        figure.interval = ConfidenceInterval(
            low: most, high: lost.count < fewestKills ? nil : most)
        return figure
    }

    /// A figure of later kills, which decides in the worker's favour only if some of them came in a
    /// recovery: those after it say nothing about one (B6).
    private static func again(_ figure: Figure?, _ rows: [IterationRow]) -> Figure? {
        guard var figure, !rows.contains(where: \.struckRecovery) else { return figure }
        figure.interval = ConfidenceInterval(low: figure.value, high: nil)
        return figure
    }

    private static func seen(
        _ limit: Promise.Limit, _ rows: [IterationRow], videoLength: Int64
    ) -> [Figure] {
        switch limit.measure {
        case .lostBeyondBound: beyondBound(rows.filter { $0.kill == 1 && !$0.isSpared })
        case .lostBeyondBoundInSaves: beyondBound(rows.filter { $0.phase == .committing })
        case .lostBeyondBoundAgain: beyondBound(rows.filter { $0.kill > 1 })
        case .recoveredWhenDisabled:
            rows.filter { $0.thresholdBytes == nil && $0.kill == 1 && $0.isDownload }
                .compactMap { row in row.recoveredBytes.map { Figure(Double($0)) } }
        case .commits, .commitBytesMean: wholeCommits(limit.measure, rows, videoLength)
        case .unsoundStatesAgain: failures(.unsoundStates, rows.filter { $0.kill > 1 })
        case .unsoundStates, .notFoundAgain, .notPlayedOffline, .wrongCommitCounts:
            failures(limit.measure, rows)
        // These are estimated from all rows together.
        case .recovered, .lossPercent, .lossPercentWorst: []
        // These do not come from rows: the rig measures them itself.
        case .throughputRatio, .hitFirstByteSeconds, .peakMemoryGrowth, .leastThreshold: []
        }
    }

    private static func beyondBound(_ rows: [IterationRow]) -> [Figure] {
        rows.compactMap { row in
            guard let lost = row.lostBytes, let bound = row.boundBytes else { return nil }
            return Figure(Double(max(0, lost - bound)))
        }
    }

    /// Kills after which one of a promise's checkers found something.
    private static func failures(
        _ measure: PromiseMeasure, _ rows: [IterationRow]
    ) -> [Figure] {
        let saved = rows.filter { $0.thresholdBytes != nil && !$0.isLibrary && !$0.isSpared }
        let (checkers, judged): (Set<Checker>, [IterationRow]) =
            switch measure {
            case .unsoundStates:
                ([.durability, .integrity, .completion, .delivery], saved)
            case .notFoundAgain: ([.ranges, .resumption, .durability], saved)
            case .notPlayedOffline: ([.offline], saved.filter { !$0.isDownload })
            default: ([.commits], saved)
            }
        let failed = judged.filter { !$0.checkers.isDisjoint(with: checkers) }
        // A clean result counts only if all of these checkers could check.
        let clean = judged.filter {
            $0.checkers.isDisjoint(with: checkers) && $0.notJudged.isDisjoint(with: checkers)
        }
        guard !(failed + clean).isEmpty else { return [] }
        return [Figure(Double(failed.count), n: failed.count + clean.count)]
    }

    /// For workers that were not killed: the commits of a whole video.
    private static func wholeCommits(
        _ measure: PromiseMeasure, _ rows: [IterationRow], _ videoLength: Int64
    ) -> [Figure] {
        rows.filter { $0.isSpared && $0.isDownload && $0.acknowledgedBytes == videoLength }
            .compactMap { row in
                guard let commits = row.commits, commits > 0 else { return nil }
                let mean = Double(videoLength) / Double(commits)
                return Figure(measure == .commits ? Double(commits) : mean)
            }
    }
}

extension IterationRow {
    fileprivate var isDownload: Bool { workload == Workload.download.rawValue }

    /// True for the first kill of a download.
    fileprivate var isFirstKill: Bool { isDownload && kill == 1 && !isSpared }

    /// True for a kill at the amount of received bytes that a limit is about, if it names one.
    ///
    /// A kill while bytes flow lands some bytes after the planned one, possibly after the amount:
    /// one that is too late by as much as the kills are spread over says nothing about it.
    package func isAbout(_ limit: Promise.Limit) -> Bool {
        guard let amount = limit.at else { return true }
        guard trigger == TriggerKind.bytes.rawValue, let received = receivedBytes else {
            return false
        }
        guard let within = limit.within else { return planned == "\(amount)" && received == amount }
        let first = planned.split(separator: ":").first.flatMap { Int64($0) }
        return first.map { $0 > amount - within && $0 <= amount } ?? false
            && received > amount - within && received <= amount + within
    }

    fileprivate var isLibrary: Bool { workload == Workload.offlineLibrary.rawValue }
}
