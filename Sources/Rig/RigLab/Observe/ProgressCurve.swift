/// How much an unharmed life had received when, in seconds since its first byte.
struct ProgressCurve: Sendable {
    /// The looks that showed the same number of bytes.
    private struct Step {
        let received: Int64
        let first: Double
        var last: Double
    }

    private var steps: [Step] = []

    /// Notes a look; the number of bytes received never decreases.
    mutating func note(_ received: Int64, at seconds: Double) {
        guard let last = steps.last, last.received >= received else {
            steps.append(Step(received: received, first: seconds, last: seconds))
            return
        }
        steps[steps.count - 1].last = seconds
    }

    /// When the life had received exactly so many bytes; nil if it never received as many.
    ///
    /// The result is a single moment while bytes arrive, and a range while none do.
    func stretch(of received: Int64) -> ClosedRange<Double>? {
        guard let index = steps.firstIndex(where: { $0.received >= received }) else { return nil }
        let step = steps[index]
        guard step.received > received else { return step.first...step.last }
        guard index > 0 else { return 0...step.first }
        // Between two looks nothing is known, so a constant rate is assumed.
        let before = steps[index - 1]
        let share = Double(received - before.received) / Double(step.received - before.received)
        let moment = before.last + share * (step.first - before.last)
        return moment...moment
    }
}
