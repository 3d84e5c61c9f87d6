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
    private let parts: [Part]

    private enum Part { case threshold, moment, videoSize }

    package init(_ kill: StoredKill) {
        let plan = kill.manifest.plan.repeating(kill.planned)
        manifest = kill.manifest.with(plan: plan, video: kill.manifest.video)
        var parts: [Part] = []
        if manifest.workload.hasBytes, kill.planned.policy.threshold != nil,
            kill.planned.policy.players == nil
        {
            parts.append(.threshold)
        }
        switch kill.planned.first.trigger {
        case .ending, .phase, .recovery, .never: break
        case .bytes, .flowing, .time, .syscall, .said: parts.append(.moment)
        }
        if manifest.video.source == "fixture", manifest.workload != .offlineLibrary,
            manifest.workload.hasBytes
        {
            parts.append(.videoSize)
        }
        self.parts = parts
    }

    private var policy: Policy { manifest.plan.policies[0] }

    /// The numbers: a small threshold permits an early moment, and that a small video.
    package var dimensions: [ShrinkDimension] {
        parts.map { part in
            switch part {
            case .threshold:
                let bytes = policy.threshold?.bytes ?? 0
                return ShrinkDimension(
                    name: "threshold", least: 1, value: bytes / Self.unit(of: bytes))
            case .moment: return momentDimension
            case .videoSize:
                let unit = Self.unit(of: manifest.video.length)
                return ShrinkDimension(
                    name: "video size", least: (FixtureVideo.minimumLength + unit - 1) / unit,
                    value: manifest.video.length / unit)
            }
        }
    }

    private var momentDimension: ShrinkDimension {
        switch manifest.plan.pinned {
        case .bytes(let count), .flowing(let count):
            ShrinkDimension(name: "byte", least: 1, value: count)
        case .time(let fraction):
            // As many decimals as `--at` takes; a fraction within a hundredth is precise enough.
            ShrinkDimension(
                name: "fraction", least: 1, value: Int64((fraction * 1e6).rounded()), grain: 10_000)
        case .syscall(let moment):
            ShrinkDimension(name: "call", least: 1, value: Int64(moment.ordinal))
        case .said(let lines): ShrinkDimension(name: "line", least: 1, value: Int64(lines))
        case .ending, .phase, .recovery, .never, nil:
            ShrinkDimension(name: "moment", least: 1, value: 1)
        }
    }

    /// The manifest with other numbers, one per dimension; nil when they do not fit together.
    package func manifest(_ values: [Int64]) -> Manifest? {
        var policy = policy
        var pinned = manifest.plan.pinned
        var video = manifest.video
        for (part, value) in zip(parts, values) {
            switch part {
            case .threshold:
                policy = Policy(
                    threshold: policy.threshold.map {
                        ByteSize(bytes: value * Self.unit(of: $0.bytes))
                    }, durability: policy.durability)
            case .moment: pinned = moved(pinned, to: value)
            case .videoSize:
                video = Manifest.Video(
                    source: video.source, length: value * Self.unit(of: video.length), etag: "")
            }
        }
        let length = manifest.workload.length(videoLength: video.length, policies: [policy])
        guard length >= 3 else { return nil }
        switch pinned {
        case .bytes(let count), .flowing(let count): guard count < length else { return nil }
        default: break
        }
        let old = manifest.plan
        let plan = KillPlan(
            seed: old.seed, iterations: 1, policies: [policy], trigger: old.trigger,
            pinned: pinned, videoLength: length, refinement: old.refinement ?? .init())
        return manifest.with(plan: plan, video: video)
    }

    private func moved(_ trigger: Trigger?, to value: Int64) -> Trigger? {
        switch trigger {
        case .bytes: .bytes(value)
        case .flowing: .flowing(value)
        case .time: .time(Double(value) / 1e6)
        case .syscall(let moment):
            .syscall(CallMoment(ordinal: Int(value), edge: moment.edge, name: moment.name))
        case .said: .said(Int(value))
        case .ending, .phase, .recovery, .never, nil: trigger
        }
    }

    private static func unit(of bytes: Int64) -> Int64 { bytes.isMultiple(of: 1024) ? 1024 : 1 }

    /// The changes to these numbers, one per dimension, as text for the user.
    package func changes(_ values: [Int64]) -> [ShrunkKill.Change] {
        guard let smallest = manifest(values) else { return [] }
        return zip(parts, dimensions).map { part, dimension in
            ShrunkKill.Change(
                name: dimension.name, before: text(part, manifest), after: text(part, smallest))
        }
    }

    private func text(_ part: Part, _ manifest: Manifest) -> String {
        switch part {
        case .threshold: manifest.plan.policies[0].name
        case .moment: manifest.plan.pinned?.planned ?? ""
        case .videoSize: ByteSize(bytes: manifest.video.length).name
        }
    }
}
