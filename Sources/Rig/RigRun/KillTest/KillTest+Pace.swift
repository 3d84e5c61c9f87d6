internal import Fixture
internal import Foundation
internal import RigLab
internal import RigModel

extension KillTest {
    /// How many launches show how much their beginning scatters.
    private static let launches = 5

    /// Hands the pace on to the other parts of a run, in bytes per second: it is measured once.
    static let paceVariable = "RIG_PACE"

    private static var paceOfAnEarlierPart: Int64? {
        ProcessInfo.processInfo.environment[paceVariable].flatMap { Int64($0) }
    }

    /// What unharmed launches show before a run.
    struct Measured {
        /// The origin's bandwidth; nil for no limit.
        var pace: Int64?
        /// How many calls a launch can be killed at; nil where they were not counted.
        var calls: Int?
    }

    /// The origin's bandwidth: where it only spreads kills, as high as they are still spread.
    ///
    /// A program that starts evenly is killed where it was planned also in short work. Where that
    /// cannot be measured, the work is long.
    func measure(
        _ plan: KillPlan, video: ReferenceVideo, folder: RunFolder
    ) async throws -> Measured {
        let longest = settings.pace(length: video.bytes.length)
        if settings.pacesOnlyKills, let pace = Self.paceOfAnEarlierPart {
            return Measured(pace: pace)
        }
        // A pinned kill is not spread.
        guard settings.pacesOnlyKills, plan.pinned == nil, let policy = plan.policies.first else {
            return Measured(pace: longest)
        }
        var unpaced = manifest(plan, video: video, folder: folder)
        unpaced.bandwidth = nil
        let starts: [Double]
        let calls: Int?
        do {
            (starts, calls) = try await tryOut(unpaced, video: video, folder: folder) {
                (
                    try await $0.measureStarts(policy, launches: Self.launches),
                    try await callsInPassing(plan, policy, in: $0)
                )
            }
        } catch let error where !(error is Interrupted) {
            // What is wrong with the worker is said when it is tried for the kills.
            return Measured(pace: longest)
        }
        guard let spread = Self.spread(starts) else {
            return Measured(pace: longest, calls: calls)
        }
        console.detail(
            "rig: the worker's first byte comes after "
                + "\(MetricUnit.readableSeconds(spread.least)) to "
                + "\(MetricUnit.readableSeconds(spread.most)), so the origin takes "
                + "\(MetricUnit.readableSeconds(spread.seconds)) for the video")
        return Measured(
            pace: settings.pace(length: video.bytes.length, seconds: spread.seconds), calls: calls)
    }

    /// How long the video takes where kills are spread over it: twenty times as long as the
    /// worker's beginning scatters, within limits.
    ///
    /// - Parameter starts: seconds from the launches to their first bytes. The first and the last one
    ///   do not count: on a busy machine one launch of five begins late.
    /// - Returns: the least and the most of those that count, and the seconds for the video; nil where
    ///   none counts.
    static func spread(_ starts: [Double]) -> (least: Double, most: Double, seconds: Double)? {
        let usual = starts.sorted().dropFirst().dropLast()
        guard let least = usual.first, let most = usual.last else { return nil }
        let range = RunSettings.programSeconds
        let seconds = max(RunSettings.timesTheScatter * (most - least), range.lowerBound)
        return (least, most, min(seconds, range.upperBound))
    }
}
