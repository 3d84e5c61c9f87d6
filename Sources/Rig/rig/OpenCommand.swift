internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigRun

struct OpenCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a run's report page in the browser.",
        discussion: """
            Where there is no desktop, the page's path is printed. rig report writes a page that is \
            missing.

            Examples:
              rig open
              rig open results/nightly
            """)

    @Argument(help: "The run folder, or the iterations.csv in it.", completion: .directory)
    var run = "results/latest"

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let stored = try StoredRun(run)
        let page = "\(stored.folder.path)/\(ReportFormat.page)"
        try RigError.require(
            FileManager.default.fileExists(atPath: page), .data,
            "\(stored.folder.path) has no page; write it with rig report "
                + ShellWord.quoted(stored.folder.path))
        guard let opener = Self.opener() else {
            console.result(page)
            return .success
        }
        try Self.start(opener, page)
        return .success
    }

    /// The desktop's program that opens files; nil where there is no desktop.
    private static func opener() -> String? {
        let environment = ProcessInfo.processInfo.environment
        let screens = ["DISPLAY", "WAYLAND_DISPLAY"].compactMap { environment[$0] }
        guard screens.contains(where: { !$0.isEmpty }) else { return nil }
        return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/xdg-open" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func start(_ opener: String, _ page: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [URL(fileURLWithPath: page).standardizedFileURL.path]
        do {
            try process.run()
        } catch {
            throw RigError.unavailable(
                "\(opener) cannot be started: \(error.localizedDescription); open \(page) yourself")
        }
        process.waitUntilExit()
        try RigError.require(
            process.terminationStatus == 0, .unavailable,
            "\(opener) ended with \(process.terminationStatus); open \(page) yourself")
    }
}
