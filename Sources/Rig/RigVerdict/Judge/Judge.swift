package import RigModel

package struct Judgement: Sendable, Hashable {
    package let evidence: IterationEvidence
    package let figures: Measurements
    /// The findings, in the order of ``Checker``.
    package let findings: [Finding]
    /// The checkers that apply, found nothing, and lacked evidence; empty for an inconclusive kill.
    package let notJudged: Set<Checker>
    package let verdict: Verdict
    /// One line: for a pass `not judged: …`, for a failure `checker: detail; …`.
    package let reason: String

    /// The row of `iterations.csv` that records this kill, as it is read again from the file.
    package func row(runID: String, worker: String, workload: String) -> IterationRow {
        var row = IterationRow(
            runID: runID, plan: evidence.plan, kill: evidence.kill, worker: worker.storable,
            workload: workload, fault: evidence.fault, verdict: verdict, reason: reason.storable)
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
        row.boundOK = figures.isWithinBounds
        row.corruptBytes = figures.corruptBytes
        if evidence.autopsy != nil {
            let kill = JudgedKill(evidence, figures: figures)
            row.integrity = EvidenceChecker.integrity.details(kill).isEmpty
        }
        row.chunks = evidence.autopsy?.chunks.count
        row.commits = usable?.commits
        row.activeRequests = figures.activeRequests
        row.refetchedBytes = figures.refetched?.count
        row.checkers = Set(findings.map(\.checker))
        row.notJudged = notJudged
        row.attempts = evidence.livesBegun
        row.crashStates = evidence.crashStates
        row.sweepCases = evidence.sweep?.cases
        row.sweepTried = evidence.sweep?.tried
        row.graceSeconds = Self.seconds(evidence.asked?.graceSeconds)
        row.endSeconds = evidence.endedWhenAsked ? Self.seconds(evidence.asked?.seconds) : nil
        if let again = retrievable {
            row.retrievedBytes = figures.recovered?.subtracting(again).count
            row.chunksRetrieved = evidence.autopsy?.chunks.count { chunk in
                chunk.isRecovered && again.intersection(ByteRanges([chunk.range])).isEmpty
            }
        }
        row.launchBytes = figures.receivedNow?.count
        fillCost(&row, usable)
        row.recoverySeconds = Self.seconds(evidence.resumption?.recoverySeconds)
        row.resumeSeconds = Self.seconds(evidence.resumption?.resumeSeconds)
        return row
    }

    /// What the relaunch fetched; nil unless it shows what it used of a state that the rig has
    /// read.
    private var retrievable: ByteRanges? {
        guard evidence.autopsy != nil, !evidence.isOtherVersion, evidence.relaunch != .twice,
            evidence.resumption?.endedWell == true
        else { return nil }
        return figures.refetched
    }

    /// The cost of the killed launch: of one that no kill ended, it is not the cost beside a loss.
    private func fillCost(_ row: inout IterationRow, _ page: WitnessReading?) {
        guard let cost = evidence.cost, evidence.killSent else { return }
        row.writtenBytes = cost.writtenBytes
        row.writes = cost.writes
        row.syncs = cost.syncs
        row.checkpoints = page?.entries?[.checkpointing]
        row.processorSeconds = Self.seconds(cost.processorSeconds)
    }

    private var realised: Double? {
        guard evidence.killSent, evidence.fault.hasMoment else { return nil }
        return switch evidence.planned.trigger.kind {
        case .bytes: figures.receivedNow.map { Double($0.count) }
        case .time, .phase:
            evidence.killProgress.map {
                FixedPoint.rounded($0, decimals: IterationRow.momentDecimals)
            }
        case .said: evidence.check.map { Double($0.lines) }
        case .syscall, .random: nil
        }
    }

    /// Rounds a time as in the row, so that rows read again give the same results.
    private static func seconds(_ value: Double?) -> Double? {
        value.map { FixedPoint.rounded($0, decimals: IterationRow.secondsDecimals) }
    }
}

package enum Judge {
    /// Raised whenever a run of `results/reference` may get other rows; figures in the
    /// documentation come from runs of this version (`harness/ci/figures`).
    package static let version = 3

    /// Judges one kill.
    ///
    /// One that came too early or too late, or was not the rig's, proves nothing about its cost.
    /// But wrong bytes, lost acknowledged bytes, a relaunch that does not finish, and lives that
    /// crash, exit or hang by themselves are never excused. Where a modelled power cut does not
    /// know all that the worker did to its files, nothing that depends on the state after it is
    /// judged.
    package static func judge(_ evidence: IterationEvidence) -> Judgement {
        let evidence = evidence.unseen == nil ? evidence : evidence.withoutTheState
        let kill = JudgedKill(evidence)
        let applied = checkers(for: evidence)
        let inconclusive = kill.inconclusive
        let findings =
            inconclusive == nil
            ? applied.flatMap { $0.findings($0.details(kill)) }
            : inexcusable(kill) + withoutAKill(kill) + withoutTheState(kill)
        // Findings count even when the cost of the kill stays unknown.
        let obscurity =
            inconclusive ?? kill.outsideReason ?? kill.chainReason ?? kill.unreadAfterwards
            ?? evidence.check?.unknown ?? kill.uncounted
        let verdict: Verdict = findings.isEmpty ? (obscurity == nil ? .pass : .inconclusive) : .fail
        let found = Set(findings.map(\.checker))
        let notJudged =
            verdict == .inconclusive
            ? []
            : applied.filter { !found.contains($0.checker) && $0.lacksEvidence(kill) }
                .map(\.checker)
        let told: [String?] = findings.map { "\($0.checker.rawValue): \($0.detail)" }
        let notes: [String?] =
            findings.isEmpty
            ? [
                Wording.oneLine(obscurity ?? kill.notJudged ?? ""), evidence.staleNote,
                evidence.errorsNote, obscurity == nil ? evidence.idleNote : nil,
                obscurity == nil && evidence.check?.isSilent == true ? RowReason.unsaid : nil,
                evidence.failureNote,
            ]
            : told + [evidence.idleNote, evidence.failureNote]
        return Judgement(
            evidence: evidence, figures: kill.figures, findings: findings,
            notJudged: Set(notJudged), verdict: verdict,
            reason: notes.compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: RowReason.separator))
    }

    static func checkers(for evidence: IterationEvidence) -> [EvidenceChecker] {
        EvidenceChecker.all.filter { $0.knows(evidence.workload) && $0.applies(evidence) }
    }

    /// True without findings; if the kill did not happen then, the iteration may be repeated.
    package static func isSound(_ evidence: IterationEvidence) -> Bool {
        judge(evidence).findings.isEmpty
    }

    /// Findings that need no kill, of a worker that finished all of its work before one came.
    private static func withoutAKill(_ kill: JudgedKill) -> [Finding] {
        let evidence = kill.evidence
        guard !evidence.killSent, evidence.death == evidence.expectedUnkilledDeath else {
            return []
        }
        return excusable(.tooLate, kill)
    }

    /// Findings of a kill with an unreadable state: what needs none, and a loss that the relaunch
    /// shows.
    private static func withoutTheState(_ kill: JudgedKill) -> [Finding] {
        guard let reason = kill.onlyUnread else { return [] }
        return excusable(.unreadState, kill).map {
            Finding(checker: $0.checker, detail: Wording.oneLine("\($0.detail) (\(reason))"))
        }
    }

    /// Findings that count in one circumstance, without the inexcusable ones.
    private static func excusable(
        _ circumstance: KillCircumstance, _ kill: JudgedKill
    ) -> [Finding] {
        checkers(for: kill.evidence).filter { $0.counts.contains(circumstance) }
            .flatMap { checker in
                let counted = checker.inexcusable(kill)
                return checker.findings(checker.details(kill).filter { !counted.contains($0) })
            }
    }

    private static func inexcusable(_ kill: JudgedKill) -> [Finding] {
        EvidenceChecker.all.filter { $0.knows(kill.evidence.workload) }
            .flatMap { $0.findings($0.inexcusable(kill)) }
    }
}

extension IterationEvidence {
    /// The note that the worker did its work only after errors, which the origin had caused.
    fileprivate var errorsNote: String? {
        guard let errors = resumption?.errors else { return nil }
        let times = errors.count == 1 ? "once" : "\(errors.count) times"
        let complaint = Wording.oneLine("\(errors.complaint.suffix(200))")
        return "\(RowReason.errors)\(times): \(complaint)"
    }

    /// The note that the origin's fault had no effect, so that the row says nothing about it.
    fileprivate var idleNote: String? {
        resumption?.idleFault.map { RowReason.idleFault + $0.words }
    }

    fileprivate var failureNote: String? {
        failure.map { _ in
            // A program that believes a reported failure may do the work again.
            let isThere = death != .exited(0) && lacksItsFile == false
            let falseFailure = isThere ? ", though its file is whole (a false failure)" : ""
            let what = failedCall.map { "\(RowReason.failed)\($0.words): " } ?? RowReason.full
            return Wording.oneLine("\(what)\(death.words)\(falseFailure)")
        }
    }
}
