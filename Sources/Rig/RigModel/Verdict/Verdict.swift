/// The result of an iteration.
///
/// An unknown is never a pass.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every checker that applies was satisfied.
    case pass
    /// At least one checker has a finding.
    case fail
    /// The kill proves nothing: too early, too late, or not sent by the rig.
    case inconclusive
}

/// What a checker found wrong.
package struct Finding: Sendable, Hashable, Codable {
    package let checker: Checker
    /// What is wrong, in one line, with the figures.
    package let detail: String

    package init(checker: Checker, detail: String) {
        (self.checker, self.detail) = (checker, detail)
    }
}
