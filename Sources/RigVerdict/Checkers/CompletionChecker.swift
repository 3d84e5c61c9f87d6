package import RigModel

/// The relaunched worker finishes, and the finished file equals the video.
package enum CompletionChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.completion

    /// A relaunch, an exit code of 0, and a file without a wrong byte.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let resumption = evidence.resumption else {
            return ["the worker was not relaunched, so nothing shows that it can finish"]
        }
        // The next kill of a chain ended it; what comes of that one is the next row's.
        if resumption.wasKilled { return [] }
        var details: [String] = []
        let complaint = resumption.complaint.map { ": \($0.suffix(300))" } ?? ""
        // Where something else ended it, it is not known whether it would have finished.
        if !resumption.endedWell {
            guard evidence.excuse(of: .relaunched) == nil else { return [] }
            details.append(
                "the relaunched worker ended with \(resumption.death.words)\(complaint)")
        } else if resumption.differingBytes == nil {
            details.append(
                "the relaunched worker ended well and left no completed file\(complaint)")
        }
        if let wrong = wrongBytes(evidence) { details.append(wrong) }
        return details
    }

    /// That there was no relaunch is a finding, and a relaunch that was killed in its turn is looked at in
    /// the next row: there is always something to see.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }

    /// What is wrong with the completed work; nil when it is right or there is none.
    static func wrongBytes(_ evidence: IterationEvidence) -> String? {
        guard let resumption = evidence.resumption, let differing = resumption.differingBytes
        else { return nil }
        // Bytes of the version before are for ``StitchedChecker`` and ``StaleChecker``, in a file
        // that the worker calls completed.
        let stale = resumption.endedWell ? resumption.stale?.count ?? 0 : 0
        let count = differing - stale
        guard count > 0 else { return nil }
        let first = Wording.place(resumption.firstDifference)
        let whose =
            switch evidence.workload {
            case .download: "of the completed file are unlike the video's"
            case .playback, .switching:
                "of the whole were not handed to the player, or unlike the video's"
            case .offlineLibrary: "of the refreshed list and images are unlike the origin's"
            }
        return "\(Wording.bytes(count)) \(whose)\(stale > 0 ? " and the version's before" : first)"
    }
}
