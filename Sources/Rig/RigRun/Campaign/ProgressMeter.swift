internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Shows progress: a line that is redrawn, else one every 10 s; an event every second.
struct ProgressMeter {
    private let console: Console
    private let started = ContinuousClock.now
    private let events: Console?
    private var lastPlainLine = ContinuousClock.now
    private var lastEvent: ContinuousClock.Instant?
    /// Conclusive kills.
    private var killed = 0
    private var state: ProgressState

    init(total: Int, isOnlyPolicy: Bool, console: Console, events: Console?) {
        (self.console, self.events) = (console, events)
        state = ProgressState(
            done: 0, total: total, policy: nil, violations: 0, rateBound: nil, inconclusive: 0,
            elapsedSeconds: 0)
        state.isOnlyPolicy = isOnlyPolicy
    }

    /// Counts a row and updates the display.
    mutating func show(_ row: IterationRow) {
        state.done += 1
        state.policy = row.policy
        state.violations += row.isViolation ? 1 : 0
        state.inconclusive += row.isConclusive ? 0 : 1
        killed += row.isConclusive && !row.isSpared ? 1 : 0
        state.rateBound =
            killed > 0 ? Binomial.upperBound(events: state.violations, trials: killed) : nil
        state.elapsedSeconds = (ContinuousClock.now - started).seconds
        announce()
        if console.isLive {
            console.redraw(ProgressLine.text(state))
        } else if (ContinuousClock.now - lastPlainLine).seconds >= 10 {
            lastPlainLine = .now
            console.note("rig: \(ProgressLine.text(state))")
        }
    }
    /// At most one event per second, and one at the end.
    private mutating func announce() {
        let now = ContinuousClock.now
        guard let events,
            state.done == state.total || lastEvent.map({ now - $0 >= .seconds(1) }) ?? true
        else { return }
        lastEvent = now
        events.result(RunEvents.progress(state))
    }
}
