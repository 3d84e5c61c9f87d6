package import RigModel

/// The worker's page and the kernel tell of the same bytes: two witnesses, one figure (spec 2).
package enum AgreementChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.agreement

    /// The positions received in the life that the kill ended must be the same, to the byte.
    ///
    /// Where either does not tell, nothing is found: that is for the verdict to say. What the
    /// autopsy and the relaunch tell of what was recovered, ``ResumptionChecker`` compares.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let page = figures.witness?.received, let kernel = evidence.sockets?.received else {
            return []
        }
        let invented = page.subtracting(kernel)
        let concealed = kernel.subtracting(page)
        return [
            invented.isEmpty
                ? nil
                : "the page tells of \(Wording.bytes(invented.count)) that the kernel had not"
                    + " delivered, at \(Wording.places(invented))",
            concealed.isEmpty
                ? nil
                : "the page does not tell of \(Wording.bytes(concealed.count)) that the kernel had"
                    + " delivered, at \(Wording.places(concealed))",
        ].compactMap(\.self)
    }
}
