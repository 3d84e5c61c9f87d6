/// The error of a wait that timed out.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    /// Names what the test waited for.
    package init(what: String, place: String? = nil) {
        description = "never happened: \(what)" + (place.map { " (\($0))" } ?? "")
    }
}

/// Does some work, and then what has to be done at its end, also if it fails.
package func ending<Value>(
    _ work: () async throws -> Value, with end: () async throws -> Void
) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    try await end()
    return try result.get()
}

/// How long a test waits for a condition, however slow the machine is.
///
/// Every wait has a limit: without one, a test of a program that hangs would hang too, block all
/// others, and report nothing. No wait is a fixed sleep either: it names a condition and ends as
/// soon as that holds.
package let patience = Duration.seconds(120)

/// Waits until a condition holds; throws ``NeverHappened`` if it does not within the limit.
package func eventually(
    _ what: String, within limit: Duration = patience, every pause: Duration = .milliseconds(2),
    file: String = #fileID, line: Int = #line, _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else {
            throw NeverHappened(what: what, place: "\(file):\(line)")
        }
        try await Task.sleep(for: pause)
    }
}

/// Waits until a condition holds, as ``eventually`` does, and blocks the thread meanwhile.
package func blockUntil(
    _ what: String, within limit: Duration = patience, every pause: Duration = .milliseconds(1),
    file: String = #fileID, line: Int = #line, _ isSo: () throws -> Bool
) throws {
    let end = ContinuousClock.now + limit
    while try !isSo() {
        guard ContinuousClock.now < end else {
            throw NeverHappened(what: what, place: "\(file):\(line)")
        }
        rest(pause)
    }
}
