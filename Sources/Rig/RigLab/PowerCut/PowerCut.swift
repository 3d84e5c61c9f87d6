internal import Glibc
internal import RigModel
internal import Synchronization
internal import Witness

/// The power cut that goes with the kill of one life; without a volume there is only the kill.
///
/// The witness page is read right before the cut. What the worker has acknowledged by then must
/// survive the cut, so that reading is the evidence: a thread may run on for microseconds until
/// signal 9 arrives. The worker is not stopped first, so that a thread inside fsync is cut inside
/// fsync; except before some cuts, by the seed, which come when nothing has happened for a while.
final class PowerCut: Sendable {
    private let volume: PowerCutVolume?
    let writeback: EarlyWriteback?
    private let witness: WitnessWatch
    private let moment = Mutex<Moment?>(nil)
    private let isArmed = Atomic(false)
    private let isIdle: Bool

    /// How long nothing happens before an idle cut: longer than the five seconds after which the kernel
    /// commits its journal, and much shorter than the thirty after which it writes data.
    static let idleSeconds = 6.0
    /// The share of cuts that are idle: each takes its time.
    private static let idleShare = 1.0 / 16

    private struct Moment: Sendable {
        let page: Result<WitnessReading, WitnessGap>
        let records: [WitnessRecord]
        var failure: (any Error)?
    }

    /// The power cut of the volume, where there is one; the seed decides what is written early.
    init(
        of volume: PowerCutVolume?, iterationSeed: UInt64, kill: Int,
        uninterruptedSeconds: Double, watching witness: WitnessWatch
    ) {
        (self.volume, self.witness) = (volume, witness)
        isIdle = Self.isIdle(iterationSeed: iterationSeed, kill: kill)
        writeback = volume.map {
            EarlyWriteback(
                of: $0.state, iterationSeed: iterationSeed, kill: kill,
                uninterruptedSeconds: uninterruptedSeconds)
        }
    }

    /// Whether the worker stands still for a while before the cut.
    static func isIdle(iterationSeed: UInt64, kill: Int) -> Bool {
        var random = SplitMix64(seed: iterationSeed ^ 0x6964_6c65_5f63_7574 &+ UInt64(kill))
        return random.unit() < idleShare
    }

    // Where an error came before the cut: what is open there would keep the volume mounted.
    deinit { writeback?.finish() }

    /// The worker, whose kill now begins with the power cut.
    func arming(_ worker: LivingWorker) -> LivingWorker {
        guard let volume else { return worker }
        isArmed.store(true, ordering: .releasing)
        writeback?.start()
        var armed = worker
        armed.kill = {
            self.cut(volume, under: worker.processID)
            worker.kill()
        }
        return armed
    }

    private func cut(_ volume: PowerCutVolume, under group: pid_t) {
        moment.withLock { moment in
            // When a kill is repeated, the first cut and its reading of the page stay.
            guard moment == nil else { return }
            if isIdle {
                writeback?.stop()
                Glibc.kill(-group, SIGSTOP)
                Pause.seconds(Self.idleSeconds)
            }
            moment = Moment(page: witness.look(), records: witness.records)
            writeback?.stop()
            do {
                try volume.cut()
            } catch {
                moment?.failure = error
            }
        }
    }

    /// Mounts what the cut has left; call it once the worker is dead, whatever it died of.
    func restore() throws {
        guard let volume else { return }
        writeback?.finish()
        // A kill that bypasses the volume loses nothing, and would pass for a survived power cut.
        try RigError.require(
            isArmed.load(ordering: .acquiring), .failure,
            "the worker was killed without cutting its power; use another --trigger")
        guard let moment = moment.withLock({ $0 }) else { return }
        if let failure = moment.failure { throw failure }
        try volume.remount()
    }

    /// The page at the moment of the cut, or as the dead worker left it where there was none.
    var page: Result<WitnessReading, WitnessGap> { moment.withLock { $0?.page } ?? witness.look() }

    var records: [WitnessRecord] { moment.withLock { $0?.records } ?? witness.records }
}
