package import RigModel

/// Compares evidence with what was promised.
package protocol EvidenceChecker: Sendable {
    /// The name by which reports call it.
    static var checker: Checker { get }

    /// What is wrong, one line per finding, with the figures.
    ///
    /// A checker that lacks the evidence it needs finds nothing, and ``lacksEvidence(_:_:)`` says so.
    ///
    /// - Parameters:
    ///   - evidence: what was observed.
    ///   - figures: the same, measured.
    /// - Returns: the lines; empty when nothing is wrong.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String]

    /// Whether it could not look.
    ///
    /// - Parameters:
    ///   - evidence: what was observed.
    ///   - figures: the same, measured.
    /// - Returns: false where it could, and where there is nothing that it would look for.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool
}

extension EvidenceChecker {
    /// The details as findings of this checker.
    static func findings(_ evidence: IterationEvidence, _ figures: Measurements) -> [Finding] {
        details(evidence, figures).map { Finding(checker: checker, detail: Wording.oneLine($0)) }
    }
}
