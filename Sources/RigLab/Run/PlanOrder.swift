/// The order of a plan whose iterations are carried out several at once.
///
/// It says which iteration may be begun next, and gives outcomes back in the plan's order, however
/// they come in: what is finished early waits. The first failure in the plan's order ends it, as it
/// would with one iteration at a time: what comes before it still counts, what comes after it does
/// not. A value that knows no threads, so that any order of events can be tried.
package struct PlanOrder<Outcome> {
    private let lead: Int
    private var begun = 0
    private var given = 0
    private var waiting: [Int: Result<Outcome, any Error>] = [:]

    /// The iteration that ends the plan: the first one that is known to have failed, or the number
    /// of iterations.
    package private(set) var end: Int

    /// An order in which nothing has begun.
    ///
    /// - Parameters:
    ///   - count: how many iterations there are.
    ///   - lead: how many iterations may be begun whose outcome is not given back yet, at least 1:
    ///     so much may be lost with the rig, and lie on disk, while one takes long.
    package init(count: Int, lead: Int) {
        precondition(lead >= 1, "nothing could ever begin")
        self.lead = lead
        end = count
    }

    /// Begins the next iteration, counted from 0; nil as long as none may be begun.
    package mutating func begin() -> Int? {
        guard begun < min(end, given + lead) else { return nil }
        defer { begun += 1 }
        return begun
    }

    /// Takes what became of an iteration that was begun.
    package mutating func finish(_ index: Int, with result: Result<Outcome, any Error>) {
        precondition(
            (given..<begun).contains(index) && waiting[index] == nil,
            "an iteration is finished once, after it was begun")
        waiting[index] = result
        if case .failure = result { end = min(end, index) }
    }

    /// Gives back what comes next in the plan's order; nil while that is missing.
    ///
    /// After a failure nothing comes any more.
    package mutating func next() -> Result<Outcome, any Error>? {
        guard given <= end, let result = waiting.removeValue(forKey: given) else { return nil }
        given += 1
        return result
    }
}
