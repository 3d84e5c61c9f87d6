package import RigModel

/// Whether the kills of a run landed where they were planned, by trigger.
///
/// A kill proves something only about its moment. A clock calibrated on another machine, or a late
/// rig, kills at other moments than planned, and the run's results then describe those moments.
package struct KillSpread: Sendable, Hashable {
    /// The spread of the kills of one trigger.
    package struct Fit: Sendable, Hashable {
        /// `bytes` or `time`.
        package let trigger: TriggerKind
        /// How many kills were compared.
        package let kills: Int
        /// The greatest distance between the distributions of planned and realised moments.
        package let distance: Double
        /// The probability of such a distance if both distributions are the same.
        package let pValue: Double

        /// False when the kills did not land as planned.
        package var isAsPlanned: Bool { pValue >= Tolerances.leastSpreadProbability }
    }

    /// The triggers with kills to compare, sorted by name.
    package let fits: [Fit]

    /// Compares the planned and the realised moment of the first kill of each iteration.
    ///
    /// A worker is held at a phase or a call for its kill, and pinned kills have no spread.
    ///
    /// - Parameter rows: the rows of one policy.
    package init(_ rows: [IterationRow]) {
        fits = [TriggerKind.bytes, .time].compactMap { kind in
            let moments = rows.compactMap { Self.moments(of: $0, by: kind) }
            guard Set(moments.map(\.planned)).count > 1,
                let test = PairedKolmogorovSmirnov(
                    moments.map(\.planned), moments.map(\.realised))
            else { return nil }
            return Fit(
                trigger: kind, kills: moments.count, distance: test.statistic, pValue: test.pValue)
        }
    }

    private static func moments(
        of row: IterationRow, by kind: TriggerKind
    ) -> (planned: Double, realised: Double)? {
        guard row.trigger == kind.rawValue, row.kill == 1, !row.isSpared,
            let number = row.planned.split(separator: ":").first,
            let planned = Double(number), let realised = row.realised
        else { return nil }
        return (planned, realised)
    }

    /// The field of `summary.csv`: each trigger with its probability, such as
    /// `bytes 0.981|time 0.410`; nil when nothing could be compared.
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
        return "the \(worst.kills) kills by \(worst.trigger.rawValue) did not land where they were"
            + " planned (Kolmogorov-Smirnov distance"
            + " \(FixedPoint.text(worst.distance, decimals: 2))), so the run says nothing about the planned ones;"
            + " run it again on a quieter machine, or with a lower --bandwidth"
    }
}
