import RigModel

struct VerdictBody {
    let run: ReportedRun
    private let failure: FailureBrief?
    let conclusive: [IterationRow]

    init(_ run: ReportedRun, _ failure: FailureBrief?) {
        (self.run, self.failure) = (run, failure)
        conclusive = run.rows.filter { $0.verdict != .inconclusive }
    }

    var lines: [String] { found.flatMap(\.lines) + policies + rest.flatMap(\.lines) }

    var found: [VerdictLine] {
        guard !run.rows.isEmpty else { return [] }
        return failed + (isSound ? (checked ?? damage + losses) : [])
    }

    var rest: [VerdictLine] {
        guard !run.rows.isEmpty else { return gates }
        return [leftOut, notJudged, outdated, untried].compactMap(\.self) + gates
            + (isSound ? proof : [])
    }

    /// False if rows failed: figures of a broken worker would only distract from that.
    private var isSound: Bool { failure == nil || summary.status == .success }

    var summary: RunSummary { run.summary }
    var unit: String { run.unit }

    func count(_ number: Int) -> String { number.counted(unit) }

    // MARK: failures

    private var failed: [VerdictLine] {
        guard let failure else { return [] }
        let more = failure.more.isEmpty ? "" : VerdictLine.unbroken(" (\(failure.more))")
        return [VerdictLine(failure.kill, failure.reason + more)]
            + failure.others.prefix(3).map { VerdictLine("also", $0) }
            + [droppedStates].compactMap(\.self)
    }

    /// How many states of failed kills are not kept; of a merged run that is not known.
    private var droppedStates: VerdictLine? {
        guard let choice = run.manifest.evidence, run.manifest.parts == nil else { return nil }
        var states = KeptStates(choice)
        let kept = run.rows.filter { states.keeps($0) }.count { $0.verdict == .fail }
        let failed = run.rows.count { $0.verdict == .fail }
        guard kept < failed else { return nil }
        return VerdictLine(
            "evidence",
            "the states of \(kept) of \(count(failed)), \(KeptStates.perKind) of each kind",
            option: "--evidence all")
    }

    /// What judges any program; nil for one that downloads.
    var check: ProgramCheck? { run.manifest.profile?.check }

    private var checked: [VerdictLine]? {
        guard let check else { return nil }
        return [VerdictLine("checked", count(conclusive.count), "by \(check.command)")]
            + [askedToEnd, diskStates].compactMap(\.self)
    }

    /// A check of which nothing shows that it can refuse anything.
    private var untried: VerdictLine? {
        guard let check, check.sees == nil else { return nil }
        return VerdictLine(
            "not shown", "that the check notices damage", option: "--check-sees 'COMMAND'")
    }

    // MARK: policies

    private var policies: [String] {
        let all = summary.policies
        guard all.count > 1 else { return [] }
        let kills = !run.sparesWorkers
        return all.table([
            .word("policy", \.policy), .count("\(unit)s", \.conclusive),
            .count("failed", \.failed).when(all.contains { $0.failed > 0 }),
            .count("left out", \.inconclusive),
            .number("worst loss") { Self.worst($0).loss }.when(kills),
            .number("allowed") { policy in
                policy.boundBytes.map { VerdictFigure.sizes(policy.lostBytesMax ?? $0, $0).second }
            }.when(kills),
            .number("typical loss") { $0.lostBytesMedian.map(VerdictFigure.size) }
                .when(kills),
            .number("share") { $0.lossPercent.map(VerdictFigure.percent) }.when(kills),
        ]).lines.map { "  \($0)" }
    }

    // MARK: what does not count

    private var leftOut: VerdictLine? {
        let rows = run.rows.filter { $0.verdict == .inconclusive }
        return LeftOut.words(rows).map { VerdictLine("left out", count(rows.count), $0) }
    }

    private var notJudged: VerdictLine? {
        let unseen = unseenFromOutside
        let checkers = conclusive.flatMap { $0.notJudged.subtracting(unseen) }
        let counts = Dictionary(grouping: checkers, by: \.self).mapValues(\.count)
        let parts = Dictionary(grouping: Checker.allCases.filter { counts[$0] != nil }) {
            counts[$0] ?? 0
        }.sorted { $0.key > $1.key }.map { times, checkers in
            "in \(times) of \(count(conclusive.count)): "
                + checkers.map(\.words.subject).joined(separator: ", ")
        }
        let reasons = Dictionary(grouping: conclusive.compactMap(\.whyNotJudged), by: \.self)
            .sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }
        let isTold = summary.policies.count == 1 && Self.whyUnknown(conclusive) != nil && isSound
        let outside =
            "what it kept and called safe: seen from outside only"
            + VerdictLine.unbroken(" → docs/workers.md#what-the-rig-can-see")
        let told =
            (unseen.isEmpty ? [] : [outside]) + parts
            + (isTold ? [] : reasons.prefix(1).map { "most often: \($0.key)" })
        return told.isEmpty ? nil : VerdictLine("not judged", told.joined(separator: "; "))
    }

    /// What only the state and the page of a program show, where its profile names neither.
    private var unseenFromOutside: Set<Checker> {
        guard let profile = run.manifest.profile, profile.inspection == nil,
            !profile.writesWitness, let first = conclusive.first
        else { return [] }
        return conclusive.reduce(into: first.notJudged) { $0.formIntersection($1.notJudged) }
            .intersection([.durability, .integrity, .agreement, .ranges, .commits, .resumption])
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
            // A loss within a limit says nothing of a file that is wrong.
            guard gate.isStandard else { return isSound || gate.verdict != .holds }
            // The failed rows have been told.
            return gate.verdict == .unknown || gate.verdict == .fails && failure == nil
        }.map { gate in
            let word = gate.verdict == .unknown ? "undecided" : gate.verdict.rawValue
            let title = summary.policies.count > 1 ? gate.title : gate.gate
            return VerdictLine("gate \(word)", "\(title): \(Self.figures(gate))")
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
        let ends = [
            interval.low.map { "at least \(text($0))" },
            interval.high.map { "at most \(text($0))" },
        ].compactMap(\.self).joined(separator: " and ")
        let more = gate.rowsToDecide.map { "; about \($0) kills decide it" } ?? ""
        return "\(words), \(ends) with 95 % confidence\(more)"
    }

    // MARK: what is proven

    private var proof: [VerdictLine] {
        let others = check == nil ? [untested] : untestedByCheck
        return ([proven, points, moments] + others + [fewCalls]).compactMap(\.self)
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
            ? "if \(unit)s \(run.manifest.fault.letsItGoOn ? "do harm" : "fail"), \(fewer) do"
            : "\(isSingle ? "" : "each policy: ")\(fewer) \(unit)s fail"
        return VerdictLine("proven", words + VerdictLine.unbroken(" (95 % confidence)"))
    }

    private var points: VerdictLine? {
        summary.coverage.map { VerdictLine("kill points", "\($0.hit) of \($0.counted) tried") }
    }

    /// The most calls at which it is soon tried to kill a program, before and after each.
    private static let few = 50

    /// Where a program can be killed in few places, trying each says more than moments by chance.
    private var fewCalls: VerdictLine? {
        guard let calls = run.manifest.calls, (1...Self.few).contains(calls) else { return nil }
        return VerdictLine(
            "few calls", "it changes files by \(calls.counted("call"))",
            option: "--trigger syscall --exhaustive: \((2 * calls).counted("kill"))")
    }

    private var moments: VerdictLine? {
        guard !run.sparesWorkers, !conclusive.isEmpty else { return nil }
        if run.manifest.fault.letsItGoOn { return endings }
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

    /// How launches ended in which a call had failed, or the disk was full, the most frequent first.
    private var endings: VerdictLine? {
        let ends = conclusive.compactMap { row in
            row.failedCall?.split(separator: ": ").last.map(String.init)
        }
        let counts = Dictionary(grouping: ends, by: \.self).mapValues(\.count)
            .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        return VerdictLine(
            "then ended", counts.map { "\($0.value) with \($0.key)" }.joined(separator: ", "))
    }

    private var hits: [(phase: Phase, kills: Int)] {
        Phase.allCases.map { phase in (phase, conclusive.count { $0.phase == phase }) }
    }

    private var untested: VerdictLine? {
        guard !run.sparesWorkers, !conclusive.isEmpty, !run.manifest.fault.letsItGoOn else {
            return nil
        }
        let isKnown = hits.contains { $0.kills > 0 }
        let missed = isKnown ? hits.filter { $0.kills == 0 }.map(\.phase) : []
        let cuts = run.manifest.fault.isPowerCut ? [] : ["power cuts"]
        // What only another situation shows of a program that is seen from outside.
        let situations =
            !isKnown && run.manifest.workload == .download
                && (run.manifest.originFaults ?? []).isEmpty
            ? (triesTheEnd ? [] : ["the end of its work"])
                + ["a file that changes", "a server without ranges"] : []
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

    /// True where kills came after the last byte: such ones, or at calls, to the last one.
    private var triesTheEnd: Bool {
        conclusive.contains {
            $0.planned.hasPrefix(Trigger.endingPrefix)
                || run.manifest.plan.pinned == nil
                    && $0.trigger == TriggerKind.syscall.rawValue
        }
    }
}
