package import RigModel

package struct FailureBrief: Sendable {
    /// What failed how often: `10 of 30 kills lost bytes that the program had called safe`.
    let headline: String
    /// The rest of what failed, most frequent first: `3 kills left damaged data`.
    let others: [String]
    let kill: String
    let reason: String
    /// `84 more like it, 1 other in the report`; empty if no more rows failed.
    let more: String
    let command: String
    let call: CallBrief?

    package init?(_ run: ReportedRun) {
        let failed = run.rows.filter { $0.verdict == .fail }
        let found = Self.ranked(failed)
        let main = found.first?.checker
        let isExample = { (row: IterationRow) in main.map(row.checkers.contains) ?? true }
        // The first kill that failed may be the odd one out.
        guard
            let (example, alike) = ReasonKind.mostFrequent(
                of: failed.filter(isExample), by: { Self.detail(of: $0, main) })
        else { return nil }
        let unit = run.unit
        func sentence(_ checker: Checker?, _ rows: String) -> String {
            guard let checker else { return "\(rows) failed" }
            return checker.words.isAboutProgram
                ? "\(run.manifest.worker) \(checker.words.failure) in \(rows)"
                : "\(rows) \(checker.words.failure)"
        }
        let all = run.rows.count { $0.verdict != .inconclusive }
        let share = "\(found.first?.rows ?? failed.count) of \(all.counted(unit))"
        headline = sentence(main, share)
        self.others = found.dropFirst().map { sentence($0.checker, $0.rows.counted(unit)) }
        let isChain = run.manifest.plan.kills > 1
        kill = "\(isChain || example.isSpared ? "iteration" : "kill") \(example.iteration)"
        let place = [
            run.summary.policies.count > 1 ? example.policy : nil,
            isChain ? "kill \(example.kill)" : nil,
            example.isSpared ? nil : example.phase.map { "while \($0.activity)" },
        ].compactMap(\.self).joined(separator: ", ")
        reason = (place.isEmpty ? "" : "\(place): ") + Self.detail(of: example, main)
        let others = failed.count - alike
        more = [
            alike > 1 ? "\(alike - 1) more like it" : nil,
            others > 0 ? "\(others.counted("other")) in the report" : nil,
        ].compactMap(\.self).joined(separator: ", ")
        command = RowIdentity(example).replayCommand(
            folder: run.folder, isOnlyPolicy: run.manifest.plan.policies.count == 1)
        call = CallBrief(of: example, among: failed, in: run.manifest)
    }

    /// The checkers with findings, the most frequent first, then what costs the user most.
    private static func ranked(_ failed: [IterationRow]) -> [(checker: Checker, rows: Int)] {
        let order = gravest + Checker.allCases.filter { !gravest.contains($0) }
        return order.enumerated().compactMap { place, checker in
            let rows = failed.count { $0.checkers.contains(checker) }
            return rows > 0 ? (checker, rows, place) : nil
        }.sorted { (-$0.1, $0.2) < (-$1.1, $1.2) }.map { ($0.0, $0.1) }
    }

    private static let gravest: [Checker] = [
        .nullControl, .crash, .hang, .falseSuccess, .durability, .integrity, .bound, .completion,
    ]

    private static func detail(of row: IterationRow, _ checker: Checker?) -> String {
        guard let checker else { return row.reason }
        if checker == .bound, let lost = row.lostBytes, let bound = row.boundBytes, lost > bound {
            return "\(VerdictFigure.grouped(lost)) bytes lost, where"
                + " \(VerdictFigure.grouped(bound)) are allowed"
        }
        return row.finding(of: checker) ?? row.reason
    }
}

/// How to let one call fail again, and nothing else.
struct CallBrief {
    let command: String
    /// The other calls that did harm: `4, 7, 9 and 2 more in the report`; empty if none did.
    let others: String

    private static let most = 20

    init?(of example: IterationRow, among failed: [IterationRow], in manifest: Manifest) {
        func moment(_ row: IterationRow) -> String? {
            manifest.failingCall(iteration: row.iteration, policy: row.policy)
        }
        guard
            let command = manifest.failingCallCommand(
                iteration: example.iteration, policy: example.policy)
        else { return nil }
        self.command = command
        let others = failed.filter { $0.policy == example.policy }.compactMap(moment).unique
            .filter { $0 != moment(example) }
        let rest = others.count - Self.most
        self.others =
            others.prefix(Self.most).joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more in the report" : "")
    }

    var lines: [(label: String, text: String)] {
        [("One call", command)] + (others.isEmpty ? [] : [("Others", "--at \(others)")])
    }
}

extension ReportedRun {
    /// What a row stands for: `kill`, `power cut`, or `iteration` when nothing was killed.
    var unit: String {
        if sparesWorkers { return "iteration" }
        if manifest.fault == .callError, manifest.plan.kills == 1 { return "failing call" }
        if manifest.fault == .diskFull { return "full disk" }
        return manifest.fault.isPowerCut ? "power cut" : "kill"
    }
}

package struct ReportedRun: Sendable {
    package let manifest: Manifest
    package let rows: [IterationRow]
    package let summary: RunSummary
    /// The run's folder, as named in commands.
    package var folder: String
    /// The stored details of the kills shown in detail (``ReportPage/detailed(_:)``).
    package var details: [RowIdentity: KillDetails]
    /// What was not synced at each modelled power cut.
    package var unsynced: [[UnsyncedFileFacts]] = []

    /// True for a run without kills, which has no loss, recovery or kill moments to show.
    var sparesWorkers: Bool { manifest.plan.sparesWorkers }

    /// False for a program that downloads nothing, which has neither policies nor losses.
    var hasBytes: Bool { manifest.workload.hasBytes }

    package init(
        manifest: Manifest, rows: [IterationRow], summary: RunSummary, folder: String,
        details: [RowIdentity: KillDetails] = [:]
    ) {
        (self.manifest, self.rows, self.summary) = (manifest, rows, summary)
        (self.folder, self.details) = (folder, details)
    }
}
