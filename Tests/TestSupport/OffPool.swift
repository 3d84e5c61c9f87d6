import Foundation

/// Runs blocking work on its own thread.
///
/// A dispatch queue would not do: the tasks of a server under test run on its threads.
package func offPool<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
