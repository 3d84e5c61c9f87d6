internal import RigModel

struct UninterruptedRun: Sendable {
    let seconds: Double
    let curve: ProgressCurve
    /// From the last byte to the end of the process, in seconds; nil where it was not seen.
    var endingSeconds: Double?
    /// From the launch to the first byte, in seconds; nil where that was not observed.
    var startSeconds: Double?
    /// The lines that the program said; 0 for one that says nothing by lines.
    var lines = 0
    /// How much of the run, from its launch on, had passed at the first of them; nil without one.
    var firstLineShare: Double?
}

/// The latest uninterrupted runs, by which kills of the `time` trigger are timed.
struct UninterruptedPace: Sendable {
    private let runs: [UninterruptedRun]
    /// The unit of the `time` trigger: the median run, in seconds, of those whose first byte and
    /// end were not seen in one look; infinite without any.
    let seconds: Double
    /// The median time between the last byte and the end of the process, in seconds; nil if unknown.
    private(set) var endingSeconds: Double?
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

    /// When the runs had received as many bytes as a killed launch, as a fraction of the unit, by
    /// the median; nil if no run received as many.
    ///
    /// While no bytes came, a run cannot tell one moment from another: that nearest to the plan is
    /// used, and differences up to ``Tolerances/momentSeconds`` do not count.
    func fraction(atBytes received: Int64, planned: Double) -> Double? {
        guard seconds.isFinite, seconds > 0 else { return nil }
        let moments = runs.compactMap { run -> Double? in
            run.curve.stretch(of: received).map {
                let slack = Tolerances.momentSeconds
                return min(max(planned * seconds, $0.lowerBound - slack), $0.upperBound + slack)
            }
        }
        return Self.median(moments).map { $0 / seconds }
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
