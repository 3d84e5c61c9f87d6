import RigModel

extension EvidenceChecker {
    /// A completed file must consist of one version of one video: size, type and exit code of a
    /// mixture are right, and only its bytes are wrong.
    ///
    /// The whole previous version is left to ``stale``, a missing file to ``completion``.
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
                "\(all)\(stale.count.counted("byte")) of the completed file are of the \(which)"
                    + " before, the first at \(first.lowerBound), and the worker ended with"
                    + " \(resumption.death.words)"
            ]
        })
}
