internal import RigModel
internal import Synchronization

/// How long a program may run that does not end by itself (`--for`).
final class RunClock: Sendable {
    /// Seconds that a program may take to end once it was asked to.
    static let partingSeconds = 5.0
    /// How often it is looked whether a program has made progress whose time is over.
    private static let look = Duration.milliseconds(50)

    private let end: ContinuousClock.Instant?
    private let hasProgressed: @Sendable () -> Bool
    private let state = Mutex(State())

    private struct State {
        var hasRung = false
        var looked: ContinuousClock.Instant?
    }

    /// A clock that begins to run now.
    ///
    /// - Parameters:
    ///   - seconds: nil for a program that ends by itself.
    ///   - hasProgressed: false keeps the clock from ringing. A program that does nothing in a short
    ///     time may hang, and only a longer time tells.
    init(_ seconds: Double?, after hasProgressed: @escaping @Sendable () -> Bool = { true }) {
        end = seconds.map { ContinuousClock.now + .seconds($0) }
        self.hasProgressed = hasProgressed
    }

    /// True once the program is to be asked to end.
    var isOver: Bool {
        guard let end, ContinuousClock.now >= end else { return false }
        return state.withLock { state in
            if state.hasRung { return true }
            if let looked = state.looked, ContinuousClock.now - looked < Self.look { return false }
            state.looked = .now
            state.hasRung = hasProgressed()
            return state.hasRung
        }
    }

    /// How a program has ended: an end that it was asked for counts as its own.
    func own(_ death: Death) -> Death {
        let isAnswer = death.isAnswerToARequest || death == .signaled(9)
        return state.withLock(\.hasRung) && isAnswer ? .exited(0) : death
    }
}
