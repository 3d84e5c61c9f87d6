/// What the check of any program has found of what a kill left.
package struct CheckEvidence: Sendable, Hashable, Codable {
    package enum Outcome: Sendable, Hashable, Codable {
        case sound
        /// The check has refused what it saw; the text is its last line.
        case violated(String)
        /// The check says nothing, and why.
        case unknown(String)
    }

    /// Before the relaunch, on a copy; nil where that was not asked for.
    package var before: Outcome?
    /// After the relaunch, or after the kill where there is none.
    package var after: Outcome
    /// How many lines the program had said by then, in all its launches.
    package let lines: Int
    /// True where the check is told these lines; nil where not.
    package var looksAtLines: Bool?

    package init(before: Outcome?, after: Outcome, lines: Int) {
        (self.before, self.after, self.lines) = (before, after, lines)
    }

    package var isSilent: Bool { looksAtLines == true && lines == 0 }
    package var isSound: Bool { [before ?? .sound, after] == [.sound, .sound] }

    package var unknown: String? {
        for case .unknown(let why) in [before ?? .sound, after] { return why }
        return nil
    }
}
