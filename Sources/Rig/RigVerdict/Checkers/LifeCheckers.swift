import RigModel

extension EvidenceChecker {
    /// No life may end by a signal that the rig did not send: signal 9 is excused where the kernel
    /// counts out-of-memory kills, or does not tell.
    static let crash = ofLives(.crash)

    /// A worker must exit with code 0 when its work is done, and not before.
    static let exit = ofLives(.exit)

    /// A worker that met an error may stop with an error, but not call its work done.
    static let falseSuccess = ofLives(.falseSuccess) { $0.fault.letsItGoOn }

    /// A worker must make progress until its work is done, within its time limit.
    static let hang = ofLives(.hang)

    /// A checker of how the lives ended that the rig did not kill, which is always known.
    private static func ofLives(
        _ checker: Checker, applies: @escaping @Sendable (IterationEvidence) -> Bool = { _ in true }
    ) -> EvidenceChecker {
        EvidenceChecker(
            checker: checker, counts: [.any], knows: { _ in true }, applies: applies,
            details: { kill in
                kill.evidence.unkilledLives.compactMap { end in
                    guard case .failure(checker, let detail) = LifeVerdict(end) else { return nil }
                    return detail
                }
            })
    }
}
