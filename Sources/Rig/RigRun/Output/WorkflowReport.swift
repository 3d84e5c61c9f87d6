internal import Foundation
internal import RigReport

/// A run's reports to the GitHub workflow that it is part of.
///
/// The workflow is recognised by variables that GitHub sets: `GITHUB_ACTIONS`, and
/// `GITHUB_STEP_SUMMARY` with the file that is shown on the job's page.
enum WorkflowReport {
    private static let file = "GITHUB_STEP_SUMMARY"
    private static let mark = "GITHUB_ACTIONS"

    /// The environment of a sub-run, which must not report to the workflow itself.
    static let none = [file: "", mark: ""]

    /// True when the job's log is parsed for workflow commands.
    static var readsCommands: Bool { value(mark) == "true" }

    /// Adds a text to the job's page, as far as there is room.
    ///
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
