internal import RigModel
internal import RigReport

/// Shows how far a run is: a live line on a terminal, a plain line every 10 s elsewhere.
struct ProgressMeter {
    private let console: Console
    private let started = ContinuousClock.now
    private var lastPlainLine = ContinuousClock.now
    private var state: ProgressLine

    init(total: Int, console: Console) {
        self.console = console
        state = ProgressLine(total: total)
    }

    /// Counts a row and shows where the run is.
    mutating func show(_ row: IterationRow) {
        state.count(row, elapsedSeconds: (ContinuousClock.now - started).seconds)
        if console.isLive {
            console.redraw(state.text)
        } else if (ContinuousClock.now - lastPlainLine).seconds >= 10 {
            lastPlainLine = .now
            console.note("rig: \(state.text)")
        }
    }
}
