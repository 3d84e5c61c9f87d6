import RigModel

extension EvidenceChecker {
    /// The relaunched worker must finish with exit code 0, and the completed file must equal the
    /// video.
    ///
    /// A worker that writes the file from what it keeps must keep the whole video. A relaunch after
    /// a power cut of which not everything is known shows nothing.
    static let completion = EvidenceChecker(
        checker: .completion, details: { $0.evidence.incompleteness },
        // Without a relaunch, what became of the kill explains that there is none.
        always: { $0.evidence.resumption == nil ? [] : $0.evidence.incompleteness },
        lacksEvidence: { $0.evidence.unseen != nil })
}

extension IterationEvidence {
    fileprivate var incompleteness: [String] {
        guard let resumption else {
            return unseen != nil
                ? [] : ["the worker was not relaunched, so nothing shows that it can finish"]
        }
        // The next kill of a chain ended this relaunch; the next row judges it.
        if resumption.wasKilled || repeatsDoneWork { return [] }
        var details: [String?] = []
        let complaint = resumption.complaint.map { ": \($0.suffix(300))" } ?? ""
        // If something else ended it, it is unknown whether it would have finished.
        if !resumption.endedWell {
            guard excuse(of: .relaunched) == nil else { return [] }
            details.append("the relaunched worker ended with \(resumption.death.words)\(complaint)")
        } else if resumption.differingBytes == nil {
            details.append(
                "the relaunched worker ended well and left no completed file\(complaint)")
        }
        details.append(wrongBytes(resumption))
        // A worker can hand out what it has received, and keep something else.
        if resumption.endedWell {
            details.append(
                resumption.notKept?.told("of the completed video are not kept, or not rightly"))
        }
        return details.compactMap(\.self)
    }

    private func wrongBytes(_ resumption: Resumption) -> String? {
        // Whole, it lacks nothing, though the new version may be longer.
        guard let differing = resumption.differingBytes, !resumption.isStale else { return nil }
        // Bytes of the previous version in a completed file are left to `stitched` and `stale`.
        if let cut = resumption.cut { return "the completed file \(cut.words)" }
        let stale = resumption.endedWell ? resumption.stale?.count ?? 0 : 0
        let count = differing - stale
        guard count > 0 else { return nil }
        let surplus = workload == .download && stale == 0 ? resumption.surplus ?? 0 : 0
        if surplus > 0, surplus == differing {
            return "the completed file is \(surplus.counted("byte")) too long"
        }
        let first = Wording.past(surplus) + Wording.place(resumption.firstDifference)
        let rest = stale > 0 ? " and the version's before" : first
        return "\(count.counted("byte")) \(workload.wrong)\(rest)"
    }
}
