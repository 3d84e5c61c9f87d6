internal import FixtureOrigin
internal import RigModel

/// What a user does with a program that gives up: start it again.
extension DownloadScenario {
    /// How often a program that gives up at a fault is started again, as its user would.
    private static let mostRestarts = 5

    /// Runs the worker to its end, and again where it ended with an error that the origin caused.
    ///
    /// A program need not try again by itself; what it must not do is to call a wrong file done.
    func attended(
        _ life: WorkerRun, on mount: Mount, _ monitor: WorkerMonitor
    ) async throws -> WorkerRun.End<Milestones> {
        var (strikes, restarts) = (0, 0)
        while true {
            let end = try await life.attend(monitor)
            let before = strikes
            strikes = mount.ledger.count { !$0.strikes.isEmpty }
            guard settings.hasPassingFaults, restarts < Self.mostRestarts, strikes > before,
                end.observed.end == nil, end.death.isErrorOfItsOwn
            else { return end }
            restarts += 1
        }
    }
}

extension Death {
    /// True for an exit code by which a program says that it has failed.
    fileprivate var isErrorOfItsOwn: Bool {
        if case .exited(let code) = self { code != 0 && !isReportOfAShell } else { false }
    }
}
