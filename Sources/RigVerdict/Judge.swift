package import RigModel

/// What the evidence of one kill shows.
package struct Judgement: Sendable, Hashable {
    /// What was judged.
    package let evidence: IterationEvidence
    /// Its figures.
    package let figures: Measurements
    /// What is wrong, in the order of ``Checker``.
    package let findings: [Finding]
    /// The checkers that apply, found nothing, and lacked the evidence to look; none for a kill that
    /// proves nothing.
    package let notJudged: Set<Checker>
    /// Pass, fail, or inconclusive.
    package let verdict: Verdict
    /// Why the verdict is what it is, always on one line.
    ///
    /// Empty for a pass in which all was judged that was promised, and `not judged: …` where not all
    /// could be; `checker: detail; checker: detail` for a failure; else why the kill proves nothing.
    package let reason: String

    /// The row of `iterations.csv` that records this kill.
    ///
    /// - Parameters:
    ///   - runID: the run's name.
    ///   - worker: the worker profile's name.
    ///   - workload: the workload's name.
    /// - Returns: the row; what is not known stays nil.
    package func row(runID: String, worker: String, workload: String) -> IterationRow {
        var row = IterationRow(
            runID: runID, plan: evidence.plan, kill: evidence.kill, worker: worker,
            workload: workload, fault: evidence.fault, verdict: verdict, reason: reason)
        let usable = figures.witness
        row.phase = usable?.phase
        row.realised = realised
        row.killSeconds = Self.seconds(evidence.killSeconds)
        row.servedBytes =
            evidence.contract.asksOrigin
            ? evidence.requests.reduce(0) { $0 + $1.servedBytes } : nil
        row.receivedBytes = figures.received?.count
        row.acknowledgedBytes = figures.acknowledged?.count
        row.recoveredBytes = figures.recovered?.count
        row.lostBytes = figures.lost?.count
        row.lossPercent = figures.lossPercent.map {
            FixedPoint.rounded($0, decimals: IterationRow.percentDecimals)
        }
        row.boundBytes = figures.bound
        if let lost = figures.lost, let bound = figures.bound {
            row.boundOK = lost.count <= bound
        }
        row.corruptBytes = figures.corruptBytes
        if evidence.autopsy != nil {
            row.integrity = IntegrityChecker.details(evidence, figures).isEmpty
        }
        row.chunks = evidence.autopsy?.chunks.count
        row.commits = usable?.commits
        row.activeRequests = figures.activeRequests
        row.refetchedBytes = figures.refetched?.count
        row.checkers = Set(findings.map(\.checker))
        row.notJudged = notJudged
        row.attempts = evidence.attempts
        row.recoverySeconds = Self.seconds(evidence.resumption?.recoverySeconds)
        row.resumeSeconds = Self.seconds(evidence.resumption?.resumeSeconds)
        return row
    }

    /// Where the kill landed, in the unit of its plan.
    private var realised: Double? {
        guard evidence.killSent else { return nil }
        return switch evidence.planned.trigger.kind {
        case .bytes: figures.receivedNow.map { Double($0.count) }
        case .time:
            evidence.killProgress.map {
                FixedPoint.rounded($0, decimals: IterationRow.momentDecimals)
            }
        case .phase, .syscall, .random: nil
        }
    }

    /// A time as a row has it, so that a run shows the same when its rows are read again.
    private static func seconds(_ value: Double?) -> Double? {
        value.map { FixedPoint.rounded($0, decimals: IterationRow.secondsDecimals) }
    }
}

/// Compares the evidence of one kill with what was promised.
package enum Judge {
    /// The version of what a row says.
    ///
    /// Raised whenever the same kill may get another row, because a checker, a figure or the moment
    /// of a kill is another. Figures that the documentation quotes come from runs of this version
    /// (`harness/ci/figures`).
    package static let version = 3

    /// Judges one kill.
    ///
    /// A kill that landed too early, too late, or was not the rig's proves nothing about what it
    /// cost. But bytes that are wrong, acknowledged bytes that are gone, a relaunched worker that does
    /// not finish, and lives that crash, exit or hang by themselves are excused by no circumstances of
    /// the kill: they make the iteration a failure even then.
    ///
    /// What cannot be known of a worker is not judged. Which checkers apply follows from the workload
    /// and the policy; one that lacks its evidence finds nothing, and the judgement names it, be it a
    /// pass or a failure.
    ///
    /// Under `disabled` nothing is promised about what is kept, so only the null control (B2),
    /// durability, integrity, the ledger and completion are judged.
    ///
    /// - Parameter evidence: everything observed.
    /// - Returns: figures, findings and verdict.
    package static func judge(_ evidence: IterationEvidence) -> Judgement {
        let figures = Measurements(evidence)
        let inconclusive = Inconclusive.reason(evidence, figures)
        let findings =
            inconclusive == nil
            ? checkers(for: evidence).flatMap { $0.findings(evidence, figures) }
            : inexcusable(evidence, figures) + withoutAKill(evidence, figures)
        // What was found counts even where what the kill cost stays in the dark.
        let obscurity =
            inconclusive ?? Inconclusive.outsideReason(evidence)
            ?? Inconclusive.chainReason(evidence, figures)
        let verdict: Verdict =
            findings.isEmpty ? (obscurity == nil ? .pass : .inconclusive) : .fail
        let found = Set(findings.map(\.checker))
        let notJudged =
            verdict == .inconclusive
            ? []
            : checkers(for: evidence).filter { $0.lacksEvidence(evidence, figures) }
                .map { $0.checker }.filter { !found.contains($0) }
        let reason =
            findings.isEmpty
            ? [
                Wording.oneLine(obscurity ?? NotJudged.reason(evidence, figures) ?? ""),
                StaleChecker.note(evidence) ?? "",
            ].filter { !$0.isEmpty }.joined(separator: RowReason.separator)
            : findings.map { "\($0.checker.rawValue): \($0.detail)" }.joined(separator: "; ")
        return Judgement(
            evidence: evidence, figures: figures, findings: findings,
            notJudged: Set(notJudged), verdict: verdict, reason: reason)
    }

    /// The checkers that apply to a kill, in the order of ``Checker``.
    ///
    /// A list that is replaced has no ranges, no threshold at which it is saved, and is fetched
    /// again whatever is there; what holds for it instead is the library checker's.
    static func checkers(for evidence: IterationEvidence) -> [any EvidenceChecker.Type] {
        work(of: evidence) + [
            CrashChecker.self, ExitChecker.self, HangChecker.self, LeftoverChecker.self,
        ]
    }

    /// Those that look at what the worker did.
    private static func work(of evidence: IterationEvidence) -> [any EvidenceChecker.Type] {
        let player: [any EvidenceChecker.Type] =
            evidence.workload.hasPlayer ? [DeliveryChecker.self, OfflineChecker.self] : []
        let sharing: [any EvidenceChecker.Type] =
            evidence.workload.hasPlayer ? [DuplicatesChecker.self] : []
        guard evidence.workload != .offlineLibrary else {
            return [
                BoundChecker.self, DurabilityChecker.self, IntegrityChecker.self,
                LedgerChecker.self, AgreementChecker.self, UnearnedChecker.self,
                CompletionChecker.self, LibraryChecker.self,
            ]
        }
        // A worker that does not save by the threshold does not know what `disabled` means.
        guard evidence.plan.policy.threshold != nil || !evidence.contract.isByThreshold else {
            return [
                NullControlChecker.self, DurabilityChecker.self, IntegrityChecker.self,
                LedgerChecker.self, AgreementChecker.self, UnearnedChecker.self,
            ] + sharing + [CompletionChecker.self, StitchedChecker.self, StaleChecker.self] + player
        }
        return [
            BoundChecker.self, DurabilityChecker.self, IntegrityChecker.self, LedgerChecker.self,
            AgreementChecker.self, UnearnedChecker.self,
        ] + sharing + [
            RangesChecker.self, EvictionChecker.self, CommitsChecker.self, ResumptionChecker.self,
            CompletionChecker.self, StitchedChecker.self, StaleChecker.self,
        ] + player
    }

    /// Whether nothing is wrong with evidence: one of which that holds, and in which the kill did not
    /// come, may be begun anew.
    package static func isSound(_ evidence: IterationEvidence) -> Bool {
        judge(evidence).findings.isEmpty
    }

    /// What needs no kill to be judged, of a worker that did all of its work before one came.
    private static func withoutAKill(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [Finding] {
        guard !evidence.killSent, evidence.death == evidence.unharmedDeath else { return [] }
        let needed: Set<Checker> = [.ledger, .agreement, .duplicates, .commits, .resumption]
        let page = LedgerChecker.pageFault(figures)
        return checkers(for: evidence).filter { needed.contains($0.checker) }
            .flatMap { $0.findings(evidence, figures) }
            // That of the page stands among those which nothing excuses.
            .filter { $0.checker != .ledger || $0.detail != page }
    }

    /// Findings that count whatever became of the kill.
    private static func inexcusable(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [Finding] {
        let completed =
            evidence.resumption == nil ? [] : CompletionChecker.findings(evidence, figures)
        let versions =
            StitchedChecker.findings(evidence, figures) + StaleChecker.findings(evidence, figures)
        let page = LedgerChecker.pageFault(figures).map { Finding(checker: .ledger, detail: $0) }
        let delivered = DeliveryChecker.wrongBytes(evidence)
            .map { Finding(checker: .delivery, detail: $0) }
        return DurabilityChecker.findings(evidence, figures)
            + IntegrityChecker.findings(evidence, figures)
            + [page].compactMap(\.self) + UnearnedChecker.findings(evidence, figures) + completed
            + versions + [delivered].compactMap(\.self)
            + LibraryChecker.inexcusable(evidence)
            .map { Finding(checker: .library, detail: Wording.oneLine($0)) }
            + CrashChecker.findings(evidence, figures) + ExitChecker.findings(evidence, figures)
            + HangChecker.findings(evidence, figures)
            + LeftoverChecker.findings(evidence, figures)
    }
}
