package import RigModel

/// Lines that GitHub's runner reads from the log of a step.
package enum WorkflowCommand {
    /// The most annotations per kind and step; GitHub silently drops any others.
    package static let most = 10

    /// At most ``most``: first what is no gate, then gates, then failed kills with their replay.
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
        let isSaidByGates = [.gateFailed, .inconclusive].contains(summary.status) && !gates.isEmpty
        if summary.status != .success, !isSaidByGates {
            // The first sentence names the obstacle, and no gate does.
            let obstacle = Annotation(
                title: "Kill test: \(summary.status.shown.word)",
                text: summary.sentences.first ?? "see the run's folder")
            all.insert(obstacle, at: 0)
        }
        all += kills
        let count = all.count + failed.count - kills.count
        if count > most {
            let rest = "\(count - most + 1) more: see \(folder)/summary.md"
            all = all.prefix(most - 1) + [Annotation(title: "Kill test", text: rest)]
        }
        return all.map { $0.command(summary.status == .success ? "warning" : "error") }
    }

    /// A text for the log of a step of which no line is a command that sets outputs or hides lines.
    package static func none(in text: String) -> String {
        // `\r\n` is one Character, so splitting at `\n` would miss it.
        text.replacing("\r\n", with: "\n").replacing("##[", with: "## [").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { line in
            let start = line.drop(while: \.isWhitespace)
            return start.hasPrefix("::")
                ? "\(line.prefix(line.count - start.count)): \(start.dropFirst())" : String(line)
        }.joined(separator: "\n")
    }
}

private struct Annotation {
    let title: String
    let text: String

    func command(_ level: String) -> String {
        "::\(level) title=\(Self.escaped(title, also: [":", ","]))::\(Self.escaped(text))"
    }

    /// Percent-encodes what the runner decodes again; properties need more escapes than messages.
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

package enum StepSummary {
    /// The most bytes of a step's page: GitHub accepts 1 MiB, and shows nothing of larger pages.
    package static let most = 1 << 20

    /// A Markdown text, cut at a line end to fit `room` bytes, with a note if there is room for it.
    package static func cut(_ markdown: String, room: Int) -> String {
        guard markdown.utf8.count > room else { return markdown }
        let note = "\n\nThe rest did not fit on this page: see `summary.md` in the run's folder.\n"
        var left = room - note.utf8.count
        guard left >= 0 else { return "" }
        var text = ""
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            left -= line.utf8.count + 1
            if left < 0 { break }
            text += "\(line)\n"
        }
        return text + note.dropFirst()
    }
}
