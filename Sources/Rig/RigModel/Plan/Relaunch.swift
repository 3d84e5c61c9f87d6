/// How a killed worker is started again.
package enum Relaunch: String, Sendable, Hashable, Codable, CaseIterable {
    /// Once, until its work is done.
    case once
    /// Once, and once more when its work is done: what is complete must stay so.
    case again
    /// Two instances at the same moment, in the same folder, as two schedulers would: one may
    /// refuse to run beside the other, and the work must be done in the end.
    case twice
    /// Once, for another video: what is left of the first must not get into it.
    case other

    /// For lists of a run's facts.
    package var words: String {
        switch self {
        case .once: "once"
        case .again: "once, and again when the work is done"
        case .twice: "two instances at the same moment"
        case .other: "once, for another video"
        }
    }
}
