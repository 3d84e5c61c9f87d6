internal import Synchronization

/// What a run made and learned of a checked program before its first kill.
final class ProgramKnowledge: Sendable {
    /// How a program with `--for` behaves that was started again without a kill.
    struct Habits: Sendable {
        /// It said a line, or changed its files, before it was asked to end.
        var progresses = false
        /// It ended in time once it was asked to.
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
