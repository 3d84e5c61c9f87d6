internal import RigModel

/// When a worker's recovery began and how long it took: from its entry into `recovering` until it
/// knew what it had.
///
/// A worker without a page recovers from its launch until the origin has sent it its first new byte.
struct RecoveryClock: Sendable {
    /// When the recovery began; nil as long as it has not.
    private(set) var began: ContinuousClock.Instant?
    /// How long it took, in seconds; nil as long as it is not over.
    private(set) var seconds: Double?

    mutating func note(
        _ watch: any WorkerWatch, launched: ContinuousClock.Instant, hasReceived: Bool
    ) {
        guard seconds == nil else { return }
        if !watch.showsPhases {
            began = launched
            guard hasReceived else { return }
            seconds = ((watch.firstByteSent ?? .now) - launched).seconds
        } else if let began {
            if watch.knowsWhatItHas { seconds = (ContinuousClock.now - began).seconds }
        } else if watch.hasBegunToRecover {
            began = .now
        }
    }
}

/// The latest recoveries of unharmed launches, by which kills in a recovery are timed.
struct RecoveryPace: Sendable {
    /// How many recoveries count: few, so that a machine that gets slower is followed at once.
    static let latest = 3
    /// The median of the latest, in seconds; nil without one.
    let seconds: Double?

    init(_ recoveries: [Double]) { seconds = Self.median(recoveries.suffix(Self.latest)) }

    /// Seconds from the beginning of a recovery to a kill at a share of it.
    ///
    /// Where none has been measured, short waits are favoured: most recoveries take milliseconds.
    func wait(for share: Double) -> Double {
        seconds.map { share * $0 } ?? share * share * share * KillPlan.longestRecoverySeconds
    }

    /// How much of a recovery had passed so many seconds after it began; nil if none was measured.
    ///
    /// Measured by the recoveries of the same iteration, so that a kill by a clock that no longer
    /// fits the machine shows. Differences up to ``Tolerances/momentSeconds`` do not count.
    func share(at elapsed: Double, planned: Double) -> Double? {
        guard let seconds, seconds > 0 else { return nil }
        let slack = Tolerances.momentSeconds
        return min(max(planned * seconds, elapsed - slack), elapsed + slack) / seconds
    }

    private static func median(_ values: some Collection<Double>) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
