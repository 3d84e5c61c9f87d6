package import RigModel

/// Tests the documents part by part: neither an unknown nor a finding that none counts is a pass.
package struct PromiseTrial {
    private let promises: [Promise]
    private var readings: [PromiseReading] = []
    private var failures: [PartFailure] = []
    private var answers: [String: Set<String>] = [:]
    private var parts: [RunPart] = []

    package init(of promises: [Promise]) { self.promises = promises }

    /// Adds a run's rows; those of an interrupted run are not judged.
    package mutating func add(_ part: RunPart) {
        parts.append(part)
        var found: [PromiseReading] = []
        if part.hasAllRows, let length = part.videoLength {
            found = PromiseJudge.readings(part.rows, videoLength: length, of: judged(by: part.name))
        }
        readings += found
        if let failure = part.failure ?? Self.undecided(part) {
            failures.append(failure)
        } else {
            note(found, of: part.name)
        }
        if let finding = uncounted(part, found) { failures.append(finding) }
        if let gap = withoutRecoveries(part, found) { failures.append(gap) }
    }

    /// Adds the rig's own measurements, each the worst of `n`, and what could not be measured.
    package mutating func add(
        _ measured: [PromiseFigure: (value: Double, n: Int)], failures: [PartFailure]
    ) {
        let found = PromiseJudge.readings(measured, of: judged(by: PromiseCatalogue.rig))
        readings += found
        self.failures += failures
        note(found, of: PromiseCatalogue.rig)
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
        let results = PromiseJudge.results(readings, of: promises).map { result in
            PromiseResult(
                promise: result.promise, readings: result.readings,
                missing: result.promise.judgedBy.filter {
                    answers[result.promise.id]?.contains($0) != true
                })
        }
        return DocumentedReport(
            runID: runID, seed: seed, results: results, failures: failures,
            documented: DocumentedComparison(tables, parts: parts.filter(\.hasAllRows)).rows)
    }

    private func judged(by part: String) -> [Promise] {
        promises.filter { $0.judgedBy.contains(part) }
    }

    private mutating func note(_ found: [PromiseReading], of part: String) {
        for reading in found { answers[reading.promise, default: []].insert(part) }
    }

    /// A part's failure that no figure of its own promises accounts for.
    private func uncounted(_ part: RunPart, _ found: [PromiseReading]) -> PartFailure? {
        let failed = part.rows.filter { $0.verdict == .fail }
        let hasFailed = part.exitCode == ExitStatus.gateFailed.rawValue || !failed.isEmpty
        guard hasFailed, !found.contains(where: isBroken) else { return nil }
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

    private func isBroken(_ reading: PromiseReading) -> Bool {
        limit(of: reading)?.verdict(of: reading) == .broken
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
