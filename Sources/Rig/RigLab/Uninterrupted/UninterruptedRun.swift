internal import RigModel

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
        let share =
            Double(received - before.received) / Double(step.received - before.received)
        let moment = before.last + share * (step.first - before.last)
        return moment...moment
    }
}

/// An uninterrupted run, from its first byte to its end.
struct UninterruptedRun: Sendable {
    let seconds: Double
    let curve: ProgressCurve
    /// From the last byte to the end of the process, in seconds; nil where the last byte was not
    /// seen.
    var endingSeconds: Double?
    /// From the launch to the first byte, in seconds; nil where that was not observed.
    var startSeconds: Double?
}

/// The latest uninterrupted runs, by which kills of the `time` trigger are timed.
struct UninterruptedPace: Sendable {
    private let runs: [UninterruptedRun]
    /// The unit of the `time` trigger: the median run, in seconds; infinite without a run.
    ///
    /// A run whose first byte and end were seen in one look tells no pace, and is left out.
    let seconds: Double
    /// The median time between the last byte and the end of the process, in seconds; nil if unknown.
    private(set) var endingSeconds: Double?
    /// The recoveries of relaunches that were not killed.
    let recoveries: RecoveryPace

    /// - Parameter endings: how long the ends took that came before a kill at the end: where there
    ///   are any, they tell more than runs of which the last byte was not held back.
    init(_ runs: [UninterruptedRun], recoveries: [Double] = [], endings: [Double] = []) {
        self.runs = runs
        self.recoveries = RecoveryPace(recoveries)
        seconds = Self.median(runs.map(\.seconds).filter { $0 > 0 }) ?? .infinity
        endingSeconds = Self.median(endings.isEmpty ? runs.compactMap(\.endingSeconds) : endings)
    }

    /// Lets kills at the end come earlier, by a share of its time.
    mutating func bringEndForward(by share: Double) {
        endingSeconds = endingSeconds.map { $0 * (1 - share) }
    }

    /// When the runs had received as many bytes as a killed life, as a fraction of the unit.
    ///
    /// Each run gives its own moment, and the median counts, so one run that stalled elsewhere does
    /// not matter. While no bytes came, a run cannot tell one moment from another: the moment
    /// nearest to the plan is used. Differences up to ``Tolerances/momentSeconds`` do not count.
    ///
    /// - Parameter received: the bytes that the killed life had received.
    /// - Returns: nil if no run received as many bytes.
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
