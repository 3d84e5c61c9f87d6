import RigModel

/// Compares evidence with a promise.
///
/// All that is true of a checker stands in its file; ``Checker/type`` lists them.
protocol EvidenceChecker: Sendable {
    static var checker: Checker { get }

    /// False for a comparison of two sources: without the second one the figures rest on one, and
    /// the summary says so.
    static var judgesPromise: Bool { get }

    /// What a worker that never offers it does not owe.
    static var needs: Set<EvidenceSource> { get }

    /// Where its findings count although the kill proves nothing about its cost.
    static var counts: Set<KillCircumstance> { get }

    /// The points of the contract that it decides.
    static var points: Set<ContractPoint.Name> { get }

    /// False for a checker of bytes, in a workload that has none.
    static func knows(_ workload: Workload) -> Bool

    /// Whether workload and policy promise what it checks.
    static func applies(to evidence: IterationEvidence) -> Bool

    /// The findings with their figures, one line each; empty when nothing is wrong.
    ///
    /// A checker without the evidence it needs finds nothing; ``lacksEvidence(_:_:)`` reports that.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String]

    /// Those of the findings that count whatever became of the kill.
    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [String]

    /// Whether it could not check for lack of evidence; false too when there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool
}

/// A source that only some workers offer, as their rows show.
enum EvidenceSource {
    case page, state, requests

    func isOffered(in row: IterationRow) -> Bool {
        switch self {
        case .page: row.phase != nil
        case .state: row.integrity != nil
        case .requests: row.servedBytes != nil
        }
    }
}

/// What became of a kill that proves nothing about its cost.
enum KillCircumstance {
    case any
    /// The worker had done all of its work before the kill came.
    case tooLate
    /// The state could not be read after it.
    case unreadState
}

extension EvidenceChecker {
    static var judgesPromise: Bool { true }
    static var needs: Set<EvidenceSource> { [] }
    static var counts: Set<KillCircumstance> { [] }
    static var points: Set<ContractPoint.Name> { [.resumes] }

    static func knows(_ workload: Workload) -> Bool { workload.hasBytes }
    static func applies(to evidence: IterationEvidence) -> Bool { true }

    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        counts.contains(.any) ? details(evidence, figures) : []
    }

    /// False, for a checker whose evidence is always there.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        false
    }

    static func findings(_ details: [String]) -> [Finding] {
        details.map { Finding(checker: checker, detail: Wording.oneLine($0)) }
    }
}

extension Checker {
    var type: any EvidenceChecker.Type {
        switch self {
        case .bound: BoundChecker.self
        case .nullControl: NullControlChecker.self
        case .durability: DurabilityChecker.self
        case .integrity: IntegrityChecker.self
        case .ledger: LedgerChecker.self
        case .agreement: AgreementChecker.self
        case .unearned: UnearnedChecker.self
        case .duplicates: DuplicatesChecker.self
        case .ranges: RangesChecker.self
        case .eviction: EvictionChecker.self
        case .commits: CommitsChecker.self
        case .resumption: ResumptionChecker.self
        case .completion: CompletionChecker.self
        case .stitched: StitchedChecker.self
        case .stale: StaleChecker.self
        case .delivery: DeliveryChecker.self
        case .offline: OfflineChecker.self
        case .library: LibraryChecker.self
        case .check: CheckChecker.self
        case .crash: CrashChecker.self
        case .exit: ExitChecker.self
        case .falseSuccess: FalseSuccessChecker.self
        case .hang: HangChecker.self
        case .leftover: LeftoverChecker.self
        }
    }
}

extension IterationEvidence {
    /// True under `disabled` (B2).
    ///
    /// A worker that does not save by the threshold has no such mode.
    var promisesNothing: Bool {
        workload != .offlineLibrary && plan.policy.threshold == nil && contract.isByThreshold
    }

    /// True where ranges are saved and kept.
    ///
    /// A list that is replaced has none, and is always fetched again.
    var savesByRange: Bool { workload != .offlineLibrary && !promisesNothing }
}
