/// Chooses the rows whose state is kept: it is large, and those of one kind show the same.
package struct KeptStates {
    package static let perKind = 3

    private let choice: EvidenceChoice
    private var counts: [String: Int] = [:]

    package init(_ choice: EvidenceChoice) { self.choice = choice }

    package mutating func keeps(_ row: IterationRow) -> Bool {
        guard row.verdict != .pass else { return false }
        let kind = "\(row.policy) \(row.verdict.rawValue) \(ReasonKind.of(row.reason))"
        counts[kind, default: 0] += 1
        return choice == .all || counts[kind, default: 0] <= Self.perKind
    }
}
