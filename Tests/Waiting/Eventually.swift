/// What a test waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    /// It did not come, and this is what it would have been.
    package init(what: String, place: String? = nil) {
        description = "never happened: \(what)" + (place.map { " (\($0))" } ?? "")
    }
}

/// How long a test waits for something, however slow the machine is.
///
/// No wait may be without a limit: a test of a program that hangs would hang as well, hold up all
/// others, and nothing would be reported. No wait may be for a duration either: what it waits for
/// is said, and ends it.
package let patience = Duration.seconds(60)

/// Waits until something is so.
///
/// - Parameters:
///   - what: what is waited for.
///   - limit: for how long.
///   - pause: how long to wait between looks.
///   - file: where the wait stands.
///   - line: where in it.
///   - isSo: looks.
/// - Throws: ``NeverHappened`` where it has not become so within the limit.
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

/// Waits until something is so, and keeps the thread meanwhile.
///
/// - Parameters:
///   - what: what is waited for.
///   - limit: for how long.
///   - pause: how long to wait between looks.
///   - file: where the wait stands.
///   - line: where in it.
///   - isSo: looks.
/// - Throws: ``NeverHappened`` where it has not become so within the limit.
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
