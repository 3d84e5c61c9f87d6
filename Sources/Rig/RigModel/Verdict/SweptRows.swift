extension Sequence<IterationRow> {
    /// How much of their sweeps was tried, together; nil where no states were swept.
    package var sweep: SweepCoverage? {
        let sweeps = compactMap { row in
            row.sweepCases.map { SweepCoverage(cases: $0, tried: row.sweepTried ?? 0) }
        }
        guard !sweeps.isEmpty else { return nil }
        return SweepCoverage(
            cases: sweeps.reduce(0) { $0 + $1.cases }, tried: sweeps.reduce(0) { $0 + $1.tried })
    }
}
