package import RigModel

/// Whether the kills of a run landed where they were planned, by trigger: a clock calibrated on
/// another machine, or a late rig, kills at other moments, and the results then describe those.
package struct KillSpread: Sendable, Hashable {
    package struct Fit: Sendable, Hashable {
        /// `bytes`, `time`, or `phase` for the later kills of a chain in a recovery.
        package let trigger: TriggerKind
        package let kills: Int
        /// The greatest distance between the distributions of planned and realised moments.
        package let distance: Double
        /// The probability of such a distance if both distributions are the same.
        package let pValue: Double

        /// One recovery takes longer than another, also on a quiet machine.
        package var isAsPlanned: Bool {
            pValue >= Tolerances.leastSpreadProbability
                || trigger == .phase && distance <= Tolerances.recoverySpread
        }
    }

    /// The triggers with kills to compare, sorted by name.
    package let fits: [Fit]

    /// Compares the first kill of each iteration, and the later ones in recoveries: at another
    /// phase or at a call a worker is held for its kill, and pinned kills have no spread.
    package init(_ rows: [IterationRow]) {
        fits = [TriggerKind.bytes, .phase, .time].compactMap { kind in
            let moments = rows.compactMap { Self.moments(of: $0, by: kind) }
            guard Set(moments.map(\.planned)).count > 1,
                let test = PairedKolmogorovSmirnov(moments.map(\.planned), moments.map(\.realised))
            else { return nil }
            return Fit(
                trigger: kind, kills: moments.count, distance: test.statistic, pValue: test.pValue)
        }
    }

    private static func moments(
        of row: IterationRow, by kind: TriggerKind
    ) -> (planned: Double, realised: Double)? {
        guard row.trigger == kind.rawValue, kind == .phase ? row.struckRecovery : row.kill == 1,
            !row.isSpared, let realised = row.realised
        else { return nil }
        // The share of a recovery follows the phase; `:flowing` follows the bytes.
        let words = row.planned.split(separator: ":")
        return (kind == .phase ? words.dropFirst().first : words.first)
            .flatMap { Double($0) }.map { ($0, realised) }
    }

    /// What to do if less than half of a policy's kills planned in recoveries came there.
    package static func missedRecoveries(_ rows: [IterationRow]) -> String? {
        let planned = rows.filter(\.isPlannedInRecovery)
        let struck = planned.count(where: \.struckRecovery)
        guard planned.count >= Tolerances.fewestRecoveryKills, struck * 2 < planned.count else {
            return nil
        }
        return "\(struck) of the \(planned.count) later kills that were planned before the first"
            + " new byte of a relaunched worker came there, so the run says too little about kills"
            + " in a recovery; look at the reasons of the others, and run more iterations"
    }

    /// For `summary.csv`: `bytes 0.981|time 0.410`; nil when nothing could be compared.
    package var text: String? {
        guard !fits.isEmpty else { return nil }
        return fits.map { "\($0.trigger.rawValue) \(FixedPoint.text($0.pValue, decimals: 3))" }
            .joined(separator: "|")
    }

    /// What is wrong, and what to do; nil when all kills landed as planned.
    package var complaint: String? {
        guard let worst = fits.filter({ !$0.isAsPlanned }).min(by: { $0.pValue < $1.pValue }) else {
            return nil
        }
        let kills =
            worst.trigger == .phase
            ? "later kills in recoveries" : "kills by \(worst.trigger.rawValue)"
        return "the \(worst.kills) \(kills) did not land where they were"
            + " planned (Kolmogorov-Smirnov distance"
            + " \(FixedPoint.text(worst.distance, decimals: 2))), so the run says nothing about the planned ones;"
            + " run it again on a quieter machine, or with a lower --bandwidth"
    }
}

extension IterationRow {
    /// True when such a kill came there; without a page, if before the first new byte.
    var struckRecovery: Bool {
        isPlannedInRecovery && isConclusive
            && (phase == .recovering || phase == nil && realised != nil)
    }
}
