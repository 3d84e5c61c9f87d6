package enum LimitKind: Sendable, Hashable {
    /// The metric itself: `<= 300KB`.
    case absolute
    /// The metric's rise since the baseline, in its own unit: `< +64KB vs baseline`.
    case difference
    /// The metric's rise in percent of the baseline: `< +5% vs baseline`.
    case percent

    var needsBaseline: Bool { self != .absolute }
}

package enum GateReference: String, Sendable, Hashable, CaseIterable {
    case baseline
    case history
}
