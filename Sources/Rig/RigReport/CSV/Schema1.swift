internal import RigModel

/// Reads what rows of schema 1 state only in sentences, for lack of columns.
///
/// A finding is `checker: detail`, separated by `; `. A pass states what was not judged as
/// `not judged: bound (why)`, or as `not judged: loss (why)` if no bound was promised.
enum Schema1 {
    /// Sets a row's checkers from its sentence.
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
