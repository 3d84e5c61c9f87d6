import RigModel

/// The conclusion of a run: the exit code (spec 2), and the reasons in words, obstacles first.
///
/// - Incomplete (97) when rows are missing; unreadable (65) when there are more than planned.
/// - Failed (70) when the null control (B2) kept bytes that were never saved.
/// - Gate failed (99) when a gate fails.
/// - Inconclusive (98) when a gate cannot be decided, more rows are inconclusive than one allows,
///   kills did not land where planned, a kill point was missed although all were to be hit, or a
///   program was replaced meanwhile.
struct RunVerdict {
    let rows: [IterationRow]
    let expectedRows: Int
    let summaries: [PolicySummary]
    let gates: [GateResult]
    let coverage: KillPointCoverage?
    /// What is missing and what to do, if more is known than the number of rows.
    let missing: String?
    /// The programs that were others when the run ended.
    let replaced: [String]

    typealias Conclusion = (status: ExitStatus, sentences: [String], caveats: [String])

    /// Concludes; of a run that ended before its plan, `ending` is the exit code.
    func conclude(ending: ExitStatus?, reason: String?) -> Conclusion {
        let asPlanned = mixed + astray + missed
        let findings = gateObstacles + asPlanned
        if let ending {
            let early = early(ending, reason)
            return (
                ending, [early] + (nullControl + findings).map(\.sentence) + results,
                [early] + (nullControl + asPlanned).map(\.sentence)
            )
        }
        let whole = nullControl + completeness
        let obstacles = whole + findings
        return (
            ExitStatus.worst(obstacles.map(\.status)), obstacles.map(\.sentence) + results,
            (whole + asPlanned).map(\.sentence)
        )
    }

    private func prefix(_ summary: PolicySummary) -> String {
        summaries.count > 1 ? "\(summary.policy): " : ""
    }

    private func rows(of summary: PolicySummary) -> [IterationRow] {
        rows.filter { $0.policy == summary.policy }
    }

    private var found: Int { Set(rows.map(RowIdentity.init)).count }

    private typealias Obstacle = (status: ExitStatus, sentence: String)

    private var nullControl: [Obstacle] {
        let broken = rows.count { $0.checkers.contains(.nullControl) }
        guard broken > 0 else { return [] }
        let sentence =
            "the null control failed in \(broken.counted("row")): bytes survived that nothing"
            + " had saved, so the run proves nothing; look at what those rows kept"
        return [(.failure, sentence)]
    }

    private func early(_ ending: ExitStatus, _ reason: String?) -> String {
        let verb = expectedRows == 1 ? "is" : "are"
        let rows = "\(found) of \(expectedRows.counted("row")) \(verb) there"
        let cause = reason.map { ": \(Wording.oneSentence($0))" } ?? ""
        return ending == .interrupted
            ? "interrupted\(cause): \(rows)" : "ended early\(cause) (\(rows))"
    }

    private var completeness: [Obstacle] {
        let (found, expected) = (self.found, expectedRows)
        let cause =
            missing
            ?? "the run was cut short; finish it with rig resume, or run it again with the same seed"
        if found < expected {
            let short = "\(expected - found) of \(expected.counted("row")) are missing"
            return [(.incomplete, "\(short): \(cause)")]
        }
        // A part without iterations has no missing rows, but may itself be missing.
        if let missing { return [(.incomplete, missing)] }
        guard found > expected else { return [] }
        let more =
            "\(found.counted("row")) where the plan has \(expected): rows of another run are among"
            + " them; judge the run's own folder"
        return [(.data, more)]
    }

    private var gateObstacles: [Obstacle] {
        let failed = gates.filter { $0.verdict == .fails }.map { gate -> Obstacle in
            (.gateFailed, "gate failed: \(gate.title): \(gate.figures)")
        }
        let unknown = gates.filter { $0.verdict == .unknown }.map { gate -> Obstacle in
            (.inconclusive, "gate undecided: \(gate.title): \(gate.figures): \(advice(gate))")
        }
        return failed + unknown
    }

    private func advice(_ gate: GateResult) -> String {
        if let obscurity = obscurity(gate) { return obscurity }
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
    private func obscurity(_ gate: GateResult) -> String? {
        guard (try? Gate(gate.gate))?.metric == .inconclusivePercent else { return nil }
        let covered = rows.filter { gate.policy == nil || $0.policy == gate.policy }
        let obscure = covered.filter { !$0.isConclusive }
        guard !obscure.isEmpty else { return nil }
        let unit = obscure.allSatisfy(\.isSpared) ? "iteration" : "kill"
        return "\(obscure.count) of \(covered.count.counted(unit)) prove nothing, most often"
            + " because: \(usual(obscure.map(\.reason)))"
    }

    /// The most frequent text; the alphabetically first of several, to be deterministic.
    private func usual(_ texts: [String]) -> String {
        let counts = Dictionary(grouping: texts, by: { $0 }).mapValues(\.count)
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }

    /// What the rows prove, and the caveats that must be stated with it.
    private var results: [String] { proofs + unjudged + bare + stale + crashStates }

    /// How many states of the disk the figures of modelled power cuts rest on.
    private var crashStates: [String] {
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
    private var unjudged: [String] {
        summaries.compactMap { summary in
            let blind = Checker.allCases.filter { summary.notJudgedBy[$0] != nil }
            let counts = Dictionary(grouping: blind) { summary.notJudgedBy[$0] ?? 0 }
                .sorted { $0.key > $1.key }.map { times, checkers in
                    "in \(times) of \(summary.conclusive.counted(unit(summary))): "
                        + checkers.map(\.rawValue).joined(separator: ", ")
                }
            let texts = rows(of: summary).compactMap(\.whyNotJudged)
            let reason = texts.isEmpty ? [] : ["most often: \(usual(texts))"]
            guard !(counts + reason).isEmpty else { return nil }
            return "\(prefix(summary))not judged \((counts + reason).joined(separator: "; "))"
        }
    }

    /// Kills after which nothing was kept: in an average they look like many small losses.
    private var bare: [String] {
        summaries.filter { $0.keptNothing > 0 }.map { summary in
            let kills = rows(of: summary).filter(\.isConclusiveKill)
            let whole = kills.count { $0.lostBytes == 0 && $0.receivedBytes ?? 0 > 0 }
            return "\(prefix(summary))nothing at all was kept after \(summary.keptNothing) of"
                + " \(kills.count.counted("kill")), and everything after \(whole)"
        }
    }

    private var mixed: [Obstacle] {
        guard !replaced.isEmpty else { return [] }
        let names = replaced.joined(separator: ", ")
        let sentence = "\(names) changed during the run: its rows are of two versions; run it again"
        return [(.inconclusive, sentence)]
    }

    private var astray: [Obstacle] {
        summaries.flatMap { summary -> [Obstacle] in
            let own = rows(of: summary)
            return [KillSpread(own).complaint, KillSpread.missedRecoveries(own)]
                .compactMap(\.self).map { (.inconclusive, prefix(summary) + $0) }
        }
    }

    /// Files of a version that the origin no longer has: permitted without a promise, but told.
    private var stale: [String] {
        summaries.compactMap { summary in
            let number = rows(of: summary).count(where: \.isStale)
            guard number > 0 else { return nil }
            return "\(prefix(summary))stale after \(number) of \(summary.kills.counted("kill")):"
                + " the completed file is the version before, whole, and the worker does not"
                + " promise to ask again"
        }
    }

    private var missed: [Obstacle] {
        guard let coverage, !coverage.isComplete else { return [] }
        let sentence =
            "\(coverage.counted - coverage.hit) of \(coverage.counted.counted("kill point"))"
            + " were not hit; the rows that prove nothing say why"
        return [(.inconclusive, sentence)]
    }

    private var proofs: [String] {
        summaries.map { summary in
            let name = prefix(summary)
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

    private func unit(_ summary: PolicySummary) -> String {
        summary.kills > summary.iterations ? "kill" : "iteration"
    }
}
