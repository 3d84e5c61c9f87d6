package import RigModel

package enum PromiseJudge {
    /// What a run's conclusive rows show about each limit that it can judge.
    package static func readings(
        _ rows: [IterationRow], videoLength: Int64, of promises: [Promise]
    ) -> [PromiseReading] {
        readings(of: promises) { limit in
            let found = limit.reading(limit.about(rows, videoLength), videoLength)
            return found.flatMap { limit.isByChance($0) ? nil : $0 }
        }
    }

    /// Readings of the rig's own measurements, each the worst of `n` observations.
    package static func readings(
        _ measured: [PromiseFigure: (value: Double, n: Int)], of promises: [Promise]
    ) -> [PromiseReading] {
        readings(of: promises) { limit in
            measured[limit.measure.figure].map { PromiseReading(value: $0.value, n: $0.n) }
        }
    }

    private static func readings(
        of promises: [Promise], _ read: (Promise.Limit) -> PromiseReading?
    ) -> [PromiseReading] {
        promises.flatMap { promise in
            promise.limits.enumerated().compactMap { index, limit -> PromiseReading? in
                var reading = read(limit)
                reading?.promise = promise.id
                reading?.limit = index
                return reading
            }
        }
    }

    /// The worst of several readings of a limit; their observations add up, except estimates'.
    package static func results(
        _ readings: [PromiseReading], of promises: [Promise]
    ) -> [PromiseResult] {
        promises.map { promise in
            PromiseResult(
                promise: promise,
                readings: promise.limits.enumerated().map { index, limit in
                    limit.worst(readings.filter { $0.promise == promise.id && $0.limit == index })
                })
        }
    }

    /// So many without an exception bound exceptions below 5 %; fewer may avoid all commits.
    package static let fewestKills = Binomial.trialsNeeded(toBoundBelow: 0.05) ?? .max

    /// How many kills of a run of pinned kills are missing for estimates, as many may come too late
    /// to count on a busy machine; 0 when less than half counts.
    ///
    /// What a kill has lost does not decide here.
    package static func missingKills(
        _ rows: [IterationRow], videoLength: Int64, of promises: [Promise]
    ) -> Int {
        let missing = promises.flatMap(\.limits).compactMap { limit -> Int? in
            guard limit.measure.figure.isEstimate, limit.at != nil else { return nil }
            let count = limit.about(rows, videoLength).count { $0.lostBytes != nil }
            return 2 * count < fewestKills ? nil : fewestKills - count
        }
        return max(0, missing.max() ?? 0)
    }
}

extension Promise.Limit {
    private static let fewestKills = PromiseJudge.fewestKills

    fileprivate func about(_ rows: [IterationRow], _ videoLength: Int64) -> [IterationRow] {
        guard video.map({ $0 == videoLength }) ?? true else { return [] }
        return rows.filter { row in
            row.isConclusive && measure.includes(row) && (policy.map { $0 == row.policy } ?? true)
                && (at.map { row.isAt($0, within: within) } ?? true)
        }
    }

    /// True for a few kills of a run that drew its kills over the whole video, of which some
    /// happened to come right before an amount: unless they break a figure, they say nothing about
    /// it.
    fileprivate func isByChance(_ reading: PromiseReading) -> Bool {
        within != nil && reading.n < Self.fewestKills && verdict(of: reading) != .broken
    }

    /// What rows show about a limit; nil when they show nothing.
    fileprivate func reading(_ rows: [IterationRow], _ videoLength: Int64) -> PromiseReading? {
        switch measure.figure {
        case .lossPercent: return loss(rows)
        case .worstLossPercent, .leastRecovered:
            guard let at else { return nil }
            return extreme(
                rows.compactMap { value($0, of: at) }, isMost: measure.figure == .worstLossPercent)
        case .findings: return again(findings(rows), rows)
        default:
            let seen = rows.compactMap { value($0, of: videoLength) }
            return again(worst(seen.map { PromiseReading(value: $0) }), rows)
        }
    }

    /// What a row shows by itself: right before an amount, a kill leaves the amount less its loss.
    private func value(_ row: IterationRow, of amount: Int64) -> Double? {
        let figure = measure.figure
        switch figure {
        case .lostBeyondBound:
            guard let lost = row.lostBytes, let bound = row.boundBytes else { return nil }
            return Double(max(0, lost - bound))
        case .recoveredBytes: return row.recoveredBytes.map(Double.init)
        case .leastRecovered:
            let left = within == nil ? row.recoveredBytes : row.lostBytes.map { amount - $0 }
            return left.map(Double.init)
        case .worstLossPercent: return row.lostBytes.map { 100 * Double($0) / Double(amount) }
        case .commits, .commitBytesMean:
            guard row.acknowledgedBytes == amount, let commits = row.commits, commits > 0 else {
                return nil
            }
            return figure == .commits ? Double(commits) : Double(amount) / Double(commits)
        // Of all rows together, or not from rows at all.
        case .lossPercent, .findings, .throughputRatio, .hitFirstByteSeconds, .peakMemoryGrowth,
            .leastThreshold:
            return nil
        }
    }

    /// The figure farthest beyond the limit, or else nearest to it.
    fileprivate func worst(_ readings: [PromiseReading]) -> PromiseReading? {
        func rank(_ reading: PromiseReading) -> (Int, Double) {
            let place = [.holds, .undecided, .broken].firstIndex(of: verdict(of: reading)) ?? 0
            let beyond = most.map { reading.value - $0 } ?? -.infinity
            return (place, max(beyond, least.map { $0 - reading.value } ?? -.infinity))
        }
        guard var chosen = readings.max(by: { rank($0) < rank($1) }) else { return nil }
        if chosen.interval == nil { chosen.n = readings.reduce(0) { $0 + $1.n } }
        return chosen
    }

    private func loss(_ rows: [IterationRow]) -> PromiseReading? {
        let loss = SampleFigure(percentOfReceived: \.lostBytes, in: rows)
        guard let percent = loss.value else { return nil }
        let interval = loss.count < Self.fewestKills ? nil : loss.interval()
        return PromiseReading(
            value: percent, n: loss.count,
            interval: interval ?? ConfidenceInterval(low: nil, high: nil))
    }

    /// The most or the least of all kills, of which a single one beyond the figure breaks the
    /// promise: that is one end.
    ///
    /// The other is what all but 5 % of kills leave, with 95 % confidence: the same, once enough
    /// kills were observed.
    private func extreme(_ values: [Double], isMost: Bool) -> PromiseReading? {
        guard let found = isMost ? values.max() : values.min() else { return nil }
        let far = values.count < Self.fewestKills ? nil : found
        return PromiseReading(
            value: found, n: values.count,
            interval: isMost
                ? ConfidenceInterval(low: found, high: far)
                : ConfidenceInterval(low: far, high: found))
    }

    /// Later kills decide in the worker's favour only if some came in a recovery (B6).
    private func again(_ reading: PromiseReading?, _ rows: [IterationRow]) -> PromiseReading? {
        guard var reading, measure.isOfLaterKills, !rows.contains(where: \.struckRecovery)
        else { return reading }
        reading.interval = ConfidenceInterval(low: reading.value, high: nil)
        return reading
    }

    /// Rows in which a checker found something; a clean one counts only if all of them could check.
    private func findings(_ rows: [IterationRow]) -> PromiseReading? {
        let checkers = measure.checkers ?? []
        let failed = rows.count { !$0.checkers.isDisjoint(with: checkers) }
        let clean = rows.count {
            $0.checkers.isDisjoint(with: checkers) && $0.notJudged.isDisjoint(with: checkers)
        }
        guard failed + clean > 0 else { return nil }
        return PromiseReading(value: Double(failed), n: failed + clean)
    }
}

extension IterationRow {
    /// True for a kill at an amount of received bytes, or over the last bytes before it: bytes that
    /// flow carry it past its own, but not by as much as the kills are spread over.
    func isAt(_ amount: Int64, within: Int64?) -> Bool {
        guard trigger == TriggerKind.bytes.rawValue, let received = receivedBytes else {
            return false
        }
        guard let within else { return planned == "\(amount)" && received == amount }
        let first = planned.split(separator: ":").first.flatMap { Int64($0) }
        return first.map { $0 > amount - within && $0 <= amount } ?? false
            && received > amount - within && received <= amount + within
    }
}
