package import RigModel

/// The documents on trial: takes part after part, and says what follows for the promises.
///
/// A part speaks for the promises that name it. What it cannot say, and what it found that none of
/// them counts, is a failure of the whole: an unknown is never a pass, nor is a finding.
package struct PromiseTrial {
    private let promises: [Promise]
    private var readings: [PromiseReading] = []
    private var failures: [PartFailure] = []
    private var answers: Set<Answer> = []

    private struct Answer: Hashable {
        let promise: String
        let part: String
    }

    /// A trial of which nothing is known yet.
    package init(of promises: [Promise]) {
        self.promises = promises
    }

    /// Takes in a run's rows; those of one that was cut short are not judged.
    package mutating func add(_ part: RunPart) {
        var found: [PromiseReading] = []
        if part.hasAllRows, let length = part.videoLength {
            found = PromiseJudge.readings(
                part.rows, videoLength: length, of: judged(by: part.name))
        }
        readings += found
        if let failure = part.failure ?? Self.undecided(part) {
            failures.append(failure)
        } else {
            note(found, of: part.name)
        }
        if let finding = uncounted(part, found) { failures.append(finding) }
    }

    /// Takes in what the rig measures by itself.
    ///
    /// - Parameters:
    ///   - measured: values by what was measured; each the worst of so many observations.
    ///   - failures: what could not be measured.
    package mutating func add(
        _ measured: [PromiseMeasure: (value: Double, n: Int)], failures: [PartFailure]
    ) {
        let found = PromiseJudge.readings(measured, of: judged(by: PromiseCatalogue.rig))
        readings += found
        self.failures += failures
        note(found, of: PromiseCatalogue.rig)
    }

    /// What follows for each promise, and which parts of it nobody has shown.
    package func report(runID: String, seed: UInt64) -> DocumentedReport {
        let results = PromiseJudge.results(readings, of: promises).map { result in
            PromiseResult(
                promise: result.promise, readings: result.readings,
                missing: result.promise.judgedBy.filter {
                    !answers.contains(Answer(promise: result.promise.id, part: $0))
                })
        }
        return DocumentedReport(runID: runID, seed: seed, results: results, failures: failures)
    }

    private func judged(by part: String) -> [Promise] {
        promises.filter { $0.judgedBy.contains(part) }
    }

    private mutating func note(_ found: [PromiseReading], of part: String) {
        for reading in found { answers.insert(Answer(promise: reading.promise, part: part)) }
    }

    /// What a part found, if no figure of its own promises is broken by it.
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

    private func isBroken(_ reading: PromiseReading) -> Bool {
        promises.contains {
            $0.id == reading.promise && $0.limits[reading.limit].verdict(of: reading) == .broken
        }
    }

    /// A part of which most kills prove nothing has readings, of the few that are left.
    private static func undecided(_ part: RunPart) -> PartFailure? {
        guard part.exitCode == ExitStatus.inconclusive.rawValue else { return nil }
        return PartFailure(
            part: part.name, reason: "exit \(part.exitCode): \(part.complaint)",
            status: .inconclusive)
    }
}
