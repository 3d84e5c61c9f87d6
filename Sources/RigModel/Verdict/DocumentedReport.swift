/// What `rig kill-test --documented` found.
package struct DocumentedReport: Sendable, Hashable {
    /// The run's name.
    package let runID: String
    /// The seed that every part's plan follows from.
    package let seed: UInt64
    /// Every promise, in order.
    package let results: [PromiseResult]
    /// Parts that could not be run, ended early, could not say, or found what no promise of theirs
    /// counts.
    package let failures: [PartFailure]

    /// A report.
    package init(
        runID: String, seed: UInt64, results: [PromiseResult], failures: [PartFailure]
    ) {
        self.runID = runID
        self.seed = seed
        self.results = results
        self.failures = failures
    }

    /// 99 when a promise is broken, 98 when one is undecided or could not be judged in full; a part's own code when
    /// it failed in a way that is worse.
    package var status: ExitStatus {
        let promises = results.compactMap { result -> ExitStatus? in
            switch result.verdict {
            case .broken: .gateFailed
            case .notJudged, .undecided: .inconclusive
            case .holds: result.isPartial ? .inconclusive : nil
            }
        }
        return ExitStatus.worst(promises + failures.map(\.status))
    }
}
