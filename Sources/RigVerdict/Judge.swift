package import RigModel

/// What the evidence of one kill shows.
package struct Judgement: Sendable, Hashable {
    /// What was judged.
    package let evidence: IterationEvidence
    /// Its figures.
    package let figures: Measurements
    /// What is wrong, in the order of ``Checker``.
    package let findings: [Finding]
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
        row.recoverySeconds = Self.seconds(evidence.resumption?.recoverySeconds)
        row.resumeSeconds = Self.seconds(evidence.resumption?.resumeSeconds)
        return row
    }

    /// A time as a row has it, so that a run shows the same when its rows are read again.
    private static func seconds(_ value: Double?) -> Double? {
        value.map { FixedPoint.rounded($0, decimals: IterationRow.secondsDecimals) }
    }
}

/// Compares the evidence of one kill with what was promised.
package enum Judge {
    /// Judges one kill.
    ///
    /// A kill that landed too early, too late, or was not the rig's proves nothing about what it
    /// cost. But bytes that are wrong and acknowledged bytes that are gone are excused by no
    /// circumstances of the kill: they make the iteration a failure even then.
    ///
    /// What cannot be known of a worker is not judged: a pass says so. Which checkers apply follows
    /// from what its profile offers and promises; a checker without its evidence finds nothing.
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
            : inexcusable(evidence, figures)
        // What was found counts even where what the kill cost stays in the dark.
        let obscurity = inconclusive ?? Inconclusive.chainReason(evidence, figures)
        let verdict: Verdict =
            findings.isEmpty ? (obscurity == nil ? .pass : .inconclusive) : .fail
        let reason =
            findings.isEmpty
            ? Wording.oneLine(obscurity ?? NotJudged.reason(evidence, figures) ?? "")
            : findings.map { "\($0.checker.rawValue): \($0.detail)" }.joined(separator: "; ")
        return Judgement(
            evidence: evidence, figures: figures, findings: findings, verdict: verdict,
            reason: reason)
    }

    /// The checkers that apply to a kill, in the order of ``Checker``.
    ///
    /// A list that is replaced has no ranges, no threshold at which it is saved, and is fetched
    /// again whatever is there; what holds for it instead is the library checker's.
    static func checkers(for evidence: IterationEvidence) -> [any EvidenceChecker.Type] {
        let player: [any EvidenceChecker.Type] =
            evidence.workload.hasPlayer ? [DeliveryChecker.self, OfflineChecker.self] : []
        let sharing: [any EvidenceChecker.Type] =
            evidence.workload.hasPlayer ? [DuplicatesChecker.self] : []
        guard evidence.workload != .offlineLibrary else {
            return [
                BoundChecker.self, DurabilityChecker.self, IntegrityChecker.self,
                LedgerChecker.self, CompletionChecker.self, LibraryChecker.self,
            ]
        }
        // A worker that does not save by the threshold does not know what `disabled` means.
        guard evidence.plan.policy.threshold != nil || !evidence.contract.isByThreshold else {
            return [
                NullControlChecker.self, DurabilityChecker.self, IntegrityChecker.self,
                LedgerChecker.self, AgreementChecker.self,
            ] + sharing + [CompletionChecker.self, StitchedChecker.self] + player
        }
        return [
            BoundChecker.self, DurabilityChecker.self, IntegrityChecker.self, LedgerChecker.self,
            AgreementChecker.self,
        ] + sharing + [
            RangesChecker.self, EvictionChecker.self, CommitsChecker.self, ResumptionChecker.self,
            CompletionChecker.self, StitchedChecker.self,
        ] + player
    }

    /// Findings that count whatever became of the kill.
    private static func inexcusable(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [Finding] {
        let completed = CompletionChecker.wrongBytes(evidence)
            .map { Finding(checker: .completion, detail: $0) }
        let stitched = StitchedChecker.inexcusable(evidence, figures)
        let delivered = DeliveryChecker.wrongBytes(evidence)
            .map { Finding(checker: .delivery, detail: $0) }
        return DurabilityChecker.findings(evidence, figures)
            + IntegrityChecker.findings(evidence, figures)
            + [completed].compactMap(\.self) + stitched + [delivered].compactMap(\.self)
            + LibraryChecker.inexcusable(evidence)
            .map { Finding(checker: .library, detail: Wording.oneLine($0)) }
    }
}
