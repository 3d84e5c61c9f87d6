import RigModel

/// Compares evidence with a promise.
protocol EvidenceChecker: Sendable {
    static var checker: Checker { get }

    /// The findings with their figures, one line each; empty when nothing is wrong.
    ///
    /// A checker without the evidence it needs finds nothing; ``lacksEvidence(_:_:)`` reports that.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String]

    /// Whether the checker could not check for lack of evidence.
    ///
    /// - Returns: false when it could check, and when there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool
}

extension EvidenceChecker {
    /// False, for a checker whose evidence is always there.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        false
    }

    static func findings(_ evidence: IterationEvidence, _ figures: Measurements) -> [Finding] {
        details(evidence, figures).map { Finding(checker: checker, detail: Wording.oneLine($0)) }
    }
}
