package import RigModel

/// What `rig explain` prints: the rule in the first line, the cure in the second.
package enum ExplanationText {
    package static func text(_ explanation: Explanation) -> String {
        var lines = ["RULE  \(explanation.rule)"]
        if explanation.kill.manifest.fault.isPowerCut { lines.append(cure(explanation)) }
        lines += ["explanation of \(explanation.kill.title)"]
        for call in explanation.calls { lines += [""] + self.call(call) }
        let others = explanation.cures.dropFirst()
        if !others.isEmpty {
            lines += ["", "other cures that do:"] + others.map { "  \($0.words)" }
        }
        if !explanation.unsynced.isEmpty {
            lines += ["", "not synced at the kill:"]
            lines += explanation.unsynced.map { "  \(words($0))" }
        }
        if let read = explanation.readFirst {
            lines += ["", "the relaunch read first, of what an unharmed launch leaves otherwise:"]
            lines += (read.isEmpty ? ["nothing"] : read).map { "  \($0)" }
        }
        let (all, undecided) = explanation.probes
        if all > 0 {
            let nothing = undecided == 0 ? "" : ", of which \(undecided) told nothing"
            let cures = "\(explanation.tried) other cures, in vain"
            lines += ["", "tried: \(all) states\(nothing); \(cures)"]
        }
        lines += explanation.notes.map { "note: \($0)" }
        return lines.map(PrintableText.line).joined(separator: "\n") + "\n"
    }

    private static func cure(_ explanation: Explanation) -> String {
        guard let first = explanation.cures.first else { return "CURE  none was found" }
        let states = explanation.states
        var line = "CURE  \(first.words): \(first.mended) of \(states) failing states pass"
        if let trial = explanation.trial {
            let all = trial.passed + trial.failed + trial.inconclusive
            line += "; carried out, \(trial.failed) of \(all) kills fail"
            if trial.inconclusive > 0 { line += " and \(trial.inconclusive) prove nothing" }
        }
        return line
    }

    private static func call(_ call: Explanation.Call) -> [String] {
        let number = call.number.map { "call \($0)" } ?? "a call that is not counted"
        let stack = call.stack.map { "    \($0.symbol.map { "\($0)  " } ?? "")\($0.address)" }
        return [
            "\(number): \(call.words)", "  \(call.fate); thread \(call.threadID)",
            "  \(call.syncs)",
        ] + stack + (call.stack.contains { $0.symbol != nil } ? [] : ["    no symbols"])
    }

    private static func words(_ file: UnsyncedFileFacts) -> String {
        "\(file.path): \(file.operations.counted("operation")), \(file.bytes) bytes"
    }
}
