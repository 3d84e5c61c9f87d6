/// Says when bytes may be sent so that they go out evenly at a given rate; a late sender may catch
/// up a little, so the average is right although sleeps overrun.
struct Pacer: Sendable {
    /// How late a sender may be and still catch up.
    static let patience = Duration.milliseconds(100)

    let bytesPerSecond: Double

    /// The time up to which the schedule is reserved.
    private var due: ContinuousClock.Instant

    init(bytesPerSecond: Double, startingAt now: ContinuousClock.Instant) {
        self.bytesPerSecond = bytesPerSecond
        due = now
    }

    /// How many bytes to send at a time: those of 10 ms, at least one.
    var quantum: Int { Int(max(1, min(bytesPerSecond / 100, Double(MeteredBody.bufferSize)))) }

    /// Reserves the time that some bytes need; returns when they may be sent, perhaps in the past.
    mutating func reserve(_ bytes: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant
    {
        due = max(due, now - Self.patience) + .seconds(Double(bytes) / bytesPerSecond)
        return due
    }

    /// Forgets the time during which there was nothing to send.
    mutating func restart(at now: ContinuousClock.Instant) { due = max(due, now) }
}
