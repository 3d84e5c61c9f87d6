import RigModel

extension EvidenceChecker {
    /// A worker must not have bytes that none of its lives received: one that gets the video
    /// elsewhere loses nothing at any kill, and proves nothing.
    ///
    /// What is kept, or completed and not fetched, was received in the killed life, or there
    /// before.
    static let unearned = EvidenceChecker(
        checker: .unearned, judgesPromise: false, counts: [.any],
        details: { [$0.unearned].compactMap(\.self) },
        lacksEvidence: { $0.earned == nil || $0.held == nil })
}

extension JudgedKill {
    fileprivate var unearned: String? {
        guard let earned, let held else { return nil }
        return notByChance(held.subtracting(earned))
            .told("of the video were there that the worker had not received")
            .map { "\($0): it has them from elsewhere" }
    }

    /// Without bytes equal by chance beside wrong ones: what is wrong there is found anyway.
    private func notByChance(_ bytes: ByteRanges) -> ByteRanges {
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
    fileprivate var earned: ByteRanges? {
        guard
            let before = evidence.isOfFirstLife
                ? ByteRanges() : evidence.baseline ?? evidence.takenBefore,
            let taken = evidence.sockets?.mostTaken
        else { return nil }
        return taken.union(before)
    }

    /// Correct bytes that it had without the relaunch's help; nil when unknown.
    fileprivate var held: ByteRanges? {
        guard let recovered = figures.recovered else { return completed }
        return recovered.union(completed ?? ByteRanges())
    }

    private var completed: ByteRanges? {
        // The relaunch was served another version, so it has no byte of this one from there.
        if evidence.resumption?.isStale == true { return figures.video }
        return evidence.isOtherVersion ? nil : evidence.completedUnfetched
    }
}
