import RigModel

/// The kills of each phase, for a terminal and for Markdown.
struct Strata {
    let table: Table
    /// What was not hit, one line each.
    let notes: [String]

    /// The strata of all policies; nil if no row knows its phase.
    init?(_ summaries: [PolicySummary]) {
        guard summaries.contains(where: { !$0.phasesHit.isEmpty }) else { return nil }
        typealias Row = (policy: String, stratum: Stratum)
        let rows = summaries.flatMap { summary in
            summary.strata.filter { $0.kills > 0 }.map { (summary.policy, $0) as Row }
        }
        table = rows.table([
            .word("policy") { $0.policy }.when(summaries.count > 1),
            .word("phase") { $0.stratum.phase?.rawValue ?? Figure.notKnown },
            .count("kills") { $0.stratum.kills }, .count("violations") { $0.stratum.violations },
            .rate("rate below") { $0.stratum.violationRateUCB95 },
        ])
        let known = summaries.filter { !$0.strata.isEmpty }
        notes = Self.missing(known) + Self.outOfReach(known)
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

extension KillPointCoverage {
    /// `kill points hit: 866 of 866 counted`.
    var line: String { "kill points hit: \(hit) of \(counted) counted" }
}
