internal import Synchronization

/// What a run made and learned of a checked program before its first kill.
final class ProgramKnowledge: Sendable {
    /// How a program with `--for` behaves that was started again without a kill.
    struct Habits: Sendable {
        var progresses = false
        var endsWhenAsked = false
    }

    struct Known: Sendable {
        /// Where `--prepare` has filled the folder in which iterations begin; nil until then.
        var prepared: String?
        var hasEnded = false
        var habits = Habits()
    }

    let known = Mutex(Known())
}
