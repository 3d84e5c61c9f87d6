/// What a worker's commits must survive.
package enum Durability: String, Sendable, Hashable, Codable, CaseIterable {
    /// A killed process: the kernel and its page cache survive.
    case process
    /// A power cut: only synced data survives.
    case power
}

/// The worker's commit policy: when it saves, and what a save must survive.
package struct Policy: Sendable, Hashable, Codable {
    /// The number of unsaved bytes at which a worker commits; nil when incremental caching is
    /// disabled.
    package let threshold: ByteSize?
    /// What a commit must survive.
    package let durability: Durability

    /// A policy with a threshold, or `disabled` where it is nil.
    package init(threshold: ByteSize?, durability: Durability = .process) {
        self.threshold = threshold
        self.durability = durability
    }

    /// The documents' names for thresholds, in bytes (B11).
    package static let presets: KeyValuePairs<String, Int64> = [
        "conservative": 256 << 10, "default": 512 << 10, "aggressive": 1 << 20,
    ]

    /// Parses `512KB`, `1MB`, any size, one of the ``presets``, or `disabled`; nil for other text.
    package init?(_ text: String, durability: Durability = .process) {
        if text.lowercased() == "disabled" {
            self.init(threshold: nil, durability: durability)
            return
        }
        let preset = Self.presets.first { $0.key == text.lowercased() }?.value
        guard let size = preset.map(ByteSize.init(bytes:)) ?? ByteSize(text), size.bytes > 0 else {
            return nil
        }
        self.init(threshold: size, durability: durability)
    }

    /// The policy's name in tables, gates and options: `512KB`, `disabled`.
    package var name: String { threshold?.name ?? "disabled" }

    /// The bytes that a kill may lose per active request (B1, T11); nil when nothing is promised.
    ///
    /// - Parameter fault: the fault injected at the kill.
    /// - Returns: the threshold; nil without one, and under a fault that commits need not survive.
    package func boundPerRequest(under fault: Fault) -> Int64? {
        survives(fault) ? threshold?.bytes : nil
    }

    /// True when acknowledged data must be present after the fault (B5, T11).
    ///
    /// Commits that only survive a killed process promise nothing under a power cut, except that
    /// the data found is correct.
    package func survives(_ fault: Fault) -> Bool {
        !fault.isPowerCut || durability == .power
    }

    /// The documented loss of this policy, in percent of the received bytes (B2, B4).
    package var documentedLossPercent: String? {
        switch threshold?.bytes {
        case nil: "97-98"
        case 512 * 1024: "3-5"
        default: nil
        }
    }
}
