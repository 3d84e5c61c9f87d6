internal import RigModel

/// What rows of schema 1 say in sentences only, since they have no columns for it.
///
/// A finding stood there as `checker: detail`, with `; ` between two; what could not be judged
/// stood in a pass as `not judged: bound (why)`, or `not judged: loss (why)` where no bound was
/// promised.
enum Schema1 {
    /// Fills in the checkers of a row whose sentence has been read.
    static func tellCheckers(of row: inout IterationRow) {
        if row.verdict == .fail { row.checkers = checkers(named: row.reason) }
        if row.whyNotJudged?.hasPrefix("bound ") ?? false { row.notJudged = [.bound] }
        if row.servedBytes == nil, row.whyNotJudged != nil { row.notJudged.insert(.ledger) }
    }

    private static func checkers(named reason: String) -> Set<Checker> {
        let names = reason.split(separator: "; ").compactMap { finding in
            finding.split(separator: ": ", maxSplits: 1).first
        }
        return Set(names.compactMap { Checker(rawValue: String($0)) })
    }
}
