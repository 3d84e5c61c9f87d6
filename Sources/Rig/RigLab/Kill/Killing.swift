internal import RigModel
internal import Synchronization

/// How a worker is killed at the planned moment: by the controller, or by the tracer where the
/// moment is a system call.
final class Killing: Sendable {
    private let context: IterationContext
    private let folder: IterationFolder
    private let kill: Int
    private let tracing: Tracing?
    private let moment: CallMoment?
    private let counted = Mutex<CountedCalls?>(nil)

    init(
        context: IterationContext, folder: IterationFolder, kill: Int, tracing: Tracing? = nil,
        moment: CallMoment? = nil
    ) {
        self.context = context
        self.folder = folder
        self.kill = kill
        self.tracing = tracing
        self.moment = moment
    }

    /// The calls counted in the life; nil unless the kill is planned by them.
    var calls: CountedCalls? { counted.withLock { $0 } }

    /// The worker's command, under the tracer where it is needed.
    func command(_ worker: [String]) throws -> [String] {
        try tracing?.command(worker) ?? context.recording(worker, in: folder, kill: kill)
    }

    /// Blocks until the worker is killed or has ended.
    func killWorker(
        _ worker: LivingWorker, by controller: KillController,
        arming: @Sendable (LivingWorker) -> LivingWorker
    ) -> KillOutcome {
        let armed = arming(worker)
        var killOutcome = controller.killWorker(armed)
        guard let tracing, let moment else { return killOutcome }
        let seconds = (ContinuousClock.now - worker.launched).seconds
        let report = try? tracing.report
        if let report, report.isKilled(at: moment) {
            killOutcome.sent = true
            killOutcome.killSeconds = seconds
            killOutcome.moment = .now
            // The worker is dead: what is left of the kill is its power cut.
            armed.kill()
        }
        counted.withLock { $0 = report?.calls }
        return killOutcome
    }
}
