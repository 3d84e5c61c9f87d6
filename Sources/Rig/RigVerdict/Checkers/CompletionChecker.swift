import RigModel

/// The relaunched worker must finish, and the completed file must equal the video.
enum CompletionChecker: EvidenceChecker {
    static let checker = Checker.completion

    /// Requires a relaunch, an exit code of 0, a file without a wrong byte, and, of a worker that
    /// writes the file from what it keeps, that it keeps the whole video.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let resumption = evidence.resumption else {
            return lacksEvidence(evidence, figures)
                ? [] : ["the worker was not relaunched, so nothing shows that it can finish"]
        }
        // The next kill of a chain ended this relaunch; the next row judges it.
        if resumption.wasKilled || evidence.repeatsDoneWork { return [] }
        var details: [String] = []
        let complaint = resumption.complaint.map { ": \($0.suffix(300))" } ?? ""
        // If something else ended it, it is unknown whether it would have finished.
        if !resumption.endedWell {
            guard evidence.excuse(of: .relaunched) == nil else { return [] }
            details.append(
                "the relaunched worker ended with \(resumption.death.words)\(complaint)")
        } else if resumption.differingBytes == nil {
            details.append(
                "the relaunched worker ended well and left no completed file\(complaint)")
        }
        if let wrong = wrongBytes(evidence) { details.append(wrong) }
        // A worker can hand out what it has received, and keep something else.
        if resumption.endedWell, let missing = resumption.notKept, !missing.isEmpty {
            details.append(
                "\(Wording.bytes(missing.count)) of the completed video are not kept, or not"
                    + " rightly, at \(Wording.places(missing))")
        }
        return details
    }

    /// Without a relaunch, what became of the kill explains that there is none.
    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        evidence.resumption == nil ? [] : details(evidence, figures)
    }

    /// A relaunch after a power cut of which not everything is known shows nothing.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        evidence.unseen != nil
    }

    /// What is wrong with the completed work; nil when it is right or does not exist.
    static func wrongBytes(_ evidence: IterationEvidence) -> String? {
        guard let resumption = evidence.resumption, let differing = resumption.differingBytes,
            // Whole, it lacks nothing, though the new version may be longer.
            !resumption.isStale
        else { return nil }
        // In a file that the worker calls completed, bytes of the previous version are left to
        // ``StitchedChecker`` and ``StaleChecker``.
        if let cut = resumption.cut { return "the completed file \(cut.words)" }
        let stale = resumption.endedWell ? resumption.stale?.count ?? 0 : 0
        let count = differing - stale
        guard count > 0 else { return nil }
        let surplus = evidence.workload == .download && stale == 0 ? resumption.surplus ?? 0 : 0
        if surplus > 0, surplus == differing {
            return "the completed file is \(Wording.bytes(surplus)) too long"
        }
        let first = Wording.past(surplus) + Wording.place(resumption.firstDifference)
        let whose =
            switch evidence.workload {
            case .download: "of the completed file are unlike the video's"
            case .playback, .switching, .twoPlayers:
                "of the whole were not handed to the player, or unlike the video's"
            case .offlineLibrary: "of the refreshed list and images are unlike the origin's"
            case .check: "of what the program left are wrong"
            }
        return "\(Wording.bytes(count)) \(whose)\(stale > 0 ? " and the version's before" : first)"
    }
}
