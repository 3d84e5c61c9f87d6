internal import FixtureOrigin
internal import RigModel

/// What a worker's sockets show while it lives and after its end: the black-box level (spec 2).
struct SocketLevel: Sendable {
    let sockets: SocketWatch
    /// Watches a worker that does not download from the origin; nil for all others.
    let stateWatch: StateWatch?

    private static let elsewhere = SocketReading(
        unknown: "it downloads from a source of its own, and not from the rig's origin")

    private var ledger: SocketLedger { sockets.ledger }
    private var mounts: [Mount] { sockets.mounts }

    var watch: any WorkerWatch {
        guard let stateWatch else { return sockets }
        return sockets.keepsPage ? sockets.page : stateWatch
    }

    /// True once the worker has taken all `count` distinct bytes served before the origin holds
    /// back, and waits for more; false for a worker with a source of its own.
    ///
    /// Bytes lost with a connection count as served; then nothing waits, and the worker asks again.
    func hasTakenAll(of count: Int64) -> Bool {
        mounts.reduce(0) { $0 + $1.distinctBytesServed } >= count && isHeldBack
    }

    /// True if the worker has taken all that an origin served that now holds back, and waits.
    var isHeldBack: Bool {
        stateWatch == nil && mounts.contains { $0.heldBodies > 0 } && ledger.hasNothingUnread
            && ledger.hasOpenConnection
    }

    /// What the sockets tell of a kill, once the worker is dead; nil if there was none.
    func reading(of seen: Milestones, by fault: Fault) -> SocketReading? {
        guard seen.sent else { return nil }
        if stateWatch != nil { return Self.elsewhere }
        guard fault.isPowerCut else {
            return ledger.reading(ofDead: true, killedAt: seen.moment)
        }
        return SocketReading(
            unknown: "the worker went on from the power cut until signal 9 arrived",
            activeRequests: seen.moment.flatMap { ledger.activeRequests(at: $0) })
    }

    func cut() { for mount in mounts { mount.cut() } }

    /// The positions that a worker took off its sockets until it ended; nil when not known.
    var taken: ByteRanges? { stateWatch == nil ? ledger.reading(ofDead: true).received : nil }
}
