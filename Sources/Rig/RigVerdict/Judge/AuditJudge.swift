package import RigModel

package enum AuditJudge {
    /// Sums up the rows of a part; with rows missing it shows nothing, unless some of them fail.
    package static func finding(
        _ situation: AuditSituation, part: RunPart, command: String, folder: String = ""
    ) -> AuditFinding {
        let judged = part.rows.filter(\.isDecided)
        let failed = judged.filter { $0.verdict == .fail }
        let reached = judged.count { $0.idleFault == nil }
        let worst = gravest(failed)
        let outcome: AuditFinding.Outcome =
            if let worst {
                .fails(failed.count, of: judged.count, reason: worst.row.reason)
            } else if let failure = part.failure {
                .unknown(failure.reason)
            } else if judged.isEmpty {
                .unknown(mostFrequent(part.rows.map(\.reason)))
            } else if reached == 0 {
                idle(judged.compactMap(\.idleFault))
            } else {
                .sound(kills: reached)
            }
        let losses = judged.compactMap(\.lostBytes)
        let errors = judged.compactMap(\.errors)
        var finding = AuditFinding(
            situation, outcome, mostLost: losses.max(), startsOver: judged.startOver,
            errors: errors.isEmpty ? nil : mostFrequent(errors), command: command)
        finding.failure = part.failure
        if case .sound(let kills) = outcome {
            finding.rateBelow = Binomial.upperBound(events: 0, trials: kills)
        }
        if let worst {
            finding.mistake = worst.sign.flatMap {
                AuditMistake.words(for: $0, in: worst.row.idleFault == nil ? situation.name : nil)
            }
            finding.replay = RowIdentity(worst.row).replayCommand(
                folder: folder, isOnlyPolicy: Set(part.rows.map(\.policy)).count == 1)
        }
        return finding
    }

    /// The first of the most frequent kind among the worst: a wrong file that is called right comes
    /// first.
    private static func gravest(
        _ failed: [IterationRow]
    ) -> (row: IterationRow, sign: AuditSign?)? {
        func rank(_ row: IterationRow) -> Int { AuditSign(row)?.rank ?? AuditSign.usualRank }
        let worst = failed.map(rank).min()
        let example = ReasonKind.mostFrequent(
            of: failed.filter { rank($0) == worst }, by: { $0.reason })?.example
        return example.map { (row: $0, sign: AuditSign($0)) }
    }

    private static func idle(_ faults: [IdleFault]) -> AuditFinding.Outcome {
        faults.contains(.notReached)
            ? .notReached(IdleFault.notReached.words)
            : .doesNotApply(faults.first?.words ?? "")
    }

    private static func mostFrequent(_ reasons: [String]) -> String {
        ReasonKind.mostFrequent(of: reasons, by: { $0 })?.example ?? ""
    }
}

extension AuditSign {
    /// The worst of what a failed row shows; nil where no finding is told.
    init?(_ row: IterationRow) {
        let order = [Checker.stitched] + Checker.allCases.filter { $0 != .stitched }
        let signs = order.compactMap { checker in
            row.finding(of: checker).map { AuditSign(checker, Self.file(checker, $0)) }
        }
        guard let worst = signs.min(by: { $0.rank < $1.rank }) else { return nil }
        self = worst
    }

    /// What the file is like, in the checkers' words; nil where none was called completed.
    private static func file(_ checker: Checker, _ detail: String) -> File? {
        switch checker {
        case .stitched: detail.hasPrefix("all ") ? .oldPart : .joined
        case .completion: file(detail)
        case .exit, .falseSuccess:
            detail.split(separator: "ended with exit code 0, and ", maxSplits: 1)
                .dropFirst().first.flatMap { file(String($0)) }
        default: nil
        }
    }

    private static func file(_ words: String) -> File? {
        // What the program says follows, so only the beginning counts.
        let none = ["the relaunched worker ended well and left no", "there was no completed file"]
        if none.contains(where: { words.hasPrefix($0) }) { return .missing }
        for subject in ["the completed file ", "its file "] where words.hasPrefix(subject) {
            let rest = words.dropFirst(subject.count)
            if rest.hasPrefix("is empty") { return .empty }
            if rest.hasPrefix("ends ") { return .tooShort }
            return rest.contains("too long") ? .tooLong : nil
        }
        guard words.prefixMatch(of: /[0-9]+ bytes? of (the completed|its) file/) != nil,
            words.contains("unlike the video's")
        else { return nil }
        return words.contains("past its end") ? .wrongAndLong : .wrong
    }
}
