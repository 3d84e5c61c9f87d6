/// Says when bytes may go so that they go evenly at a rate.
///
/// Each reservation takes its time from a schedule, and is due when its last byte is. A sender who
/// comes late may catch up a little, so the average is right although sleeps overrun.
struct Pacer: Sendable {
    /// How late a sender may be and still catch up.
    static let patience = Duration.milliseconds(100)

    /// The rate; more than zero.
    let bytesPerSecond: Double

    /// The moment to which the schedule is taken.
    private var due: ContinuousClock.Instant

    /// A schedule that begins at a moment.
    init(bytesPerSecond: Double, startingAt now: ContinuousClock.Instant) {
        self.bytesPerSecond = bytesPerSecond
        due = now
    }

    /// How many bytes to send at a time: what takes 10 ms, at least one byte.
    var quantum: Int { Int(max(1, min(bytesPerSecond / 100, Double(MeteredBody.bufferSize)))) }

    /// Takes the time that some bytes need.
    ///
    /// - Parameters:
    ///   - bytes: how many bytes are to go.
    ///   - now: the moment of asking.
    /// - Returns: when they may go; may be past.
    mutating func reserve(_ bytes: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant
    {
        due = max(due, now - Self.patience) + .seconds(Double(bytes) / bytesPerSecond)
        return due
    }

    /// Forgets the time that passed while there was nothing to send.
    mutating func restart(at now: ContinuousClock.Instant) {
        due = max(due, now)
    }
}
