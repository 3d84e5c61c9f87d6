/// What a worker's commits must survive.
package enum Durability: String, Sendable, Hashable, Codable, CaseIterable {
    /// A killed process: the kernel and its page cache survive.
    case process
    /// A power cut: only synced data survives.
    case power
}

/// The worker's commit policy: when it saves, and what a save must survive.
package struct Policy: Sendable, Hashable, Codable {
    /// The unsaved bytes at which a worker commits, of two players the larger, which is the
    /// worker's own; nil when incremental caching is disabled.
    package let threshold: ByteSize?
    package let durability: Durability
    /// The thresholds of players at the same time (S5), each with its video; nil for one policy,
    /// empty for a program that downloads nothing.
    package let players: [ByteSize]?

    /// The policy of a program that downloads nothing: what it has said must survive everything.
    package static let program = Policy(nil, .power, players: [])

    private init(_ threshold: ByteSize?, _ durability: Durability, players: [ByteSize]?) {
        (self.threshold, self.durability, self.players) = (threshold, durability, players)
    }

    package var isOfProgram: Bool { players?.isEmpty == true }

    package init(threshold: ByteSize?, durability: Durability = .process) {
        self.init(threshold, durability, players: nil)
    }

    /// A policy of two players; nil unless there are two that differ: with equal thresholds, a
    /// worker that has one for all could not be told from a right one.
    package init?(players: [Policy], durability: Durability) {
        let thresholds = players.compactMap(\.threshold)
        guard players.count == 2, thresholds.count == 2, thresholds[0] != thresholds[1],
            players.allSatisfy({ $0.players == nil })
        else { return nil }
        let larger = thresholds[0].bytes > thresholds[1].bytes ? thresholds[0] : thresholds[1]
        self.init(larger, durability, players: thresholds)
    }

    package var each: [Policy] {
        isOfProgram
            ? [self] : players?.map { Policy(threshold: $0, durability: durability) } ?? [self]
    }

    /// The documents' names for thresholds, in bytes (B11).
    package static let presets: KeyValuePairs<String, Int64> = [
        "conservative": 256 << 10, "default": 512 << 10, "aggressive": 1 << 20,
    ]

    /// Parses a size, one of the ``presets``, `disabled`, `256KB+1MB` for two, or `program`.
    package init?(_ text: String, durability: Durability = .process) {
        if text.contains("+") {
            let parts = text.split(separator: "+", omittingEmptySubsequences: false)
                .compactMap { Policy(String($0), durability: durability) }
            self.init(players: parts, durability: durability)
            return
        }
        if text.lowercased() == "disabled" {
            self.init(threshold: nil, durability: durability)
            return
        }
        if text == Self.program.name {
            self = .program
            return
        }
        let preset = Self.presets.first { $0.key == text.lowercased() }?.value
        guard let size = preset.map(ByteSize.init(bytes:)) ?? ByteSize(text), size.bytes > 0 else {
            return nil
        }
        self.init(threshold: size, durability: durability)
    }

    /// The name in tables, gates and options: `512KB`, `disabled`, `256KB+1MB` or `program`.
    package var name: String {
        isOfProgram
            ? "program"
            : players?.map(\.name).joined(separator: "+") ?? threshold?.name ?? "disabled"
    }

    /// What active requests may lose together where commits survive: a threshold of each player,
    /// and at most one more of the largest for each further request; nil without a threshold.
    package func mayLose(activeRequests: Int) -> ClosedRange<Int64>? {
        guard let threshold = threshold?.bytes else { return nil }
        let one = players?.reduce(0) { $0 + $1.bytes } ?? threshold
        let (more, isTooMuch) = threshold.multipliedReportingOverflow(
            by: Int64(max(1, activeRequests) - 1))
        let (most, overflow) = one.addingReportingOverflow(more)
        return one...(isTooMuch || overflow ? .max : most)
    }

    /// What a kill may lose per active request (B1, T11); nil where commits need not survive.
    package func boundPerRequest(under fault: Fault) -> Int64? {
        survives(fault) ? threshold?.bytes : nil
    }

    /// True when acknowledged data must be present after the fault (B5, T11): otherwise commits
    /// promise only that the data found is correct.
    package func survives(_ fault: Fault) -> Bool { !fault.isPowerCut || durability == .power }

    /// The documented loss of this policy, in percent of the received bytes (B2, B4).
    package var documentedLossPercent: String? {
        guard players == nil else { return nil }
        return switch threshold?.bytes {
        case nil: "97-98"
        case 512 * 1024: "3-5"
        default: nil
        }
    }
}
