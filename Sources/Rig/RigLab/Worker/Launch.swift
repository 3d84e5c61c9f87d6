internal import RigModel

/// One launch of a worker, once it is over.
struct Launch<Observed: Sendable>: Sendable {
    /// How the worker ended; for a server with a client, the death by which the launch is judged.
    var death: Death
    var observed: Observed
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
}
