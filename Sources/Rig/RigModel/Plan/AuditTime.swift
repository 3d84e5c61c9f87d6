/// The time of an audit: what each situation gets of it, after what the ones before have taken.
package struct AuditTime: Sendable, Hashable {
    /// So many iterations of a situation, and the seconds after which it is cut off.
    package struct Share: Sendable, Hashable {
        package let iterations: Int
        package let mostSeconds: Double
    }

    /// The fewest iterations of a situation, and the most for each unit of its weight.
    private static let iterations = (fewest: 4, most: 20)
    /// A situation may take twice its share: how long it takes is guessed from the one before.
    private static let tolerance = 2.0
    /// What is done before the first kill of a situation takes as long as this many unharmed runs.
    private static let preparation = 5.0

    private let seconds: Double
    /// What one iteration needs, in seconds, also where the program hangs.
    private let least: Double
    private var perIteration: Double

    /// The time of some minutes after an unharmed run that took so many seconds; a program that
    /// hangs is known to do so after `hang` seconds.
    package init(minutes: Double, unharmed: Double, hang: Double) {
        seconds = minutes * 60
        least = hang + max(hang / 2, Self.preparation * unharmed)
        perIteration = max(0.05, unharmed)
    }

    /// What a situation gets; nil if the time is over, and the audit can do without it.
    package func share(of situation: AuditSituation, after elapsed: Double) -> Share? {
        let left = seconds - elapsed
        guard left > 0 || situation.isEssential else { return nil }
        let weights = AuditSituation.all.drop { $0 != situation }.reduce(0) { $0 + $1.weight }
        let share = max(0, left) * Double(situation.weight) / Double(max(1, weights))
        let iterations = max(Self.iterations.fewest, Int(share / perIteration))
        return Share(
            iterations: min(iterations, Self.iterations.most * situation.weight),
            mostSeconds: max(least, Self.tolerance * share))
    }

    /// Takes what the situation before has needed for the best guess for the next one.
    package mutating func note(_ iterations: Double, took seconds: Double) {
        perIteration = max(0.01, seconds / max(1, iterations))
    }
}
