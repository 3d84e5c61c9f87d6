package import RigModel

/// Why two manifests cannot be parts of one run: compares all that rows depend on and the user
/// decides, and no paths, processors or versions of the rig's SQLite.
package struct PartContradiction: Sendable, Hashable {
    /// The name in `manifest.json` of what differs.
    package let key: String
    package let first: String
    package let second: String

    package init?(_ first: Manifest, _ second: Manifest) {
        let facts = zip(Self.facts(of: first), Self.facts(of: second))
        guard let (one, other) = facts.first(where: { $0.value != $1.value }) else { return nil }
        key = one.key
        self.first = String(one.text.prefix(Self.longestText))
        self.second = String(other.text.prefix(Self.longestText))
    }

    package var words: String {
        // A long value, such as a profile, may differ only beyond the part that is shown.
        first == second ? "\(key) differs" : "\(key) is \(first) in one and \(second) in the other"
    }

    private static let longestText = 120

    private struct Fact {
        let key: String
        let text: String
        let value: AnyHashable

        init(_ key: String, _ value: some Hashable, text: String? = nil) {
            (self.key, self.value) = (key, AnyHashable(value))
            self.text = text ?? String(describing: value)
        }
    }

    private static func facts(of manifest: Manifest) -> [Fact] {
        let plan = manifest.plan
        return [
            Fact("schema", manifest.schema),
            Fact("versions.rig", manifest.versions["rig"] ?? "not known"),
            Fact("versions.judge", manifest.versions["judge"] ?? "not known"),
            Fact("plan.seed", plan.seed),
            Fact("plan.iterations", plan.iterations),
            Fact("plan.policies", plan.policies.map { "\($0.name) \($0.durability.rawValue)" }),
            Fact("plan.trigger", plan.trigger.rawValue),
            Fact("plan.pinned", plan.at ?? "nothing"),
            Fact("plan.video_length", plan.videoLength),
            Fact("plan_digest", manifest.planDigest),
            Fact("plan", plan),
            Fact("worker", manifest.worker),
            Fact(
                "profile", manifest.profile,
                text: manifest.profile.map { ShellWord.line($0.command) } ?? "none"),
            Fact("fault", manifest.faultText),
            Fact("workload", manifest.workload.rawValue),
            Fact("settings", pairs(manifest.settings)),
            Fact("environment", pairs(manifest.environment)),
            Fact("video.length", manifest.video.length),
            Fact("video.etag", manifest.video.etag),
            Fact("bandwidth", manifest.bandwidth.map { "\($0) B/s" } ?? "unlimited"),
            Fact("origin_faults", (manifest.originFaults ?? []).map(\.text)),
            Fact("tls", manifest.tls ?? false),
            Fact("crash_model", manifest.crashModel?.words ?? "the usual one"),
            Fact("call_failure", manifest.callFailure?.text ?? "none"),
            Fact("relaunch", (manifest.relaunch ?? .once).words),
            Fact("time_limit", manifest.timeLimit.map { "\($0) s" } ?? "the usual one"),
            Fact("gates", manifest.gates),
        ]
    }

    private static func pairs(_ values: [String: String]?) -> [String] {
        (values ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}
