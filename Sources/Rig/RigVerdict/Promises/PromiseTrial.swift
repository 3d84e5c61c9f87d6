package import RigModel

/// Tests the documents part by part: neither an unknown nor a finding that none counts is a pass.
package struct PromiseTrial {
    private let promises: [Promise]
    /// What each part shows, and whether it can be relied on.
    private var found: [(part: String, readings: [PromiseReading], isReliable: Bool)] = []
    private var failures: [PartFailure] = []
    private var parts: [RunPart] = []

    package init(of promises: [Promise]) { self.promises = promises }

    /// Adds a run's rows; those of an interrupted run are not judged.
    package mutating func add(_ part: RunPart) {
        parts.append(part)
        let length = part.hasAllRows ? part.videoLength : nil
        let readings = length.map {
            PromiseJudge.readings(part.rows, videoLength: $0, of: judged(by: part.name))
        }
        let shown = readings ?? []
        let failure = part.failure ?? Self.undecided(part)
        found.append((part.name, shown, failure == nil))
        failures += [failure, uncounted(part, shown), withoutRecoveries(part, shown)]
            .compactMap(\.self)
    }

    /// Adds the rig's own measurements, each the worst of `n`, and what could not be measured.
    package mutating func add(
        _ measured: [PromiseFigure: (value: Double, n: Int)], failures: [PartFailure]
    ) {
        let readings = PromiseJudge.readings(measured, of: judged(by: PromiseCatalogue.rig))
        found.append((PromiseCatalogue.rig, readings, true))
        self.failures += failures
    }

    /// How many more kills a part needs for its estimates; 0 where more would change nothing.
    package func missingKills(_ part: RunPart) -> Int {
        guard part.hasAllRows, part.exitCode == ExitStatus.success.rawValue,
            let length = part.videoLength
        else { return 0 }
        return PromiseJudge.missingKills(part.rows, videoLength: length, of: judged(by: part.name))
    }

    /// The result for each promise, with the parts of it that are still missing.
    package func report(
        runID: String, seed: UInt64, with tables: DocumentedTables = .empty
    ) -> DocumentedReport {
        let readings = found.flatMap(\.readings)
        let results = PromiseJudge.results(readings, of: promises).map { result in
            let answers = found.filter { part in
                part.isReliable && part.readings.contains { $0.promise == result.promise.id }
            }.map(\.part)
            return PromiseResult(
                promise: result.promise, readings: result.readings,
                missing: result.promise.judgedBy.filter { !answers.contains($0) })
        }
        return DocumentedReport(
            runID: runID, seed: seed, results: results, failures: failures,
            documented: DocumentedComparison(tables, parts: parts.filter(\.hasAllRows)).rows)
    }

    private func judged(by part: String) -> [Promise] {
        promises.filter { $0.judgedBy.contains(part) }
    }

    /// A part's failure that no figure of its own promises accounts for.
    private func uncounted(_ part: RunPart, _ found: [PromiseReading]) -> PartFailure? {
        let failed = part.rows.filter { $0.verdict == .fail }
        let hasFailed = part.exitCode == ExitStatus.gateFailed.rawValue || !failed.isEmpty
        guard hasFailed, !found.contains(where: { limit(of: $0)?.verdict(of: $0) == .broken })
        else { return nil }
        let reason = failed.first.map { ", first: \($0.reason)" } ?? ": \(part.complaint)"
        return PartFailure(
            part: part.name,
            reason: "\(failed.count) of \(part.rows.count) rows failed, and none of its promises"
                + " counts why\(reason)", status: .gateFailed)
    }

    /// Chains of kills of which none came in a recovery, where a promise is about later kills (B6).
    private func withoutRecoveries(_ part: RunPart, _ found: [PromiseReading]) -> PartFailure? {
        let isAboutChains = found.contains { limit(of: $0)?.measure.isOfLaterKills == true }
        guard isAboutChains, !part.rows.contains(where: \.struckRecovery) else { return nil }
        return PartFailure(
            part: part.name,
            reason:
                "none of its kills came before the first new byte of a relaunched worker, so its"
                + " chains say nothing about a recovery; run more iterations",
            status: .inconclusive)
    }

    private func limit(of reading: PromiseReading) -> Promise.Limit? {
        promises.first { $0.id == reading.promise }?.limits[reading.limit]
    }

    /// A part with mostly inconclusive kills has readings from the few others only.
    private static func undecided(_ part: RunPart) -> PartFailure? {
        guard part.exitCode == ExitStatus.inconclusive.rawValue else { return nil }
        return PartFailure(
            part: part.name, reason: "exit \(part.exitCode): \(part.complaint)",
            status: .inconclusive)
    }
}
