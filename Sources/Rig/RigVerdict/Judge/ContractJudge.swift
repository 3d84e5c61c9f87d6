package import RigModel

package struct ContractPart: Sendable {
    package let evidence: [IterationEvidence]
    /// Why the evidence ends early, if the worker could not continue; nil when it is complete.
    package let failure: String?
    package let leftProcess: Bool

    package init(evidence: [IterationEvidence], failure: String? = nil, leftProcess: Bool = false) {
        (self.evidence, self.failure, self.leftProcess) = (evidence, failure, leftProcess)
    }
}

/// Checks a worker against the contract (spec 2): evidence in, points out.
package struct ContractJudge {
    private let worker: WorkerProfile
    private let uninterrupted: ContractPart
    private let kills: ContractPart
    private let lives: [Judgement]
    private let judgements: [Judgement]

    /// A judge of an iteration without a kill, and of others with one: none if the first failed.
    package init(_ worker: WorkerProfile, uninterrupted: ContractPart, kills: ContractPart) {
        (self.worker, self.uninterrupted, self.kills) = (worker, uninterrupted, kills)
        lives = uninterrupted.evidence.map(Judge.judge)
        judgements = kills.evidence.map(Judge.judge)
    }

    package func report(seed: UInt64) -> ContractReport {
        ContractReport(
            worker: worker.name, seed: seed,
            points: ContractPoint.Name.allCases.map { name in
                let (verdict, detail) = answer(of: name)
                return ContractPoint(name, verdict, Wording.oneLine(detail))
            })
    }

    private typealias Answer = (verdict: ContractPoint.Verdict, detail: String)

    private func answer(of name: ContractPoint.Name) -> Answer {
        switch name {
        case .completes: completes
        case .resumes: resumes
        case .bound: bound
        case .cleansUp: cleansUp
        case .level: level
        case .agreement: agreement
        }
    }

    private var conclusive: [Judgement] { judgements.filter { $0.verdict != .inconclusive } }

    private var silence: String {
        kills.failure ?? judgements.first?.reason
            ?? (uninterrupted.failure == nil ? "no worker was killed" : "it was not killed")
    }

    private var completes: Answer {
        if let failure = uninterrupted.failure { return (.fail, failure) }
        guard let life = lives.first else { return (.unknown, "it was not launched") }
        return switch life.verdict {
        case .pass: (.pass, "the completed file equals the video")
        case .fail: (.fail, life.reason)
        case .inconclusive: (.unknown, life.reason)
        }
    }

    private func findings(of judgement: Judgement, at point: ContractPoint.Name) -> [Finding] {
        let deciding = EvidenceChecker.all.filter { $0.points.contains(point) }.map(\.checker)
        return judgement.findings.filter { deciding.contains($0.checker) }
    }

    private func failure(at point: ContractPoint.Name) -> Answer? {
        let failed = judgements.filter { !findings(of: $0, at: point).isEmpty }
        guard let first = failed.first else { return nil }
        return (.fail, "\(failed.count) of \(judgements.count) kills: \(first.reason)")
    }

    private var resumes: Answer {
        if let failure = failure(at: .resumes) { return failure }
        if let failure = kills.failure { return (.fail, failure) }
        guard !conclusive.isEmpty else { return (.unknown, silence) }
        let share = "\(conclusive.count) of \(judgements.count) kills"
        return (.pass, "\(share): the relaunched worker completed the video")
    }

    private var bound: Answer {
        guard let promised = worker.bound[.sigkill] else {
            return (.notPromised, "what is lost is reported, not judged")
        }
        if let failure = failure(at: .bound) { return failure }
        let judged = conclusive.filter { $0.figures.lost != nil && $0.figures.bound != nil }
        guard let most = judged.compactMap({ $0.figures.lost?.count }).max() else {
            return (.unknown, conclusive.first?.reason ?? silence)
        }
        let lost = "at most \(most.counted("byte")) lost in \(judged.count) kills"
        return (.pass, "\(lost); bound \(promised.words)")
    }

    private var cleansUp: Answer {
        if let left = judgements.flatMap({ findings(of: $0, at: .cleansUp) }).first {
            return (.fail, left.detail)
        }
        // A life that exits by itself and leaves a process running ends the trial.
        if let left = [uninterrupted, kills].first(where: \.leftProcess) {
            return (.fail, left.failure ?? "a process was left running")
        }
        if let failure = uninterrupted.failure ?? kills.failure { return (.unknown, failure) }
        guard !kills.evidence.isEmpty else { return (.unknown, silence) }
        return (.pass, "no process was left running")
    }

    private func reached(_ judgement: Judgement) -> Set<WorkerListing.Level> {
        let evidence = judgement.evidence
        var levels: Set<WorkerListing.Level> = []
        if evidence.sockets?.received != nil { levels.insert(.blackBox) }
        if evidence.autopsy != nil { levels.insert(.inspect) }
        if judgement.figures.witness != nil { levels.insert(.witness) }
        return levels
    }

    private var level: Answer {
        let dead = judgements.filter(\.evidence.killSent)
        guard !dead.isEmpty else { return (.unknown, silence) }
        // Only a level that every kill provides is reliable.
        let always = dead.map(reached).reduce(Set(WorkerListing.Level.allCases)) {
            $0.intersection($1)
        }
        let stated = worker.levels
        guard let missing = stated.first(where: { !always.contains($0) }) else {
            return (.pass, stated.map(\.rawValue).joined(separator: ", "))
        }
        let lacking = dead.first { !reached($0).contains(missing) }
        let why = lacking.flatMap { reason(of: $0, lacking: missing) } ?? "no reason given"
        let detail = "not in every kill: \(missing.rawValue) (\(why))"
        return (missing == .blackBox ? .unknown : .fail, detail)
    }

    private func reason(of judgement: Judgement, lacking level: WorkerListing.Level) -> String? {
        switch level {
        case .blackBox: judgement.evidence.sockets?.unknownReason
        case .inspect: judgement.evidence.autopsyError
        case .witness: judgement.figures.witnessFault?.sentence ?? "it wrote no page"
        }
    }

    private var agreement: Answer {
        guard worker.levels.count > 1 else { return (.notPromised, "one level alone") }
        if let failure = failure(at: .agreement) { return failure }
        let compared = conclusive.filter(Self.isCompared)
        guard compared.isEmpty else {
            return (.pass, "but for the reads in hand, in \(compared.count) kills")
        }
        return (.unknown, conclusive.isEmpty ? silence : "no kill showed two levels to be compared")
    }

    private static func isCompared(_ judgement: Judgement) -> Bool {
        let evidence = judgement.evidence
        let applied = Judge.checkers(for: evidence).map(\.checker)
        let onReceived =
            applied.contains(.agreement) && judgement.figures.witness != nil
            && evidence.sockets?.received != nil
        let onKept =
            applied.contains(.resumption) && evidence.autopsy != nil
            && evidence.requestsShowWhatWasKept
            && evidence.resumption?.endedWell == true && evidence.resumption?.taken != nil
        return onReceived || onKept
    }
}
