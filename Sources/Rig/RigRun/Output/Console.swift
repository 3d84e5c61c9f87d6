internal import CFileSystem  // declares winsize where it is imported before Glibc
internal import Foundation
internal import Glibc
internal import RigLab
package import RigModel
package import RigReport
internal import Synchronization

/// Output of a command: results to standard output, everything else to standard error.
package struct Console: Sendable {
    let isQuiet: Bool
    let isVerbose: Bool
    let usesColor: Bool

    package init(isQuiet: Bool, isVerbose: Bool, usesColor: Bool) {
        (self.isQuiet, self.isVerbose, self.usesColor) = (isQuiet, isVerbose, usesColor)
    }

    static let silent = Console(isQuiet: true, isVerbose: false, usesColor: false)

    var isLive: Bool { isatty(STDERR_FILENO) == 1 }

    var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    package func result(_ text: String) {
        let shown = WorkflowReport.readsCommands ? WorkflowCommand.none(in: text) : text
        do {
            let text = shown.hasSuffix("\n") ? shown : shown + "\n"
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // A closed pipe means that the reader has what it wanted. With any other error, a
            // result is lost.
            let failure = SystemFailure(error)
            guard failure.code != EPIPE, failure.code != EBADF else { return }
            Self.lost.withLock { $0 = "\(failure)" }
        }
    }

    /// Why a result could not be written; nil when all were written.
    private static let lost = Mutex<String?>(nil)

    package func outputStatus() -> ExitStatus {
        guard let reason = Self.lost.withLock({ $0 }) else { return .success }
        error("cannot write to standard output: \(reason), or name another file")
        return .failure
    }

    package func result(_ run: ReportedRun, json: Bool, elapsed: Double? = nil) {
        guard !json else { return result(SummaryJSON.text(run.summary)) }
        let verdict = VerdictText.text(run, elapsed: elapsed, color: usesColor)
        let tables = isVerbose ? "\n" + TerminalTable.text(run.summary, color: usesColor) : ""
        result(verdict + tables)
    }

    func command(_ line: String) { write(line + "\n", to: .standardError) }

    package func note(_ text: String) {
        guard !isQuiet else { return }
        say(text)
    }

    package func detail(_ text: String) {
        guard isVerbose else { return }
        say(text)
    }

    package func error(_ text: String) { say("rig: \(text)") }

    /// Writes text that may quote untrusted input: a path, a URL, the last lines of a worker's log.
    private func say(_ text: String) {
        let shown = PrintableText.lines(text)
        write(
            (WorkflowReport.readsCommands ? WorkflowCommand.none(in: shown) : shown) + "\n",
            to: .standardError)
    }

    func redraw(_ line: String) {
        guard !isQuiet, isLive else { return }
        write(
            "\r\u{1B}[2K" + String(PrintableText.line(line).prefix(width - 1)), to: .standardError)
    }

    private func write(_ text: String, to handle: FileHandle) {
        // A closed reader must not end the run.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

extension Console {
    /// Ends, unmounts and removes what rigs left that were killed together with their guardians.
    func removeLeftovers(beside folder: RunFolder) {
        MemoryGroups.sweep()
        let results = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        for line in AbandonedWorkers.end() + PowerCutLeftovers.ofDeadRigs(results: results).remove()
        {
            note("rig: \(line)")
        }
    }
}

/// A run's reports to the GitHub workflow that it is part of, as variables say.
enum WorkflowReport {
    private static let file = "GITHUB_STEP_SUMMARY"
    private static let mark = "GITHUB_ACTIONS"

    /// The environment of a sub-run, which must not report to the workflow itself.
    static let none = [file: "", mark: ""]

    static var readsCommands: Bool { value(mark) == "true" }

    /// A page that cannot be written must not cost the verdict: the problem is only reported.
    static func append(_ markdown: String, console: Console) {
        guard let path = value(file) else { return }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            let text = StepSummary.cut(markdown, room: StepSummary.most - size)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            console.note("rig: cannot add to the job's summary \(path): \(error)")
        }
    }

    private static func value(_ name: String) -> String? {
        let value = ProcessInfo.processInfo.environment[name] ?? ""
        return value.isEmpty ? nil : value
    }
}
