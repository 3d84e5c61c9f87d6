internal import RigModel

/// What an unharmed life had received when, in seconds since its first byte.
struct ProgressCurve: Sendable {
    /// The looks at which it had so many bytes.
    private struct Step {
        let received: Int64
        let first: Double
        var last: Double
    }

    private var steps: [Step] = []

    /// Notes a look; what was received never gets less.
    mutating func note(_ received: Int64, at seconds: Double) {
        guard let last = steps.last, last.received >= received else {
            steps.append(Step(received: received, first: seconds, last: seconds))
            return
        }
        steps[steps.count - 1].last = seconds
    }

    /// When the life had received so many bytes, and no more; nil where it never had as many.
    ///
    /// It is a moment as long as bytes come, and a stretch where none do.
    func stretch(of received: Int64) -> ClosedRange<Double>? {
        guard let index = steps.firstIndex(where: { $0.received >= received }) else { return nil }
        let step = steps[index]
        guard step.received > received else { return step.first...step.last }
        guard index > 0 else { return 0...step.first }
        // In between nothing was seen: it came evenly, as far as is known.
        let before = steps[index - 1]
        let share =
            Double(received - before.received) / Double(step.received - before.received)
        let moment = before.last + share * (step.first - before.last)
        return moment...moment
    }
}

/// An uninterrupted run, from its first byte to its end.
struct UnharmedRun: Sendable {
    let seconds: Double
    let curve: ProgressCurve
}

/// What kills by the clock are timed by: the latest uninterrupted runs.
struct UnharmedPace: Sendable {
    private let runs: [UnharmedRun]
    /// The unit of the `time` trigger, the median run, in seconds; infinite when none was seen.
    let seconds: Double

    init(_ runs: [UnharmedRun]) {
        self.runs = runs
        seconds = Self.median(runs.map(\.seconds)) ?? .infinity
    }

    /// When the runs had received as much as a killed life, as a fraction of the unit.
    ///
    /// Each run tells its own moment, and their median counts: one run that waited elsewhere says
    /// nothing. Where no bytes came, they cannot tell a moment from another: then it is the one
    /// nearest to the plan, and so it is within ``Tolerances/momentSeconds``.
    ///
    /// - Parameters:
    ///   - received: the bytes that the killed life had received.
    ///   - planned: the planned fraction.
    /// - Returns: nil where no run tells.
    func fraction(atBytes received: Int64, planned: Double) -> Double? {
        guard seconds.isFinite, seconds > 0 else { return nil }
        let moments = runs.compactMap { run -> Double? in
            run.curve.stretch(of: received).map {
                let slack = Tolerances.momentSeconds
                return min(
                    max(planned * seconds, $0.lowerBound - slack), $0.upperBound + slack)
            }
        }
        return Self.median(moments).map { $0 / seconds }
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
