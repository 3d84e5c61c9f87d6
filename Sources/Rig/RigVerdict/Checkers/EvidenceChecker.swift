import RigModel

/// A promise, and how the evidence of a kill is compared with it.
///
/// All that is true of a checker stands in its file; ``all`` lists them.
struct EvidenceChecker: Sendable {
    let checker: Checker
    /// False for a comparison of two sources: without one, the summary says what rests on one.
    var judgesPromise = true
    /// What a worker that never offers it does not owe.
    var needs: Set<EvidenceSource> = []
    /// Where its findings count although the kill proves nothing about its cost.
    var counts: Set<KillCircumstance> = []
    var points: Set<ContractPoint.Name> = [.resumes]
    /// False for a checker of bytes, in a workload that has none.
    var knows: @Sendable (Workload) -> Bool = { $0.hasBytes }
    /// Whether workload and policy promise what it checks.
    var applies: @Sendable (IterationEvidence) -> Bool = { _ in true }
    /// The findings with their figures, one line each; none too where the evidence is missing.
    let details: @Sendable (JudgedKill) -> [String]
    /// Those of the findings that count whatever became of the kill, where ``counts`` does not say.
    var always: @Sendable (JudgedKill) -> [String] = { _ in [] }
    /// Whether it could not check for lack of evidence; false too when there is nothing to check.
    var lacksEvidence: @Sendable (JudgedKill) -> Bool = { _ in false }

    /// In the order of ``Checker``.
    static let all: [EvidenceChecker] = [
        .bound, .nullControl, .durability, .integrity, .ledger, .agreement, .unearned, .duplicates,
        .ranges, .eviction, .commits, .resumption, .completion, .stitched, .stale, .delivery,
        .offline, .library, .check, .crash, .exit, .falseSuccess, .hang, .leftover,
    ]

    func inexcusable(_ kill: JudgedKill) -> [String] {
        counts.contains(.any) ? details(kill) : always(kill)
    }

    func findings(_ details: [String]) -> [Finding] {
        details.map { Finding(checker: checker, detail: Wording.oneLine($0)) }
    }
}

struct JudgedKill: Sendable {
    let evidence: IterationEvidence
    let figures: Measurements

    init(_ evidence: IterationEvidence, figures: Measurements? = nil) {
        (self.evidence, self.figures) = (evidence, figures ?? Measurements(evidence))
    }
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

extension IterationEvidence {
    /// True under `disabled` (B2), which only a worker that saves by the threshold has.
    var promisesNothing: Bool {
        workload != .offlineLibrary && plan.policy.threshold == nil && contract.isByThreshold
    }

    /// False where nothing can exceed a bound (B2, T11).
    var isBoundPromised: Bool {
        contract.isByThreshold
            ? plan.policy.boundPerRequest(under: fault) != nil : contract.bound != nil
    }

    /// False for a list that is replaced: it has no ranges, and is always fetched again.
    var savesByRange: Bool { workload != .offlineLibrary && !promisesNothing }

    /// False where the next kill of a chain ended the relaunch: no player follows it then.
    var isOfLastKill: Bool { resumption?.wasKilled != true }
}
