/// What a gate's limit is a limit of.
package enum LimitKind: Sendable, Hashable {
    /// The metric itself: `<= 300KB`.
    case absolute
    /// What the metric has risen by since the baseline, in its own unit: `< +64KB vs baseline`.
    case difference
    /// The same in percent of the baseline: `< +5% vs baseline`.
    case percent

    /// True for a gate that needs a baseline.
    var needsBaseline: Bool { self != .absolute }
}
