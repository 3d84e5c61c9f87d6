import RigModel
import RigProfiles

/// The measures as the rig's own `bounds.yml` describes them.
extension PromiseMeasure {
    static let commits = named("commits")
    static let hitFirstByteSeconds = named("hit_first_byte_seconds")
    static let leastThreshold = named("least_threshold")
    static let lossPercent = named("loss_percent")
    static let lossPercentWorst = named("loss_percent_worst")
    static let lostBeyondBound = named("lost_beyond_bound")
    static let lostBeyondBoundAgain = named("lost_beyond_bound_again")
    static let lostBeyondBoundInSaves = named("lost_beyond_bound_in_saves")
    static let notFoundAgain = named("not_found_again")
    static let notPlayedOffline = named("not_played_offline")
    static let peakMemoryGrowth = named("peak_memory_growth")
    static let recovered = named("recovered")
    static let recoveredWhenDisabled = named("recovered_when_disabled")
    static let throughputRatio = named("throughput_ratio")
    static let unsoundStates = named("unsound_states")
    static let unsoundStatesAgain = named("unsound_states_again")
    static let wrongCommitCounts = named("wrong_commit_counts")

    private static func named(_ name: String) -> PromiseMeasure {
        let limits = (try? Bounds.standard().promises.flatMap(\.limits)) ?? []
        guard let limit = limits.first(where: { $0.measure.name == name }) else {
            preconditionFailure("bounds.yml has no measure \(name)")
        }
        return limit.measure
    }
}
