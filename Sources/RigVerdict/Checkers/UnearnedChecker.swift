package import RigModel

/// A worker has no byte that none of its lives received.
///
/// One that finds the video elsewhere, in a file that it kept outside of its folder, in another
/// program's memory, or in itself, loses nothing at any kill, and shows nothing by that.
package enum UnearnedChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.unearned

    /// What was kept, and what the completed file holds and the relaunched worker did not fetch, was
    /// taken off a socket in the life that was killed, or was there before it.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let earned = earned(evidence), let held = held(evidence, figures) else { return [] }
        let unearned = held.subtracting(earned)
        guard !unearned.isEmpty else { return [] }
        return [
            "\(Wording.bytes(unearned.count)) of the video were there that the worker had not"
                + " received, at \(Wording.places(unearned)): it has them from elsewhere"
        ]
    }

    /// Takes the kernel's word for what was received, and what was kept or completed.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        earned(evidence) == nil || held(evidence, figures) == nil
    }

    /// What the worker can have; nil when not known.
    private static func earned(_ evidence: IterationEvidence) -> ByteRanges? {
        guard let before = evidence.isOfFirstLife ? ByteRanges() : evidence.baseline,
            let sockets = evidence.sockets, let taken = sockets.taken
        else { return nil }
        return taken.union(sockets.mayBeTaken).union(before)
    }

    /// Right bytes that it had without the relaunch's help; nil when not known.
    private static func held(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> ByteRanges? {
        let completed = completed(evidence, figures)
        guard let recovered = figures.recovered else { return completed }
        return recovered.union(completed ?? ByteRanges())
    }

    private static func completed(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> ByteRanges? {
        // A list that was replaced meanwhile is not fetched again, nor there any more.
        guard evidence.workload != .offlineLibrary, !evidence.originChanged,
            let resumption = evidence.resumption, resumption.endedWell,
            let fetched = figures.refetched, let differing = resumption.differingBytes,
            let wrong = resumption.wrong ?? (differing == 0 ? ByteRanges() : nil)
        else { return nil }
        return figures.video.subtracting(fetched).subtracting(wrong)
    }
}
