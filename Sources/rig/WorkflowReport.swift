internal import Foundation
internal import RigReport

/// What a run tells the GitHub workflow that it is a part of.
///
/// It is known by the variables that GitHub sets: `GITHUB_ACTIONS`, and `GITHUB_STEP_SUMMARY` with
/// the file that is shown on the job's page.
enum WorkflowReport {
    private static let file = "GITHUB_STEP_SUMMARY"
    private static let mark = "GITHUB_ACTIONS"

    /// The environment of a run that is a part of another, which speaks for it.
    static let none = [file: "", mark: ""]

    /// True where the job's log is read for commands.
    static var readsCommands: Bool { value(mark) == "true" }

    /// Adds a page to the job's, as far as it has room.
    ///
    /// A page that cannot be written is no reason to lose the verdict: it is said, and left.
    static func append(_ markdown: String, console: Console) {
        guard let path = value(file) else { return }
        do {
            let size =
                try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
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
