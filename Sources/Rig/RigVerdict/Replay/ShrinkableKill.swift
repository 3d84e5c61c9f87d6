internal import Fixture
package import RigModel

/// Converts a planned kill to numbers that can be reduced, and back.
///
/// The numbers are the threshold, the planned moment and the video's size, if the kill has them:
/// `disabled` has no threshold and two players have two, a phase and `never` have no number, and
/// the size of a user's own video is fixed. Thresholds and sizes in whole KB stay in whole KB.
package struct ShrinkableKill: Sendable {
    /// The manifest of a run of only the kill's iteration, pinned.
    package let manifest: Manifest
    /// A small threshold permits an early moment, and that a small video.
    private let numbers: [ShrinkableNumber]

    private struct SmallerKill {
        var policy: Policy
        var pinned: Trigger?
        var video: Manifest.Video
    }

    private struct ShrinkableNumber: Sendable {
        let dimension: ShrinkDimension
        /// For the user, of a run that has it.
        let text: @Sendable (Manifest) -> String
        let set: @Sendable (inout SmallerKill, Int64) -> Void
    }

    package init(_ kill: StoredKill) {
        let policy = kill.planned.policy
        let video = kill.manifest.video
        let workload = kill.manifest.workload
        let plan = kill.manifest.plan.repeating(kill.planned)
        manifest = kill.manifest.with(plan: plan, video: video)
        var numbers: [ShrinkableNumber] = []
        if workload.hasBytes, let bytes = policy.threshold?.bytes, policy.players == nil {
            let unit = Self.unit(of: bytes)
            numbers.append(
                ShrinkableNumber(
                    dimension: ShrinkDimension(name: "threshold", least: 1, value: bytes / unit),
                    text: { $0.plan.policies[0].name },
                    set: {
                        $0.policy = Policy(
                            threshold: ByteSize(bytes: $1 * unit), durability: policy.durability)
                    }))
        }
        if let moment = Self.moment(kill.planned.first.trigger) { numbers.append(moment) }
        if video.source == "fixture", workload != .offlineLibrary, workload.hasBytes {
            let unit = Self.unit(of: video.length)
            numbers.append(
                ShrinkableNumber(
                    dimension: ShrinkDimension(
                        name: "video size", least: (FixtureVideo.minimumLength + unit - 1) / unit,
                        value: video.length / unit),
                    text: { ByteSize(bytes: $0.video.length).name },
                    set: {
                        $0.video = Manifest.Video(
                            source: video.source, length: $1 * unit, etag: "")
                    }))
        }
        self.numbers = numbers
    }

    private static func moment(_ trigger: Trigger) -> ShrinkableNumber? {
        func number(
            _ name: String, _ value: Int64, grain: Int64 = 1,
            _ make: @escaping @Sendable (Int64) -> Trigger
        ) -> ShrinkableNumber {
            ShrinkableNumber(
                dimension: ShrinkDimension(name: name, least: 1, value: value, grain: grain),
                text: { $0.plan.pinned?.planned ?? "" }, set: { $0.pinned = make($1) })
        }
        return switch trigger {
        case .bytes(let count): number("byte", count) { .bytes($0) }
        case .flowing(let count): number("byte", count) { .flowing($0) }
        // As many decimals as `--at` takes; a fraction within a hundredth is precise enough.
        case .time(let fraction):
            number("fraction", Int64((fraction * 1e6).rounded()), grain: 10_000) {
                .time(Double($0) / 1e6)
            }
        case .syscall(let moment):
            number("call", Int64(moment.ordinal)) {
                .syscall(CallMoment(ordinal: Int($0), edge: moment.edge, name: moment.name))
            }
        case .said(let lines): number("line", Int64(lines)) { .said(Int($0)) }
        case .ending, .phase, .recovery, .never: nil
        }
    }

    package var dimensions: [ShrinkDimension] { numbers.map(\.dimension) }

    /// The manifest with other numbers, one per dimension; nil when they do not fit together.
    package func manifest(_ values: [Int64]) -> Manifest? {
        let old = manifest.plan
        var smaller = SmallerKill(
            policy: old.policies[0], pinned: old.pinned, video: manifest.video)
        for (number, value) in zip(numbers, values) { number.set(&smaller, value) }
        let length = manifest.workload.length(
            videoLength: smaller.video.length, policies: [smaller.policy])
        guard length >= 3 else { return nil }
        switch smaller.pinned {
        case .bytes(let count), .flowing(let count): guard count < length else { return nil }
        default: break
        }
        let plan = KillPlan(
            seed: old.seed, iterations: 1, policies: [smaller.policy], trigger: old.trigger,
            pinned: smaller.pinned, videoLength: length, refinement: old.refinement ?? .init())
        return manifest.with(plan: plan, video: smaller.video)
    }

    private static func unit(of bytes: Int64) -> Int64 { bytes.isMultiple(of: 1024) ? 1024 : 1 }

    package func changes(_ values: [Int64]) -> [ShrunkKill.Change] {
        guard let smallest = manifest(values) else { return [] }
        return numbers.map {
            ShrunkKill.Change(
                name: $0.dimension.name, before: $0.text(manifest), after: $0.text(smallest))
        }
    }
}
