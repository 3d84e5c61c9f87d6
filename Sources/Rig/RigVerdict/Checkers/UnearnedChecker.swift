import RigModel

/// A worker must not have bytes that none of its lives received.
///
/// A worker that gets the video elsewhere (a file outside its folder, another program's memory, or
/// itself) loses nothing at any kill, and proves nothing.
enum UnearnedChecker: EvidenceChecker {
    static let checker = Checker.unearned
    static let judgesPromise = false
    static let counts: Set<KillCircumstance> = [.any]

    /// Kept bytes, and completed bytes that the relaunch did not fetch, must have been received in
    /// the killed life or been there before it.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let earned = earned(evidence), let held = held(evidence, figures) else { return [] }
        let unearned = unearned(held.subtracting(earned), in: evidence)
        guard !unearned.isEmpty else { return [] }
        return [
            "\(Wording.bytes(unearned.count)) of the video were there that the worker had not"
                + " received, at \(Wording.places(unearned)): it has them from elsewhere"
        ]
    }

    /// Needs the kernel's count of received bytes, and the kept or completed bytes.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        earned(evidence) == nil || held(evidence, figures) == nil
    }

    /// Without bytes that are equal by chance beside wrong ones: a shifted file has some, and what
    /// is wrong there is found anyway.
    private static func unearned(
        _ bytes: ByteRanges, in evidence: IterationEvidence
    ) -> ByteRanges {
        let stored = evidence.autopsy?.chunks.filter { !$0.failsOwnChecksum && !$0.isRecovered }
        let wrong = ByteRanges(
            (evidence.resumption?.wrong?.ranges ?? []) + (stored ?? []).map(\.range))
        let few = Tolerances.fewestRightBytes
        return ByteRanges(
            bytes.ranges.filter { run in
                guard run.upperBound - run.lowerBound < few else { return true }
                // With it fewer than this are right in a row, up to the next wrong byte.
                let around = run.upperBound - few..<run.lowerBound + few
                return wrong.intersection(ByteRanges([around])).isEmpty
            })
    }

    /// The bytes that the worker can have, or in a chain can have had; nil when unknown.
    private static func earned(_ evidence: IterationEvidence) -> ByteRanges? {
        guard
            let before = evidence.isOfFirstLife
                ? ByteRanges() : evidence.baseline ?? evidence.takenBefore,
            let taken = evidence.sockets?.mostTaken
        else { return nil }
        return taken.union(before)
    }

    /// Correct bytes that it had without the relaunch's help; nil when unknown.
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
        // The relaunch was served another version, so it has no byte of this one from there.
        if evidence.resumption?.isStale == true { return figures.video }
        return evidence.isOtherVersion ? nil : evidence.completedUnfetched
    }
}
