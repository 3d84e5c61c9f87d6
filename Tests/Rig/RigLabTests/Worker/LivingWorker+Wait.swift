import Testing
import TestSupport

@testable import RigLab

extension LivingWorker {
    /// Waits until a condition holds.
    ///
    /// If it never does, the test fails and the process is killed, so that a wait for its end
    /// returns.
    @discardableResult
    func waits(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isSo: () -> Bool
    ) -> Bool {
        do {
            try blockUntil(what, isSo)
            return true
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
            kill()
            return false
        }
    }
}
