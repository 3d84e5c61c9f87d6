internal import RigModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Stops a worker with all its processes, reads its sockets, and leaves it stopped.
///
/// Where the worker keeps a page as well, the two are looked at together: a read that has left the
/// kernel and not yet reached the page, microseconds later, is in one of them only. The worker is
/// then let go for a moment and stopped again, so that its kill lands where they can be compared.
struct StopAndRead: Sendable {
    let ledger: SocketLedger
    /// The positions that the worker's page calls received; nil where it has written none.
    var page: @Sendable () -> ByteRanges? = { nil }
    /// True for a worker that the rig holds at a place: it may be held between a read and the note.
    var isHeld: @Sendable () -> Bool = { false }

    /// How often a worker is stopped until the two agree.
    private static let attempts = 50
    /// How long a worker goes on in between, in seconds: from the least to the most, twice as long
    /// each time, because on a busy machine it may get no processor meanwhile.
    private static let breath = (least: 0.000_05, most: 0.002)
    /// How many seconds its processes may take to stop: each thread has to get a processor for it,
    /// or to come back from a slow call of the disk's.
    private static let stopPatience = 2.0

    /// Stops the worker and reads.
    ///
    /// - Parameter worker: a worker that runs, in a process group of its own.
    /// - Returns: what it had taken off its sockets when it was stopped; where it and its page do not
    ///   come to agree, that is for a checker to find.
    func look(_ worker: LivingWorker) -> SocketReading {
        let group = ProcessGroup(id: worker.processID)
        let began = ContinuousClock.now
        var seconds: Double { (ContinuousClock.now - began).seconds }
        var attempt = 0
        var breath = Self.breath.least
        while true {
            attempt += 1
            guard Self.stop(group) else {
                return SocketReading(
                    unknown: "the worker did not stop when it was told to", stoppedSeconds: seconds)
            }
            let reading = ledger.reading()
            let mayTryAgain = attempt < Self.attempts
            switch reading {
            case .known(let received, let activeRequests):
                if let page = page(), page != received {
                    if mayTryAgain { break }
                    if isHeld() { return Self.heldBetween(seconds) }
                }
                return SocketReading(
                    received: received, activeRequests: activeRequests, stoppedSeconds: seconds)
            case .unsettled(let reason):
                if mayTryAgain { break }
                return SocketReading(unknown: reason, stoppedSeconds: seconds)
            case .lost(let reason), .unknown(let reason):
                return SocketReading(unknown: reason, stoppedSeconds: seconds)
            }
            group.send(SIGCONT)
            Pause.seconds(breath)
            breath = min(2 * breath, Self.breath.most)
        }
    }

    /// The reading of a worker whose page lags behind because the rig holds it.
    private static func heldBetween(_ seconds: Double) -> SocketReading {
        SocketReading(
            unknown: "the worker was held between a read and its page's note of it",
            stoppedSeconds: seconds)
    }

    /// Stops every process of a group, and waits until each of their threads is.
    private static func stop(_ group: ProcessGroup) -> Bool {
        group.send(SIGSTOP)
        let deadline = ContinuousClock.now + .seconds(stopPatience)
        // Nobody joins a group whose processes are all about to stop.
        let members = group.members
        while !ProcessGroup.areStopped(members) {
            guard ContinuousClock.now < deadline else { return false }
            Pause.seconds(0.000_02)
        }
        return !members.isEmpty
    }
}
