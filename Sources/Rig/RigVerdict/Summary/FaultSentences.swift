package import RigModel

/// What a run's fault can and cannot show: there is one bound per fault (T11).
package enum FaultSentences {
    package static let nothingOfSyncs =
        "a killed process loses nothing that was not synced, so this run says nothing about syncs:"
        + " use --fault power-cut"

    /// One line for each durability among the policies, in their order.
    package static func of(_ policies: [Policy], under fault: Fault) -> [String] {
        policies.map(\.durability).unique.map { durability in
            let hasBound = policies.contains { $0.durability == durability && $0.threshold != nil }
            let bound =
                "bound under \(fault.rawValue): "
                + (fault == .term ? "nothing once it has ended by itself, else " : "")
                + "the threshold per active request"
            switch (fault.isPowerCut, durability) {
            case (true, .power):
                return hasBound ? bound : "durability power: what is acknowledged is there"
            case (true, .process):
                return "durability process promises nothing under a power cut: no bound, and what"
                    + " was acknowledged may be gone; what is found still has to be right"
            case (false, .power):
                return
                    (hasBound ? "\(bound), and with durability power under a power cut; but " : "")
                    + nothingOfSyncs
            case (false, .process):
                return (hasBound ? "\(bound); " : "")
                    + "durability process promises nothing under a power cut"
            }
        }
    }
}
