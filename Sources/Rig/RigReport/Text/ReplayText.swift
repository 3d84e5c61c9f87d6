package import RigModel

package enum ReplayText {
    package static func text(_ summary: ReplaySummary) -> String {
        let (word, result) = headline(summary.tally, wasInterrupted: summary.wasInterrupted)
        var lines = VerdictLine.wrapped(result, after: "\(word)  ")
        lines += ["replay of \(summary.kill.title)", ""]
        lines += table(facts(summary))
        let determinism = Determinism(summary.kill)
        lines += ["", "the same every time: \(determinism.fixed.joined(separator: "; "))"]
        lines += ["not the same: \(determinism.free.joined(separator: "; "))"]
        lines += summary.notes.map { "note: \($0)" }
        if let shrunk = summary.shrunk { lines += [""] + self.shrunk(shrunk) }
        return lines.map(PrintableText.line).joined(separator: "\n") + "\n"
    }

    private static func facts(_ summary: ReplaySummary) -> [(String, String)] {
        let kill = summary.kill
        let planned = kill.planned.kills[kill.kill - 1]
        let reason = kill.reason.isEmpty ? "" : ", \(kill.reason)"
        var facts = [
            ("planned", "\(planned.trigger.kind.rawValue) \(planned.trigger.planned)"),
            ("in the run", "\(kill.verdict.rawValue)\(reason)"),
        ]
        let tally = summary.tally
        if !tally.checkers.isEmpty {
            facts.append(("reproduced", "\(tally.reproduced) of \(tally.times)"))
        }
        for (checkers, count) in sorted(tally.otherwise) {
            facts.append(("failed otherwise", "\(count) of \(tally.times), by \(names(checkers))"))
        }
        facts.append(("passed", "\(tally.passed) of \(tally.times)"))
        for (reason, count) in tally.inconclusive.sorted(by: { $0.key < $1.key }) {
            facts.append(("inconclusive", "\(count) of \(tally.times), \(reason)"))
        }
        return facts
    }

    private static func headline(
        _ tally: ReplayTally, wasInterrupted: Bool
    ) -> (word: String, result: String) {
        if wasInterrupted { return ("INTERRUPTED", sentence(tally)) }
        guard tally.status != .inconclusive else {
            return ("UNDECIDED", "none of \(tally.times) repetitions proves anything")
        }
        guard !tally.checkers.isEmpty else {
            return (VerdictHeadline.word(tally.status), sentence(tally))
        }
        guard tally.reproduced == 0 else {
            let times = "\(tally.reproduced) of \(tally.times)"
            return ("REPRODUCED", "\(times), by \(names(tally.checkers))")
        }
        let (failed, nothing) = (tally.failedOtherwise, tally.provedNothing)
        let rest =
            (failed > 0 ? ", but \(failed) failed otherwise" : "")
            + (nothing > 0 ? "; \(nothing) more prove nothing" : "")
        return ("NOT REPRODUCED", "in \(tally.times - nothing)\(rest)")
    }

    package static func sentence(_ tally: ReplayTally) -> String {
        let failed = tally.reproduced + tally.failedOtherwise
        guard !tally.checkers.isEmpty else {
            return "failed \(failed) of \(tally.times); in the run it was a "
                + (tally.original == .pass ? "pass" : "kill that proved nothing")
        }
        return "reproduced \(tally.reproduced) of \(tally.times) by \(names(Set(tally.checkers)))"
    }

    private static func shrunk(_ shrunk: ShrunkKill) -> [String] {
        let doubt = shrunk.isMinimal ? "" : "; there may be a smaller one"
        let tries = shrunk.tries == 1 ? "once" : "up to \(shrunk.tries) times"
        let count = "after \(shrunk.candidates) others, each tried \(tries)\(doubt)"
        let changes = shrunk.changes.map { ($0.name, "\($0.after), in the run \($0.before)") }
        return ["smallest case that still fails so, \(count):"] + table(changes) + [shrunk.command]
    }

    private static func table(_ facts: [(String, String)]) -> [String] {
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { name, value in
            "\(name)\(String(repeating: " ", count: width - name.count))  \(value)"
        }
    }

    static func sorted(_ counts: [Set<Checker>: Int]) -> [(Set<Checker>, Int)] {
        counts.sorted { (-$0.value, names($0.key)) < (-$1.value, names($1.key)) }
    }

    static func names(_ checkers: Set<Checker>) -> String {
        Checker.allCases.filter(checkers.contains).map(\.rawValue).joined(separator: ", ")
    }
}
