internal import RigModel
internal import Synchronization

/// How long a program may run that does not end by itself (`--for`).
final class RunClock: Sendable {
    /// Seconds that a program may take to end once it was asked to.
    static let partingSeconds = 5.0

    private let end: ContinuousClock.Instant?
    private let hasRung = Atomic(false)

    /// A clock that begins to run now.
    ///
    /// - Parameter seconds: nil for a program that ends by itself.
    init(_ seconds: Double?) {
        end = seconds.map { ContinuousClock.now + .seconds($0) }
    }

    /// True once the program is to be asked to end.
    var isOver: Bool {
        guard let end, ContinuousClock.now >= end else { return false }
        hasRung.store(true, ordering: .relaxed)
        return true
    }

    /// How a program has ended: an end that it was asked for counts as its own.
    func own(_ death: Death) -> Death {
        let isAnswer = death.isAnswerToARequest || death == .signaled(9)
        return hasRung.load(ordering: .relaxed) && isAnswer ? .exited(0) : death
    }
}
