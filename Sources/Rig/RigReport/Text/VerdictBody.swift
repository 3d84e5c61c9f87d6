import RigModel

/// What the verdict rests on, line by line.
struct VerdictBody {
    private let run: ReportedRun
    private let failure: FailureBrief?
    /// The rows that prove something.
    private let conclusive: [IterationRow]

    init(_ run: ReportedRun, _ failure: FailureBrief?) {
        self.run = run
        self.failure = failure
        conclusive = run.rows.filter { $0.verdict != .inconclusive }
    }

    /// The lines for a terminal, with the table of policies.
    var lines: [String] {
        found.flatMap(\.lines) + policies + rest.flatMap(\.lines)
    }

    /// What was found: the failures, or the damage and the losses.
    var found: [VerdictLine] {
        guard !run.rows.isEmpty else { return [] }
        return failed + (isSound ? damage + losses : [])
    }

    /// What does not count, gates that need a word, and what is proven.
    var rest: [VerdictLine] {
        guard !run.rows.isEmpty else { return gates }
        return [leftOut, notJudged, outdated].compactMap(\.self) + gates + (isSound ? proof : [])
    }

    /// False if rows failed: figures of a broken worker would only distract from that.
    private var isSound: Bool { failure == nil || summary.status == .success }

    private var summary: RunSummary { run.summary }
    private var unit: String { run.unit }

    private func count(_ number: Int) -> String { number.counted(unit) }

    // MARK: failures

    private var failed: [VerdictLine] {
        guard let failure else { return [] }
        let more = failure.more.isEmpty ? "" : VerdictLine.unbroken(" (\(failure.more))")
        return [VerdictLine(failure.kill, failure.reason + more)]
            + failure.others.prefix(3).map { VerdictLine("also", $0) }
    }

    // MARK: losses

    private var damage: [VerdictLine] {
        let known = run.rows.filter { $0.corruptBytes != nil || $0.integrity != nil }
        let damaged = known.count { $0.corruptBytes ?? 0 > 0 || $0.integrity == false }
        let isRequired = summary.gates.contains { $0.gate == GateResult.standard.corruption }
        return [
            VerdictLine(
                "data damaged", known.isEmpty ? "not known" : count(damaged),
                isRequired ? "required: 0" : "")
        ]
    }

    private var losses: [VerdictLine] {
        guard !run.sparesWorkers, !conclusive.isEmpty else { return [] }
        let own = summary.policies.count == 1 ? summary.policies.first.map(losses) ?? [] : []
        return own + [nothingKept, early, askedToEnd, diskStates].compactMap(\.self)
    }

    private func losses(_ policy: PolicySummary) -> [VerdictLine] {
        let worst = worst(policy)
        guard let median = policy.lostBytesMedian else {
            return [VerdictLine("worst loss", worst.loss, worst.limit)]
        }
        let percent = policy.lossPercent.map {
            "\(VerdictFigure.percent($0)) of the bytes received"
        }
        let allowed = policy.allowedLossPercent.map { " (\(VerdictFigure.percent($0)) allowed)" }
        return [
            VerdictLine("worst loss", worst.loss, worst.limit),
            VerdictLine(
                "typical loss", VerdictFigure.size(median),
                percent.map { $0 + (allowed ?? "") } ?? ""),
        ]
    }

    /// The worst loss, and what limits it.
    ///
    /// Where the losses of some kills are not known, a worse one may be among them.
    private func worst(_ policy: PolicySummary) -> (loss: String, limit: String) {
        let worst = Self.worst(policy)
        let isPartial = conclusive.contains {
            $0.policy == policy.policy && $0.lostBytes == nil
        }
        guard isPartial, policy.lostBytesMax != nil else { return worst }
        return ("at least \(worst.loss)", worst.limit)
    }

    private static func worst(_ policy: PolicySummary) -> (loss: String, limit: String) {
        switch (policy.lostBytesMax, policy.boundBytes) {
        case (let lost?, let bound?):
            let sizes = VerdictFigure.sizes(lost, bound)
            return (sizes.first, "allowed: \(sizes.second)")
        case (let lost?, nil): return (VerdictFigure.size(lost), "no limit is promised")
        case (nil, let bound?): return ("not known", "allowed: \(VerdictFigure.size(bound))")
        case (nil, nil): return ("not known", "no limit is promised")
        }
    }

    /// Kills after which nothing was left: a median makes many small losses of them.
    private var nothingKept: VerdictLine? {
        let rows = conclusive.filter(\.keptNothing)
        guard let latest = rows.compactMap(\.receivedBytes).max() else { return nil }
        let byPolicy = summary.policies.map { policy in
            (policy.policy, rows.count { $0.policy == policy.policy })
        }.filter { $0.1 > 0 }
        let note =
            summary.policies.count > 1
            ? byPolicy.map { "\($0) \($1)" }.joined(separator: ", ")
            : "the latest after \(VerdictFigure.size(latest)) received"
        return VerdictLine("everything lost", "\(rows.count) of \(count(conclusive.count))", note)
    }

    /// How workers answered that were asked to end.
    private var askedToEnd: VerdictLine? {
        let asked = conclusive.filter { $0.graceSeconds != nil }
        guard !asked.isEmpty else { return nil }
        let ended = asked.compactMap(\.endSeconds)
        let grace = (run.manifest.grace ?? .standard).text
        let slowest = ended.max().map { ", within \(MetricUnit.readableSeconds($0))" } ?? ""
        return VerdictLine(
            "asked to end", "\(ended.count) of \(count(asked.count)) ended\(slowest)",
            "\(asked.count - ended.count) killed after the grace of \(grace)")
    }

    /// Kills that could not cost much, wherever a worker saves.
    private var early: VerdictLine? {
        let received = conclusive.compactMap(\.receivedBytes)
        let first: Int64 = 64 << 10
        let few = received.count { $0 <= first }
        guard few > 0, few * 2 >= received.count else { return nil }
        return VerdictLine(
            "killed early", "\(few) of \(count(received.count))",
            "within the first \(VerdictFigure.size(first)) received")
    }

    /// Where a power cut was judged by several of the states that it can leave.
    private var diskStates: VerdictLine? {
        let tried = conclusive.compactMap(\.crashStates)
        guard tried.contains(where: { $0 > 1 }) else { return nil }
        return VerdictLine(
            "disk states", "\(tried.reduce(0, +)) tried", "after \(count(tried.count))")
    }

    // MARK: policies

    /// A line for each policy, if there are several.
    private var policies: [String] {
        let all = summary.policies
        guard all.count > 1 else { return [] }
        let hasFailures = all.contains { $0.failed > 0 }
        let titles =
            ["policy", unit == "kill" ? "kills" : "\(unit)s"] + (hasFailures ? ["failed"] : [])
            + ["left out"]
            + (run.sparesWorkers ? [] : ["worst loss", "allowed", "typical loss", "share"])
        let rows = all.map { policy in
            [policy.policy, "\(policy.conclusive)"] + (hasFailures ? ["\(policy.failed)"] : [])
                + ["\(policy.inconclusive)"] + (run.sparesWorkers ? [] : Self.figures(policy))
        }
        return TextGrid.lines(titles, rows, numbers: Set(titles.indices.dropFirst()))
            .map { "  \($0)" }
    }

    private static func figures(_ policy: PolicySummary) -> [String] {
        let worst = worst(policy)
        return [
            worst.loss,
            policy.boundBytes.map { VerdictFigure.sizes(policy.lostBytesMax ?? $0, $0).second }
                ?? "-",
            policy.lostBytesMedian.map(VerdictFigure.size) ?? "-",
            policy.lossPercent.map(VerdictFigure.percent) ?? "-",
        ]
    }

    // MARK: what does not count

    private var leftOut: VerdictLine? {
        let rows = run.rows.filter { $0.verdict == .inconclusive }
        return LeftOut.words(rows).map { VerdictLine("left out", count(rows.count), $0) }
    }

    private var notJudged: VerdictLine? {
        let checkers = conclusive.flatMap(\.notJudged)
        let counts = Dictionary(grouping: checkers, by: \.self).mapValues(\.count)
        let parts = Dictionary(grouping: Checker.allCases.filter { counts[$0] != nil }) {
            counts[$0] ?? 0
        }.sorted { $0.key > $1.key }.map { times, checkers in
            "in \(times) of \(count(conclusive.count)): "
                + checkers.map(\.subject).joined(separator: ", ")
        }
        let reasons = Dictionary(grouping: conclusive.compactMap(\.whyNotJudged), by: \.self)
            .sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }
        let told = parts + (reasons.first.map { ["most often: \($0.key)"] } ?? [])
        return told.isEmpty ? nil : VerdictLine("not judged", told.joined(separator: "; "))
    }

    private var outdated: VerdictLine? {
        let stale = run.rows.count(where: \.isStale)
        guard stale > 0 else { return nil }
        return VerdictLine(
            "outdated file", count(stale), "the version before, whole; asking again is not promised"
        )
    }

    // MARK: gates

    /// The user's own gates, and those of every run that do not hold.
    private var gates: [VerdictLine] {
        summary.gates.filter { gate in
            guard gate.isStandard else { return true }
            // The failed rows have been told.
            return gate.verdict == .unknown || gate.verdict == .fails && failure == nil
        }.map { gate in
            let word =
                switch gate.verdict {
                case .holds: "gate holds"
                case .fails: "gate fails"
                case .unknown: "gate undecided"
                }
            let title = summary.policies.count > 1 ? gate.title : gate.gate
            return VerdictLine(word, "\(title): \(Self.figures(gate))")
        }
    }

    private static func figures(_ gate: GateResult) -> String {
        func text(_ value: Double) -> String {
            VerdictFigure.text(value, beside: gate.limit, in: gate.unit)
        }
        let limit = gate.value.map { VerdictFigure.text(gate.limit, beside: $0, in: gate.unit) }
        var words =
            "\(gate.value.map { "is \(text($0))" } ?? "is not known"),"
            + " limit \(limit ?? text(gate.limit))"
        if gate.unknownRows > 0 { words += ", not known of \(gate.unknownRows) more" }
        guard gate.verdict == .unknown, gate.straddles, let interval = gate.interval else {
            return words
        }
        let low = interval.low.map { "at least \(text($0))" }
        let high = interval.high.map { "at most \(text($0))" }
        words +=
            ", " + [low, high].compactMap(\.self).joined(separator: " and ")
            + " with 95 % confidence"
        return words + (gate.rowsToDecide.map { "; about \($0) kills decide it" } ?? "")
    }

    // MARK: what is proven

    private var proof: [VerdictLine] {
        [proven, points, moments, untested].compactMap(\.self)
    }

    private var proven: VerdictLine? {
        guard !run.sparesWorkers else {
            return VerdictLine("proven", "nothing about kills: none was made")
        }
        let rates = summary.policies.map(\.violationRateUCB95)
        guard let rate = rates.compactMap(\.self).max(), !rates.contains(nil) else {
            return VerdictLine("proven", "nothing, because too little could be judged")
        }
        let fewer = VerdictFigure.fewerThan(rate)
        let isSingle = rates.count == 1
        let words =
            isSingle && summary.policies.allSatisfy { $0.violations == 0 }
            ? "if \(unit)s fail, \(fewer) do"
            : "\(isSingle ? "" : "each policy: ")\(fewer) \(unit)s fail"
        return VerdictLine("proven", words + VerdictLine.unbroken(" (95 % confidence)"))
    }

    private var points: VerdictLine? {
        summary.coverage.map {
            VerdictLine("kill points", "\($0.hit) of \($0.counted) tried")
        }
    }

    /// Where kills landed.
    private var moments: VerdictLine? {
        guard !run.sparesWorkers, !conclusive.isEmpty else { return nil }
        let phases = hits.filter { $0.kills > 0 }.sorted { $0.kills > $1.kills }
            .map { "\($0.phase.activity) \($0.kills)" }
        let unknown = conclusive.count { $0.phase == nil }
        guard !phases.isEmpty else {
            let received = conclusive.compactMap(\.receivedBytes)
            guard let least = received.min(), let most = received.max() else { return nil }
            return VerdictLine(
                "killed after",
                "\(VerdictFigure.size(least)) to \(VerdictFigure.size(most)) had arrived;"
                    + " in which phase is not known")
        }
        let rest = unknown > 0 ? ["not known \(unknown)"] : []
        return VerdictLine("killed while", (phases + rest).joined(separator: ", "))
    }

    /// The kills of every phase, over all policies.
    private var hits: [(phase: Phase, kills: Int)] {
        Phase.allCases.map { phase in
            (phase, conclusive.count { $0.phase == phase })
        }
    }

    /// What a passing run says nothing about, and how to test it.
    private var untested: VerdictLine? {
        guard !run.sparesWorkers, !conclusive.isEmpty else { return nil }
        let isKnown = hits.contains { $0.kills > 0 }
        let missed = isKnown ? hits.filter { $0.kills == 0 }.map(\.phase) : []
        let cuts = run.manifest.fault.isPowerCut ? [] : ["power cuts"]
        // What only another situation shows of a program that is seen from outside.
        let situations =
            !isKnown && run.manifest.workload == .download
                && (run.manifest.originFaults ?? []).isEmpty
            ? ["a file that changes", "a server without ranges"] : []
        let subjects = missed.map(\.subject) + situations + cuts
        guard !subjects.isEmpty else { return nil }
        let isInReach = summary.policies.flatMap(\.strata).contains {
            $0.isInReach && $0.phase.map(missed.contains) ?? false
        }
        let advice =
            !situations.isEmpty
            ? " → rig audit"
            : isInReach ? " → rig plan --trigger phase" : cuts.isEmpty ? "" : " → --fault power-cut"
        return VerdictLine(
            "not tested", subjects.joined(separator: ", ") + VerdictLine.unbroken(advice))
    }
}
