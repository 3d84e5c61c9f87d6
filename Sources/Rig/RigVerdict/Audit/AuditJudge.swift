package import RigModel

/// Judges a situation of an audit by the rows of its run.
package enum AuditJudge {
    /// Sums up the rows of a part.
    ///
    /// - Parameters:
    ///   - situation: what was done to the program.
    ///   - part: its run.
    ///   - command: the command that repeats it.
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
        let received = judged.filter { ($0.receivedBytes ?? 0) > 0 && $0.lostBytes != nil }
        let errors = judged.compactMap(\.errors)
        return AuditFinding(
            situation, outcome, mostLost: losses.max(),
            startsOver: !received.isEmpty
                && received.allSatisfy { $0.lostBytes == $0.receivedBytes },
            errors: errors.isEmpty ? nil : mostFrequent(errors), command: command)
    }

    /// The most frequent kind of reason, by its first example; reasons differ in their numbers.
    static func mostFrequent(_ reasons: [String]) -> String {
        var kinds: [(kind: String, example: String, count: Int)] = []
        for reason in reasons {
            let kind = reason.replacing(/[0-9]+/, with: "#")
            if let index = kinds.firstIndex(where: { $0.kind == kind }) {
                kinds[index].count += 1
            } else {
                kinds.append((kind, reason, 1))
            }
        }
        // The first of several that are as frequent.
        let most = kinds.map(\.count).max()
        return kinds.first { $0.count == most }?.example ?? ""
    }
}
