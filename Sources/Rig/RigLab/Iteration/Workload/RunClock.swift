internal import RigModel
internal import Synchronization

/// How long a program may run that does not end by itself (`--for`).
final class RunClock: Sendable {
    static let partingSeconds = 5.0

    private let end: ContinuousClock.Instant?
    private let hasProgressed: @Sendable () -> Bool
    private let hasRung = Mutex(false)

    /// A clock that begins to run now, and rings only after progress: a program that does nothing
    /// in a short time may hang, and only a longer time tells.
    init(_ seconds: Double?, after hasProgressed: @escaping @Sendable () -> Bool = { true }) {
        end = seconds.map { ContinuousClock.now + .seconds($0) }
        self.hasProgressed = hasProgressed
    }

    var isOver: Bool {
        guard let end, ContinuousClock.now >= end else { return false }
        return hasRung.withLock { hasRung in
            if !hasRung { hasRung = hasProgressed() }
            return hasRung
        }
    }

    /// How a program has ended: an end that it was asked for counts as its own.
    func own(_ death: Death) -> Death {
        let isAnswer = death.isAnswerToARequest || death == .signaled(9)
        return hasRung.withLock(\.self) && isAnswer ? .exited(0) : death
    }
}
