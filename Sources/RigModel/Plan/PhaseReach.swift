/// The phases that the workers of a run go through, so that a kill planned there can land.
///
/// A function of the run's settings, as the plan is: nothing is started to find out.
package struct PhaseReach: Sendable, Hashable {
    private let workload: Workload
    private let policies: [Policy]
    private let videoLength: Int64
    private let capacity: Int64?

    /// The reach of a run.
    ///
    /// - Parameters:
    ///   - workload: what the worker does.
    ///   - policies: each of them must get to a phase for it to be in reach.
    ///   - videoLength: all byte positions of the workload.
    ///   - capacity: the most bytes that the worker is to keep; nil without a limit.
    package init(workload: Workload, policies: [Policy], videoLength: Int64, capacity: Int64?) {
        self.workload = workload
        self.policies = policies
        self.videoLength = videoLength
        self.capacity = capacity
    }

    /// The phases in reach, in the order of a life.
    package var phases: [Phase] { Phase.allCases.filter { objection(to: $0) == nil } }

    /// Why no kill can be planned in a phase, and what to do; nil where one can.
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
                ? nil : "nobody cancels a download; add --workload playback or switching"
        default: return nil
        }
    }

    /// A list is replaced as a whole and saved anew with each refresh: what came before a kill in
    /// `starting` or `recovering` says nothing, and a worker that refreshes for ever does not end.
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
    /// True for a phase that comes before the first byte of a life: a kill there proves something
    /// only about what an earlier life has left.
    package func needsEarlierLife(_ phase: Phase) -> Bool {
        switch phase {
        case .starting, .recovering: true
        // A player's later requests connect when bytes have come.
        case .connecting: self == .download
        default: false
        }
    }

    /// Which time a worker that began with nothing enters a phase is the first that proves
    /// something: before, nothing but a probe's two bytes has been received (C3).
    package func firstTellingEntry(of phase: Phase) -> Int {
        switch phase {
        case .connecting where self != .download: 2
        case .receiving where self != .offlineLibrary: 2
        case .completing where self != .offlineLibrary: 2
        // A proxy is idle until its player comes.
        case .idle where hasPlayer: 2
        default: 1
        }
    }
}
