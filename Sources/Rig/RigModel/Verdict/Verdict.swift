/// The result of an iteration; an unknown is never a pass.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    case pass, fail
    /// The kill proves nothing: too early, too late, or not sent by the rig.
    case inconclusive
}

package struct Finding: Sendable, Hashable, Codable {
    package let checker: Checker
    /// What is wrong, in one line, with the figures.
    package let detail: String

    package init(checker: Checker, detail: String) {
        (self.checker, self.detail) = (checker, detail)
    }
}
