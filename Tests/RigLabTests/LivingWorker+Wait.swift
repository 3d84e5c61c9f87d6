import Testing
import Waiting

@testable import RigLab

extension LivingWorker {
    /// Waits until something is so.
    ///
    /// Where it does not become so, the test fails and the process is killed: what waits for its end
    /// goes on.
    ///
    /// - Parameters:
    ///   - what: what is waited for.
    ///   - sourceLocation: where the wait stands.
    ///   - isSo: looks.
    /// - Returns: whether it has become so.
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
