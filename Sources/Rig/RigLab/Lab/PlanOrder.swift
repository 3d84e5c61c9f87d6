/// The order of a plan of whose iterations several are carried out at once, without threads:
/// outcomes come in the plan's order, and the first failure in that order ends the plan.
package struct PlanOrder<Outcome> {
    private let lead: Int
    private var begun = 0
    private var given = 0
    private var waiting: [Int: Result<Outcome, any Error>] = [:]
    /// The first iteration known to have failed, which ends the plan, or their number.
    package private(set) var end: Int

    /// An order of which up to `lead` outcomes may not be returned yet, and be lost with the rig.
    package init(count: Int, lead: Int) {
        precondition(lead >= 1, "nothing could ever begin")
        self.lead = lead
        end = count
    }

    package mutating func begin() -> Int? {
        guard begun < min(end, given + lead) else { return nil }
        defer { begun += 1 }
        return begun
    }

    package mutating func finish(_ index: Int, with result: Result<Outcome, any Error>) {
        precondition(
            (given..<begun).contains(index) && waiting[index] == nil,
            "an iteration is finished once, after it was begun")
        waiting[index] = result
        if case .failure = result { end = min(end, index) }
    }

    /// Returns the next result in the plan's order; nil while it is missing, and after a failure.
    package mutating func next() -> Result<Outcome, any Error>? {
        guard given <= end, let result = waiting.removeValue(forKey: given) else { return nil }
        given += 1
        return result
    }
}
