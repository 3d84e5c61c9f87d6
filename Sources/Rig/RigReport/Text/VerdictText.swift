import RigModel

/// The conclusion of a run on the terminal, the verdict first, in at most 80 columns.
package enum VerdictText {
    package static func text(
        _ run: ReportedRun, elapsed: Double? = nil, color: Bool = false
    ) -> String {
        let failure = FailureBrief(run)
        let headline = VerdictHeadline(run, failure, elapsed: elapsed)
        var lines = headline.lines(TerminalStyle(isOn: color))
        lines += VerdictBody(run, failure).lines
        lines += headline.notes.flatMap(\.lines)
        return (lines + footer(run, failure)).joined(separator: "\n") + "\n"
    }

    private static func footer(_ run: ReportedRun, _ failure: FailureBrief?) -> [String] {
        let isUnfinished = [.incomplete, .interrupted].contains(run.summary.status)
        var parts = ["Report  \(PrintableText.line(run.folder))/report.html"]
        if isUnfinished, run.manifest.parts == nil {
            parts = ["Finish  rig resume \(ShellWord.quoted(run.folder))"]
        }
        if let failure {
            parts.append("Repeat  \(failure.command)")
            parts += (failure.call?.lines ?? []).map { "\($0.label)  \($0.text)" }
        } else if !isUnfinished {
            parts.append("Repeat  --seed \(run.summary.seed)")
        }
        parts = parts.map(PrintableText.line)
        let line = parts.joined(separator: "      ")
        return line.count <= VerdictLine.width ? [line] : parts
    }
}

struct VerdictHeadline {
    let word: String
    /// The main reason, in one sentence without a full stop.
    let text: String
    private let ink: TerminalStyle.Ink
    let notes: [VerdictLine]

    init(_ run: ReportedRun, _ failure: FailureBrief?, elapsed: Double?) {
        let (summary, caveats) = (run.summary, run.summary.caveats)
        let time = elapsed.map { " (\(VerdictFigure.duration($0)))" } ?? ""
        var statesACaveat = true
        word = Self.word(summary.status)
        switch summary.status {
        case .success: (ink, text, statesACaveat) = (.green, Self.survival(run) + time, false)
        case .gateFailed:
            let reason = failure?.headline ?? Self.brokenGates(run)
            (ink, text, statesACaveat) = (.red, reason + time, false)
        case .inconclusive:
            let why = Self.undecided(run)
            ink = .yellow
            text = (why ?? caveats.first ?? "see the report") + time
            statesACaveat = why == nil
        case .interrupted:
            let all = summary.expectedRows.counted(run.unit)
            (ink, text) = (.red, "after \(summary.rows) of \(all)")
        default: (ink, text) = (.red, caveats.first ?? "see the report")
        }
        notes = caveats.dropFirst(statesACaveat ? 1 : 0).map { VerdictLine("note", $0) }
    }

    static func word(_ status: ExitStatus) -> String {
        status == .inconclusive ? "UNDECIDED" : status.shown.word.uppercased()
    }

    func lines(_ style: TerminalStyle) -> [String] {
        let lines = VerdictLine.wrapped(text, after: "\(word)  ")
        return lines.prefix(1).map { style.paint(word, ink) + $0.dropFirst(word.count) }
            + lines.dropFirst()
    }

    /// `downloader survived 99 kills`; of a program that keeps nothing only that nothing is damaged.
    private static func survival(_ run: ReportedRun) -> String {
        let all = run.rows.count { $0.verdict != .inconclusive }
        let passed = run.rows.count { $0.verdict == .pass }
        let count = all.counted(run.unit)
        let share = passed == all ? count : "\(passed) of \(count)"
        let policies = run.summary.policies.count
        let among = policies > 1 ? " with \(policies) policies" : ""
        let worker = run.manifest.worker
        if run.sparesWorkers { return "\(worker) finished in \(share) without a kill\(among)" }
        // What a limit allows is no failing.
        let judged = run.rows.filter { $0.verdict != .inconclusive }
        return judged.startOver && judged.allSatisfy { $0.boundBytes == nil }
            ? "\(worker): no damage in \(share)\(among); starts over after every kill"
            : "\(worker) survived \(share)\(among)"
    }

    /// The gates that do not hold although no row failed.
    private static func brokenGates(_ run: ReportedRun) -> String {
        let broken = run.summary.gates.filter { $0.verdict == .fails }
        let what =
            broken.count == 1
            ? "\(name(broken[0], in: run)) does not hold" : "\(broken.count) gates do not hold"
        return "\(survival(run)), but \(what)"
    }

    private static func name(_ gate: GateResult, in run: ReportedRun) -> String {
        run.summary.policies.count > 1 ? gate.title : gate.gate
    }

    private static func undecided(_ run: ReportedRun) -> String? {
        let all = run.rows.count.counted(run.unit)
        let leftOut = run.rows.filter { $0.verdict == .inconclusive }
        let unknown = run.summary.gates.filter { $0.verdict == .unknown }
        guard let first = unknown.first else { return nil }
        if run.rows.isEmpty { return "there are no kills to judge" }
        let unseen = unknown.map(\.unknownRows).max() ?? 0
        if unseen > 0, unseen >= leftOut.count {
            return "\(unseen) of \(all) could not be judged in full"
        }
        if unknown.contains(where: \.isAboutLeftOut), !leftOut.isEmpty {
            let verb = leftOut.count == 1 ? "was" : "were"
            return "\(leftOut.count) of \(all) \(verb) left out"
        }
        if unseen > 0 { return "\(unseen) of \(all) could not be judged in full" }
        let gates = unknown.count == 1 ? name(first, in: run) : "\(unknown.count) gates"
        return "\(all) are too few to decide \(gates)"
    }
}

extension GateResult {
    /// True for a gate on how many kills prove nothing, with or without a policy.
    var isAboutLeftOut: Bool {
        let start = policy.map { "\($0):" } ?? ""
        let metric = gate.hasPrefix(start) ? gate.dropFirst(start.count) : gate[...]
        return metric.hasPrefix("inconclusive_percent")
    }
}

enum LeftOut {
    static func words(_ rows: [IterationRow]) -> String? {
        let reasons = Dictionary(grouping: rows) { words(for: $0.reason) }.mapValues(\.count)
            .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        guard let first = reasons.first else { return nil }
        guard reasons.count > 1 else { return first.key }
        let told = reasons.prefix(3).map { "\($0.key) (\($0.value))" }
        let rest = reasons.dropFirst(3).reduce(0) { $0 + $1.value }
        return (told + (rest > 0 ? ["other reasons (\(rest))"] : [])).joined(separator: ", ")
    }

    private static func words(for reason: String) -> String {
        if reason.hasPrefix(RowReason.workDone) { return "the download was already complete" }
        if [RowReason.nothingReceived, RowReason.nothingServed].contains(reason) {
            return "nothing had arrived yet"
        }
        return reason
    }
}
