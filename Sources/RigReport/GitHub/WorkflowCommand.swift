package import RigModel

/// Lines that GitHub's runner reads from the log of a step.
package enum WorkflowCommand {
    /// So many annotations a step may make of a kind; the others would be dropped without a word.
    package static let most = 10

    /// What a run has to say on the page of its job, the most important first: what stands in the way
    /// of a pass and is no gate, then gates that do not hold, then kills that failed with the command
    /// that repeats them.
    ///
    /// - Parameters:
    ///   - summary: what the run shows.
    ///   - rows: its rows.
    ///   - folder: its folder, as it is to be named in a command.
    /// - Returns: at most ``most`` lines; the last one counts what did not fit. They are errors,
    ///   and warnings where the run passes all the same.
    package static func annotations(
        _ summary: RunSummary, rows: [IterationRow], folder: String
    ) -> [String] {
        let gates = [GateVerdict.fails, .unknown].flatMap { verdict in
            summary.gates.filter { $0.verdict == verdict }.map { gate in
                Annotation(
                    title: verdict == .fails ? "Gate failed" : "Gate undecided",
                    text: "\(gate.title): \(gate.figures)")
            }
        }
        let failed = rows.filter { $0.verdict == .fail }
        let kills = failed.prefix(most).map { row in
            let identity = RowIdentity(row)
            return Annotation(
                title: "Kill failed: \(identity)",
                text: "\(row.reason)\nreplay: \(identity.replayCommand(folder: folder))")
        }
        var all = gates
        let isSaidByGates: Set<ExitStatus> = [.success, .gateFailed, .inconclusive]
        if !isSaidByGates.contains(summary.status) || (gates.isEmpty && summary.status != .success)
        {
            // The first sentence says what stands in the way, and no gate does.
            all.insert(
                Annotation(
                    title: "Kill test: \(StatusText.word(summary.status))",
                    text: summary.sentences.first ?? "see the run's folder"), at: 0)
        }
        all += kills
        let count = all.count + failed.count - kills.count
        if count > most {
            all =
                all.prefix(most - 1) + [
                    Annotation(
                        title: "Kill test",
                        text: "\(count - most + 1) more: see \(folder)/summary.md")
                ]
        }
        return all.map { $0.command(summary.status == .success ? "warning" : "error") }
    }

    /// A text for the log of a step in which no line is a command.
    ///
    /// What a worker wrote and a run quotes could otherwise set outputs or hide what follows.
    package static func none(in text: String) -> String {
        // `\r\n` is one character, at which nothing would be split.
        text.replacing("\r\n", with: "\n").replacing("##[", with: "## [").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { line in
            let start = line.drop(while: \.isWhitespace)
            return start.hasPrefix("::")
                ? "\(line.prefix(line.count - start.count)): \(start.dropFirst())" : String(line)
        }.joined(separator: "\n")
    }
}

/// One annotation.
private struct Annotation {
    let title: String
    let text: String

    func command(_ level: String) -> String {
        "::\(level) title=\(Self.escaped(title, also: [":", ","]))::\(Self.escaped(text))"
    }

    /// The runner turns these back; a property ends at what a message may hold.
    private static func escaped(_ text: String, also special: Set<Unicode.Scalar> = []) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isCoded = scalar == "%" || scalar == "\r" || scalar == "\n"
            if isCoded || special.contains(scalar) {
                let code = String(scalar.value, radix: 16, uppercase: true)
                result += code.utf8.count == 1 ? "%0\(code)" : "%\(code)"
            } else {
                result.unicodeScalars.append(PrintableText.steers(scalar) ? " " : scalar)
            }
        }
        return result
    }
}
