/// A run's events for programs: JSON lines on standard output, written without delay.
struct EventStream {
    let console: Console

    /// Writes an event.
    ///
    /// - Parameter line: the event, including its line end.
    func send(_ line: String) { console.result(line) }
}
