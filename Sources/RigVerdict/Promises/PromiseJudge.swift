package import RigModel

/// Sets the documents' promises beside what was measured.
package enum PromiseJudge {
    /// What the rows of a run say of each promise; inconclusive rows say nothing.
    ///
    /// - Parameters:
    ///   - rows: the run's rows.
    ///   - videoLength: the length of its video in bytes.
    ///   - promises: the promises.
    /// - Returns: a reading for each limit that the run can judge.
    package static func readings(
        _ rows: [IterationRow], videoLength: Int64, of promises: [Promise]
    ) -> [PromiseReading] {
        let conclusive = rows.filter(\.isConclusive)
        return promises.flatMap { promise in
            promise.limits.indices.compactMap { index -> PromiseReading? in
                let limit = promise.limits[index]
                guard limit.video.map({ $0 == videoLength }) ?? true,
                    videoLength >= limit.videoFrom ?? 0
                else { return nil }
                let about = conclusive.filter { row in
                    limit.policy.map { $0 == row.policy } ?? true
                }
                let values = values(limit, about, videoLength: videoLength)
                return worst(values, limit).map {
                    PromiseReading(
                        promise: promise.id, limit: index, value: $0.value, n: $0.n)
                }
            }
        }
    }

    /// What the rig measured by itself says.
    ///
    /// - Parameters:
    ///   - measured: values by what was measured; each the worst of so many observations.
    ///   - promises: the promises.
    /// - Returns: a reading for each limit on one of them.
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

    /// Puts readings together: of several of one limit the worst counts, and their observations add
    /// up.
    package static func results(
        _ readings: [PromiseReading], of promises: [Promise]
    ) -> [PromiseResult] {
        promises.map { promise in
            PromiseResult(
                promise: promise,
                readings: promise.limits.indices.map { index in
                    let own = readings.filter { $0.promise == promise.id && $0.limit == index }
                    let limit = promise.limits[index]
                    return worst(own.map { ($0.value, $0.n) }, limit).map {
                        PromiseReading(
                            promise: promise.id, limit: index, value: $0.value, n: $0.n)
                    }
                })
        }
    }

    private typealias Value = (value: Double, n: Int)

    /// The value that is farthest over the limit, or nearest to it.
    private static func worst(_ values: [Value], _ limit: Promise.Limit) -> Value? {
        let chosen = values.max { excess($0.value, limit) < excess($1.value, limit) }
        return chosen.map { ($0.value, values.reduce(0) { $0 + $1.n }) }
    }

    /// Positive beyond the limit, negative within it.
    private static func excess(_ value: Double, _ limit: Promise.Limit) -> Double {
        max(
            limit.most.map { value - $0 } ?? -.infinity,
            limit.least.map { $0 - value } ?? -.infinity)
    }

    private static func values(
        _ limit: Promise.Limit, _ rows: [IterationRow], videoLength: Int64
    ) -> [Value] {
        switch limit.measure {
        case .lostBeyondBound: beyondBound(rows.filter { $0.kill == 1 && !$0.isSpared })
        case .lostBeyondBoundInSaves: beyondBound(rows.filter { $0.phase == .committing })
        case .lostBeyondBoundAgain: beyondBound(rows.filter { $0.kill > 1 })
        case .recoveredWhenDisabled:
            rows.filter { $0.thresholdBytes == nil && $0.kill == 1 && $0.isDownload }
                .compactMap { row in row.recoveredBytes.map { (Double($0), 1) } }
        case .recovered:
            rows.filter { row in
                row.trigger == TriggerKind.bytes.rawValue && row.kill == 1 && row.isDownload
                    && limit.at.map { row.planned == "\($0)" && row.receivedBytes == $0 } ?? false
            }.compactMap { row in row.recoveredBytes.map { (Double($0), 1) } }
        case .lossPercent:
            loss(rows.filter { $0.isDownload && $0.kill == 1 && !$0.isSpared })
        case .commits, .commitBytesMean: wholeCommits(limit.measure, rows, videoLength)
        case .unsoundStatesAgain: failures(.unsoundStates, rows.filter { $0.kill > 1 })
        case .unsoundStates, .notFoundAgain, .notPlayedOffline, .wrongCommitCounts:
            failures(limit.measure, rows)
        // Not from rows: the rig measures these by itself.
        case .throughputRatio, .hitFirstByteSeconds, .peakMemoryGrowth, .leastThreshold: []
        }
    }

    private static func loss(_ rows: [IterationRow]) -> [Value] {
        let ratio = LossRatio(rows)
        return ratio.percent.map { [($0, ratio.lost.count)] } ?? []
    }

    private static func beyondBound(_ rows: [IterationRow]) -> [Value] {
        rows.compactMap { row in
            guard let lost = row.lostBytes, let bound = row.boundBytes else { return nil }
            return (Double(max(0, lost - bound)), 1)
        }
    }

    /// Kills after which one of the checkers of a promise found something.
    private static func failures(
        _ measure: PromiseMeasure, _ rows: [IterationRow]
    ) -> [Value] {
        let saved = rows.filter { $0.thresholdBytes != nil && !$0.isLibrary && !$0.isSpared }
        let (checkers, judged): (Set<Checker>, [IterationRow]) =
            switch measure {
            case .unsoundStates:
                ([.durability, .integrity, .completion, .delivery], saved)
            case .notFoundAgain: ([.ranges, .resumption, .durability], saved)
            case .notPlayedOffline: ([.offline], saved.filter { !$0.isDownload })
            default: ([.commits], saved)
            }
        guard !judged.isEmpty else { return [] }
        let failed = judged.count { !$0.failedCheckers.isDisjoint(with: checkers) }
        return [(Double(failed), judged.count)]
    }

    /// Of workers that were spared: the commits of a whole video.
    private static func wholeCommits(
        _ measure: PromiseMeasure, _ rows: [IterationRow], _ videoLength: Int64
    ) -> [Value] {
        rows.filter { $0.isSpared && $0.isDownload && $0.acknowledgedBytes == videoLength }
            .compactMap { row in
                guard let commits = row.commits, commits > 0 else { return nil }
                let mean = Double(videoLength) / Double(commits)
                return (measure == .commits ? Double(commits) : mean, 1)
            }
    }
}

extension IterationRow {
    fileprivate var isDownload: Bool { workload == Workload.download.rawValue }

    fileprivate var isLibrary: Bool { workload == Workload.offlineLibrary.rawValue }
}
