/// The phases that a run's workers enter, by its settings alone, so that a kill there can land.
package struct PhaseReach: Sendable, Hashable {
    private let workload: Workload
    private let policies: [Policy]
    private let videoLength: Int64
    private let capacity: Int64?

    package init(workload: Workload, policies: [Policy], videoLength: Int64, capacity: Int64?) {
        (self.workload, self.policies, self.videoLength) = (workload, policies, videoLength)
        self.capacity = capacity
    }

    /// The phases in reach, in the order in which a worker enters them.
    package var phases: [Phase] { Phase.allCases.filter { objection(to: $0) == nil } }

    /// Why no kill can be planned in a phase, and what to do; nil when one can.
    package func objection(to phase: Phase) -> String? {
        if workload == .offlineLibrary { return libraryObjection(to: phase) }
        switch phase {
        case .committing:
            let one = videoLength / Int64(workload.videoCount)
            let late = policies.first { ($0.threshold?.bytes ?? .max) > one }
            return late.map {
                "with \($0.name) nothing is saved before a request ends, which is completing; give "
                    + "thresholds below the video's size"
            }
        case .evicting:
            guard workload.hasPlayer else {
                return
                    "a download drops nothing; add --workload playback --set capacity=SIZE, with "
                    + "a size below the video's"
            }
            guard let capacity, capacity < videoLength else {
                return "there is room for everything; add --set capacity=SIZE, with a size below "
                    + "that of all videos, \(ByteSize(bytes: videoLength))"
            }
            return nil
        case .cancelling:
            return workload.hasPlayer
                ? nil : "a download is never cancelled; add --workload playback or switching"
        default: return nil
        }
    }

    /// Each refresh replaces the whole list, and a worker that refreshes forever does not end.
    private func libraryObjection(to phase: Phase) -> String? {
        switch phase {
        case .connecting, .receiving, .committing, .completing: nil
        default:
            "a library that is refreshed over and over is never in it after its first byte; use "
                + "connecting, receiving, committing or completing"
        }
    }
}

extension Workload {
    /// True for a phase before the first byte: a kill there only tests what an earlier life left.
    package func needsEarlierLife(_ phase: Phase) -> Bool {
        switch phase {
        case .starting, .recovering: true
        // A player's later requests connect after bytes have arrived.
        case .connecting: self == .download
        default: false
        }
    }

    package func needsEarlierLife(_ plan: PlannedIteration) -> Bool {
        if case .phase(let phase) = plan.first.trigger { needsEarlierLife(phase) } else { false }
    }

    /// The first entry, in a life from empty state, at which a kill proves something: before it
    /// only a probe's two bytes have been received (C3).
    package func firstTellingEntry(of phase: Phase) -> Int {
        switch phase {
        case .connecting where self != .download: 2
        case .receiving where self != .offlineLibrary: 2
        case .completing where self != .offlineLibrary: 2
        // A proxy is idle until its player connects.
        case .idle where facts.hasPlayer: 2
        default: 1
        }
    }
}
