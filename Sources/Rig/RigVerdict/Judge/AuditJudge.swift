package import RigModel

/// Judges a situation of an audit by the rows of its run.
package enum AuditJudge {
    /// Sums up the rows of a part.
    ///
    /// - Returns: the finding; a part without its rows shows nothing, unless some of them fail.
    package static func finding(
        _ situation: AuditSituation, part: RunPart, command: String
    ) -> AuditFinding {
        let judged = part.rows.filter(\.isDecided)
        let failed = judged.filter { $0.verdict == .fail }
        let outcome: AuditFinding.Outcome =
            if !failed.isEmpty {
                .fails(failed.count, of: judged.count, reason: mostFrequent(failed.map(\.reason)))
            } else if let failure = part.failure {
                .unknown(failure.reason)
            } else if judged.isEmpty {
                .unknown(mostFrequent(part.rows.map(\.reason)))
            } else {
                .sound(kills: judged.count)
            }
        let losses = judged.compactMap(\.lostBytes)
        let errors = judged.compactMap(\.errors)
        return AuditFinding(
            situation, outcome, mostLost: losses.max(), startsOver: judged.startOver,
            errors: errors.isEmpty ? nil : mostFrequent(errors), command: command)
    }

    /// The most frequent kind of reason, by its first example.
    private static func mostFrequent(_ reasons: [String]) -> String {
        ReasonKind.mostFrequent(of: reasons, by: { $0 })?.example ?? ""
    }
}
