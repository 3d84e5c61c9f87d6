package struct DocumentedReport: Sendable, Hashable {
    package let runID: String
    package let seed: UInt64
    package let results: [PromiseResult]
    /// Parts that cannot be relied on, or with findings that none of their promises counts.
    package let failures: [PartFailure]
    package let documented: [DocumentedRow]

    package init(
        runID: String, seed: UInt64, results: [PromiseResult], failures: [PartFailure],
        documented: [DocumentedRow] = []
    ) {
        (self.documented, self.runID, self.seed, self.results) = (documented, runID, seed, results)
        self.failures = failures
    }

    /// 99 if a promise is broken, 98 if not all is known; a part's own code if that is worse.
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
