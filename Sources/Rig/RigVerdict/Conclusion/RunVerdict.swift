import Foundation
package import RigModel

package struct RunVerdict: Sendable, Hashable {
    /// The exit code (spec 2, with its precedence applied).
    package let status: ExitStatus
    /// One line each: first the obstacles to success, then what the rows prove.
    package let sentences: [String]
    /// The obstacles among ``sentences`` that are not gates.
    package let caveats: [String]

    /// Draws the conclusion of a run.
    ///
    /// - Incomplete (97) when rows are missing; unreadable (65) when there are more than planned.
    /// - Failed (70) when a row of `disabled` kept bytes that were never saved: the null control
    ///   (B2) shows that the rig, or the worker's `disabled` mode, is broken.
    /// - Gate failed (99) when a gate fails.
    /// - Inconclusive (98) when a gate cannot be decided, when more rows are inconclusive than a
    ///   gate allows, when kills did not land where planned, or when a kill point was missed
    ///   although all were to be hit.
    ///
    /// - Parameters:
    ///   - coverage: how many kill points were hit, for a run that visits every one.
    ///   - ending: the status of a run that ended before its plan, which becomes the exit code; nil
    ///     for a run that did not.
    ///   - missing: what is missing and what to do, if more is known than the number of rows.
    package init(
        rows: [IterationRow], expectedRows: Int, summaries: [PolicySummary], gates: [GateResult],
        coverage: KillPointCoverage? = nil, ending: ExitStatus? = nil, endingReason: String? = nil,
        missing: String? = nil
    ) {
        let found = Set(rows.map(RowIdentity.init)).count
        let control = Self.nullControl(rows)
        let asPlanned = Self.astray(rows, summaries) + Self.missed(coverage)
        let findings = Self.gateObstacles(gates, rows) + asPlanned
        if let ending {
            status = ending
            let early = Self.early(ending, endingReason, found, expectedRows)
            sentences =
                [early] + (control + findings).map(\.sentence) + Self.results(rows, summaries)
            caveats = [early] + (control + asPlanned).map(\.sentence)
            return
        }
        let whole = control + Self.completeness(found, expectedRows, missing)
        let obstacles = whole + findings
        status = ExitStatus.worst(obstacles.map(\.status))
        sentences = obstacles.map(\.sentence) + Self.results(rows, summaries)
        caveats = (whole + asPlanned).map(\.sentence)
    }

    private typealias Obstacle = (status: ExitStatus, sentence: String)

    private static func nullControl(_ rows: [IterationRow]) -> [Obstacle] {
        let broken = rows.count { $0.checkers.contains(.nullControl) }
        guard broken > 0 else { return [] }
        return [
            (
                .failure,
                "the null control failed in \(broken.counted("row")): bytes survived that nothing"
                    + " had saved, so the run proves nothing; look at what those rows kept"
            )
        ]
    }

    private static func early(
        _ ending: ExitStatus, _ reason: String?, _ found: Int, _ expected: Int
    ) -> String {
        let rows =
            "\(found) of \(expected.counted("row")) \(expected == 1 ? "is" : "are") there"
        let cause = reason.map { ": \(Wording.oneSentence($0))" } ?? ""
        return ending == .interrupted
            ? "interrupted\(cause): \(rows)" : "ended early\(cause) (\(rows))"
    }

    private static func completeness(
        _ found: Int, _ expected: Int, _ missing: String?
    ) -> [Obstacle] {
        let cause =
            missing
            ?? "the run was cut short; finish it with rig resume, or run it again with the same seed"
        if found < expected {
            return [
                (
                    .incomplete,
                    "\(expected - found) of \(expected.counted("row")) are missing: \(cause)"
                )
            ]
        }
        // A part without iterations has no missing rows, but may itself be missing.
        if let missing { return [(.incomplete, missing)] }
        guard found > expected else { return [] }
        return [
            (
                .data,
                "\(found.counted("row")) where the plan has \(expected): rows of another run are"
                    + " among them; judge the run's own folder"
            )
        ]
    }

    private static func gateObstacles(
        _ gates: [GateResult], _ rows: [IterationRow]
    ) -> [Obstacle] {
        let failed = gates.filter { $0.verdict == .fails }.map { gate -> Obstacle in
            (.gateFailed, "gate failed: \(gate.title): \(gate.figures)")
        }
        let unknown = gates.filter { $0.verdict == .unknown }.map { gate -> Obstacle in
            (
                .inconclusive,
                "gate undecided: \(gate.title): \(gate.figures): \(advice(gate, rows))"
            )
        }
        return failed + unknown
    }

    private static func advice(_ gate: GateResult, _ rows: [IterationRow]) -> String {
        if let obscurity = obscurity(gate, rows) { return obscurity }
        if gate.unknownRows > 0, !gate.straddles {
            return "\(gate.unknownRows.counted("row")) could not be judged for it;"
                + " not_judged and the reason of each say why"
        }
        guard gate.straddles else { return "too few conclusive iterations; run more" }
        let more = gate.rowsToDecide.map {
            "about \($0) kills decide it, if the figure stays; or move the limit"
        }
        return "the interval straddles the limit; \(more ?? "run more, or move the limit")"
    }

    /// How many rows are inconclusive, and why; nil for other gates, and without such rows.
    private static func obscurity(_ gate: GateResult, _ rows: [IterationRow]) -> String? {
        guard (try? Gate(gate.gate))?.metric == .inconclusivePercent else { return nil }
        let covered = rows.filter { gate.policy == nil || $0.policy == gate.policy }
        let obscure = covered.filter { !$0.isConclusive }
        guard !obscure.isEmpty else { return nil }
        let unit = obscure.allSatisfy(\.isSpared) ? "iteration" : "kill"
        return
            "\(obscure.count) of \(covered.count.counted(unit)) prove nothing, most often because:"
            + " \(usual(obscure.map(\.reason)))"
    }

    /// The most frequent text; the alphabetically first of several, to be deterministic.
    private static func usual(_ texts: [String]) -> String {
        let counts = Dictionary(grouping: texts, by: { $0 }).mapValues(\.count)
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }

    /// What the rows prove, and the caveats that must be stated with it.
    private static func results(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [String] {
        proofs(summaries) + unjudged(rows, summaries) + bare(rows, summaries)
            + stale(rows, summaries) + crashStates(rows)
    }

    /// How many states of the disk the figures of modelled power cuts rest on.
    private static func crashStates(_ rows: [IterationRow]) -> [String] {
        let tried = rows.compactMap(\.crashStates)
        let sweep = rows.sweep
        guard sweep != nil || tried.contains(where: { $0 > 1 }) else { return [] }
        let states = tried.reduce(0, +)
        return [
            "\(states.counted("state")) of the disk were tried after"
                + " \(tried.count.counted("power cut"))"
                + (sweep.map { ", for \($0.words)" } ?? "")
        ]
    }

    /// Which checkers could not check, and how often; without this, the proofs would mislead.
    private static func unjudged(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [String] {
        summaries.compactMap { summary in
            let blind = Checker.allCases.filter { summary.notJudgedBy[$0] != nil }
            let counts = Dictionary(grouping: blind) { summary.notJudgedBy[$0] ?? 0 }
                .sorted { $0.key > $1.key }.map { times, checkers in
                    "in \(times) of \(summary.conclusive.counted(unit(summary))): "
                        + checkers.map(\.rawValue).joined(separator: ", ")
                }
            let texts = rows.filter { $0.policy == summary.policy }.compactMap(\.whyNotJudged)
            let reason = texts.isEmpty ? [] : ["most often: \(usual(texts))"]
            guard !(counts + reason).isEmpty else { return nil }
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            return "\(name)not judged \((counts + reason).joined(separator: "; "))"
        }
    }

    /// Kills after which nothing was kept: in an average they look like many small losses.
    private static func bare(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [String] {
        summaries.filter { $0.keptNothing > 0 }.map { summary in
            let kills = rows.filter { $0.policy == summary.policy && $0.isConclusiveKill }
            let whole = kills.count { $0.lostBytes == 0 && $0.receivedBytes ?? 0 > 0 }
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            return
                "\(name)nothing at all was kept after \(summary.keptNothing) of"
                + " \(kills.count.counted("kill")), and everything after \(whole)"
        }
    }

    private static func astray(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [Obstacle] {
        summaries.flatMap { summary -> [Obstacle] in
            let own = rows.filter { $0.policy == summary.policy }
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            return [KillSpread(own).complaint, KillSpread.missedRecoveries(own)]
                .compactMap(\.self).map { (.inconclusive, name + $0) }
        }
    }

    /// Completed files of a version that the origin no longer has: permitted for a worker that does
    /// not promise to revalidate, but worth knowing.
    private static func stale(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [String] {
        summaries.compactMap { summary in
            let number = rows.count { $0.policy == summary.policy && $0.isStale }
            guard number > 0 else { return nil }
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            return
                "\(name)stale after \(number) of \(summary.kills.counted("kill")): the completed"
                + " file is the version before, whole, and the worker does not promise to ask again"
        }
    }

    private static func missed(_ coverage: KillPointCoverage?) -> [Obstacle] {
        guard let coverage, !coverage.isComplete else { return [] }
        return [
            (
                .inconclusive,
                "\(coverage.counted - coverage.hit) of \(coverage.counted.counted("kill point"))"
                    + " were not hit; the rows that prove nothing say why"
            )
        ]
    }

    private static func proofs(_ summaries: [PolicySummary]) -> [String] {
        summaries.map { summary in
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            guard summary.conclusive > 0 else {
                return "\(name)no conclusive iteration, so nothing is proven"
            }
            let asides = [
                summary.undecided > 0 ? "\(summary.undecided) of them not judged in full" : nil,
                summary.inconclusive > 0 ? "\(summary.inconclusive) more inconclusive" : nil,
            ].compactMap(\.self)
            let found =
                "\(name)\(summary.violations.counted("violation")) in"
                + " \(summary.conclusive.counted(unit(summary)))"
                + (asides.isEmpty ? "" : " (\(asides.joined(separator: ", ")))")
            guard let bound = summary.violationRateUCB95 else {
                let isBlind = summary.undecided == summary.conclusive
                return "\(found); "
                    + (isBlind ? "nothing follows for the true rate" : Wording.noWorkerWasKilled)
            }
            let percent = FixedPoint.text(bound * 100, decimals: 2)
            return "\(found): the true rate is below \(percent) % (95 % confidence)"
        }
    }

    private static func unit(_ summary: PolicySummary) -> String {
        summary.kills > summary.iterations ? "kill" : "iteration"
    }
}
