import RigModel

extension EvidenceChecker {
    /// A completed file must consist of one version of one video only.
    ///
    /// Looks for bytes of the previous version in a file that the worker called completed. Size,
    /// type and exit code of such a file are right; only its bytes are wrong. The complete previous
    /// version is not a mixture: ``stale`` handles it. A missing completed file is a finding of
    /// ``completion``.
    static let stitched = EvidenceChecker(
        checker: .stitched, counts: [.any], applies: { $0.workload != .offlineLibrary },
        details: { kill in
            guard let resumption = kill.evidence.resumption, resumption.endedWell,
                !resumption.isStale, let stale = resumption.stale, let first = stale.ranges.first
            else { return [] }
            let which = kill.evidence.relaunch == .other ? "video" : "version"
            // Nothing of the new version is there.
            let all = stale.count == resumption.fileLength ? "all " : ""
            return [
                "\(all)\(Wording.bytes(stale.count)) of the completed file are of the \(which)"
                    + " before, the first at \(first.lowerBound), and the worker ended with"
                    + " \(resumption.death.words)"
            ]
        })
}
