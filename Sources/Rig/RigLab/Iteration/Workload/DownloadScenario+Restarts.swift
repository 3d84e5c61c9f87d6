internal import FixtureOrigin
internal import OriginFaults
internal import RigModel

/// What a user does with a program that gives up: start it again.
extension DownloadScenario {
    private static let mostRestarts = 5
    /// How long the origin answers otherwise: wget tries twenty times, with pauses of up to ten
    /// seconds, and would take minutes for each kill.
    private static let patience = Duration.seconds(10)

    /// Runs the worker to its end, and again where it ended with an error that the origin caused.
    ///
    /// A program need not try again by itself, nor do without ranges or with a changed file at the
    /// first attempt; it must not call a wrong file done. One that still gives up is started once
    /// more when the origin answers as before, and has to do its work then. What passes by itself
    /// is not ended.
    func attended(
        _ life: WorkerRun, in folder: IterationFolder, on mount: Mount, _ monitor: WorkerMonitor
    ) async throws -> (Launch, LifeEnd?, Resumption.EarlierErrors?) {
        let recovery =
            settings.faultsAtRelaunch.isEmpty || settings.hasPassingFaults
            ? nil : Self.recovering(mount)
        defer { recovery?.cancel() }
        var errors: Resumption.EarlierErrors?
        var answers = 0
        while true {
            let end = try await life.attend(monitor) { try context.relaunching($0, in: folder) }
            let before = answers
            answers = settings.otherAnswers(mount.ledger)
            guard answers > before, end.seen.gaveUp == nil, end.death.isErrorOfItsOwn,
                (errors?.count ?? 0) < Self.mostRestarts + (settings.hasPassingFaults ? 0 : 1)
            else { return (end, nil, errors) }
            if errors?.count == Self.mostRestarts { mount.recover() }
            errors = .init(
                count: (errors?.count ?? 0) + 1,
                complaint: errors?.complaint ?? end.complaint ?? WorkerLog.tail(folder.log) ?? "")
        }
    }

    private static func recovering(_ mount: Mount) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            mount.recover()
        }
    }
}

extension LaboratorySettings {
    /// How many requests got another answer than before the kill would have had.
    fileprivate func otherAnswers(_ requests: [LedgerEntry]) -> Int {
        successors == nil ? requests.count { !$0.strikes.isEmpty } : requests.count
    }
}

extension IdleFault {
    /// Why the faults of a relaunch changed none of its answers; nil if they did, or there are none.
    init?(_ faults: [OriginFault], _ requests: [LedgerEntry]) {
        let isIdle = requests.allSatisfy { request in
            // A body that was to be cut, and was under way when the worker ended, is one that it left.
            request.strikes.isEmpty
                || request.state == .running && request.strikes.allSatisfy(\.kind.facts.breaksOff)
                    && faults.contains { $0.times != nil }
        }
        guard !faults.isEmpty, isIdle else { return nil }
        let needs = faults.map(\.kind.facts.needs)
        if needs.contains(.ifRange), requests.allSatisfy({ $0.ifRange == nil }) {
            self = .noIfRange
        } else if needs.contains(.range), requests.allSatisfy({ $0.rangeHeader == nil }) {
            self = .noRange
        } else {
            self = .notReached
        }
    }
}

extension Death {
    fileprivate var isErrorOfItsOwn: Bool {
        if case .exited(let code) = self { code != 0 && !isReportOfAShell } else { false }
    }
}
