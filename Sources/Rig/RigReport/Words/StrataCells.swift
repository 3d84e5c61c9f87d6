import RigModel

/// The table of strata, for the terminal and for Markdown.
struct StrataCells {
    /// The titles; the columns after the first `textColumns` hold numbers.
    let titles: [String]
    /// How many columns hold text.
    let textColumns: Int
    /// A row per stratum with at least one kill.
    let rows: [[String]]
    /// What was not hit, one line each.
    let notes: [String]

    /// The strata of all policies; nil if no row knows its phase.
    init?(_ summaries: [PolicySummary]) {
        guard summaries.contains(where: { !$0.phasesHit.isEmpty }) else { return nil }
        let named = summaries.count > 1
        titles = (named ? ["policy"] : []) + ["phase", "kills", "violations", "rate below"]
        textColumns = named ? 2 : 1
        rows = summaries.flatMap { summary in
            summary.strata.filter { $0.kills > 0 }.map { stratum in
                (named ? [summary.policy] : []) + Self.cells(stratum)
            }
        }
        let known = summaries.filter { !$0.strata.isEmpty }
        notes = Self.missing(known) + Self.outOfReach(known)
    }

    private static func cells(_ stratum: Stratum) -> [String] {
        let bound = stratum.violationRateUCB95.map {
            FixedPoint.upperBound($0 * 100, decimals: 2) + " %"
        }
        return [
            stratum.phase?.rawValue ?? "not known", String(stratum.kills),
            String(stratum.violations), bound ?? "-",
        ]
    }

    /// The phases in reach without a kill; one line if all policies agree.
    private static func missing(_ summaries: [PolicySummary]) -> [String] {
        let missing = summaries.map { summary in
            summary.strata.filter { $0.isInReach && $0.kills == 0 }.compactMap(\.phase)
        }
        if Set(missing).count == 1, let same = missing.first {
            return same.isEmpty ? [] : ["never hit: \(list(same))"]
        }
        return zip(summaries, missing).filter { !$1.isEmpty }.map { summary, phases in
            "\(summary.policy): never hit: \(list(phases))"
        }
    }

    /// The phases out of reach for every policy; a kill in a phase shows that it is in reach.
    private static func outOfReach(_ summaries: [PolicySummary]) -> [String] {
        let phases = Phase.allCases.filter { phase in
            summaries.allSatisfy { summary in
                summary.strata.contains { $0.phase == phase && !$0.isInReach }
            }
        }
        return phases.isEmpty ? [] : ["not in reach of this workload: \(list(phases))"]
    }

    private static func list(_ phases: [Phase]) -> String {
        phases.map(\.rawValue).joined(separator: ", ")
    }
}

/// The line on kill points.
enum CoverageText {
    /// `kill points hit: 866 of 866 counted`.
    static func line(_ coverage: KillPointCoverage) -> String {
        "kill points hit: \(coverage.hit) of \(coverage.counted) counted"
    }
}
