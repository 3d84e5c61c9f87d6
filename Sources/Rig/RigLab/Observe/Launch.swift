internal import RigModel

/// One launch of a worker, once it is over.
struct Launch: Sendable {
    /// How the worker ended; for a server with a client, the death by which the launch is judged.
    var death: Death
    var seen: Milestones
    /// What went wrong with a server; nil where its client's end tells everything.
    var complaint: String?
    /// Why the rig ended it before it could be watched; nil where it did not.
    var neverReady: String?
    /// Processes that the out-of-memory killer killed meanwhile; nil when not known.
    var memoryKills: Int?
    /// The processes that survived the kill; empty where there was none.
    var outlived: [String] = []
    /// When it had been reaped, before the search for processes that are left.
    var ended: ContinuousClock.Instant?
    /// The calls counted until the kill; nil unless that is planned by calls.
    var calls: CountedCalls?
}

/// What was seen of a launch, by the seconds since it began, and how the rig ended it.
struct Milestones: Sendable {
    /// When the process was launched; nil where that was not observed.
    var launched: ContinuousClock.Instant?
    /// It had examined its state.
    var recovered: Double?
    var recovery = RecoveryClock()
    /// The origin had sent the first byte, which has been received; nil for a worker that was to be
    /// killed, and was not.
    var firstByte: Double?
    /// How many bytes had been received when, since the first byte.
    var curve = ProgressCurve()
    var lastLook: Double?
    /// Every byte of the video was acknowledged.
    var complete: Double?
    /// It had ended, or its work was done.
    var over: Double?
    /// What it had acknowledged when it was asked to end; nil when it was not asked.
    var acknowledgedWhenAsked: ByteRanges?
    /// True where the rig's kill found it alive.
    var sent = false
    var killSeconds: Double?
    /// Seconds from the first byte, when the origin sent it, to the kill or to the end of the work;
    /// nil as long as none was received.
    var secondsSinceFirstByte: Double?
    /// Of a kill at the end: seconds from the last byte to it, or to the worker's own end.
    var endingSeconds: Double?
    var moment: ContinuousClock.Instant?
    var asked: AskedEnd?
    /// What the killed process had cost; nil where nothing tells.
    var cost: LaunchCost?
    /// Why the rig gave up on the worker and ended it; nil when it did not.
    var gaveUp: StallDetector.End?
    /// True when it did not end in time once it was asked to.
    var wasForced = false
    /// True where the origin withheld what the worker was waiting for when it was given up.
    var wasHeldBack = false
    /// What a player received meanwhile; nil without one.
    var delivery: Delivery?

    var wasAsked: Bool { acknowledgedWhenAsked != nil }

    /// What the rig itself did that may have ended the launch before its kill; nil for nothing.
    var excuse: String? {
        gaveUp == .stalled && wasHeldBack
            ? "the worker waited for what the origin held back, and no kill came" : nil
    }

    /// Seconds from the beginning of the recovery to a kill in it; nil without one.
    var secondsOfRecovery: Double? {
        guard let moment, let began = recovery.began, recovery.seconds == nil else { return nil }
        return (moment - began).seconds
    }

    /// The moment of the kill as a fraction of an uninterrupted run; nil when not known.
    func fraction(of uninterruptedSeconds: Double) -> Double? {
        guard sent, uninterruptedSeconds.isFinite else { return nil }
        return secondsSinceFirstByte.map { $0 / uninterruptedSeconds }
    }

    /// When so many seconds had passed since the launch; nil where either is not known.
    func moment(_ seconds: Double?) -> ContinuousClock.Instant? {
        guard let launched, let seconds else { return nil }
        return launched + .seconds(seconds)
    }
}
