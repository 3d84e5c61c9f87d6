import RigModel

/// Compares evidence with a promise.
protocol EvidenceChecker: Sendable {
    /// The checker's name in reports.
    static var checker: Checker { get }

    /// The findings with their figures, one line each.
    ///
    /// A checker without the evidence it needs finds nothing; ``lacksEvidence(_:_:)`` reports that.
    ///
    /// - Parameters:
    ///   - evidence: what was observed.
    ///   - figures: measurements of the evidence.
    /// - Returns: the lines; empty when nothing is wrong.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String]

    /// Whether the checker could not check for lack of evidence.
    ///
    /// - Parameters:
    ///   - evidence: what was observed.
    ///   - figures: measurements of the evidence.
    /// - Returns: false when it could check, and when there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool
}

extension EvidenceChecker {
    /// False, for a checker whose evidence is always there.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        false
    }

    /// The details as findings of this checker.
    static func findings(_ evidence: IterationEvidence, _ figures: Measurements) -> [Finding] {
        details(evidence, figures).map { Finding(checker: checker, detail: Wording.oneLine($0)) }
    }
}
