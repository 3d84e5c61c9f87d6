internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport

/// Runs inside a run: each is an ordinary command with its own folder below the whole run's, so
/// that it can be examined, judged and repeated separately.
struct SubRuns {
    let programs: Programs
    /// The options that choose the worker.
    let worker: [String]
    /// The `--set` values for every part; a part's own options take precedence.
    let settings: [String: String]
    let folder: RunFolder
    let seed: UInt64
    let environment: [String: String]
    let interruption: Interruption
    let console: Console

    /// The same sub-runs with another seed.
    func with(seed: UInt64) -> SubRuns {
        SubRuns(
            programs: programs, worker: worker, settings: settings, folder: folder, seed: seed,
            environment: environment, interruption: interruption, console: console)
    }

    private func settings(besides options: [String]) -> [String] {
        settings.sorted { $0.key < $1.key }
            .filter { setting in !options.contains { $0.hasPrefix("\(setting.key)=") } }
            .flatMap { ["--set", "\($0.key)=\($0.value)"] }
    }

    /// Runs one part.
    ///
    /// - Parameters:
    ///   - name: the name of the part and of its folder.
    ///   - options: options of `rig kill-test`, except seed and folder.
    ///   - variables: environment variables for it.
    /// - Returns: the part's results, also after a failure.
    /// - Throws: ``Interrupted``; ``RigError`` when it cannot be started or its files cannot be
    ///   read.
    func run(
        _ name: String, _ options: [String], variables: [String: String] = [:]
    ) async throws -> RunPart {
        console.redraw("rig: \(name)")
        let log = "\(name).log"
        let arguments =
            [
                "kill-test", "--no-config", "--out", "\(folder.path)/\(name)", "--seed", "\(seed)",
                "--quiet",
            ]
            + worker + options + settings(besides: options)
        let status = try await RigProcess.run(
            executable: programs.rig, arguments: arguments,
            environment: environment.merging(variables) { $1 }, log: "\(folder.path)/\(log)",
            unless: interruption)
        console.redraw("")
        console.detail(
            "rig: \(name): exit \(status): "
                + ShellWord.assignments(variables) + ShellWord.line(["rig"] + arguments))
        let printed = try folder.text(of: log) ?? ""
        let (manifest, rows) = try stored(name)
        return RunPart(
            name: name, exitCode: status, expectedRows: manifest?.expectedRows,
            videoLength: manifest?.video.length, rows: rows, complaint: Self.complaint(printed))
    }

    private static func complaint(_ printed: String) -> String {
        let lines = printed.split(separator: "\n").map(String.init)
        for mark in ["Error: ", "rig: "] {
            if let line = lines.last(where: { $0.hasPrefix(mark) }) {
                return String(line.dropFirst(mark.count))
            }
        }
        return lines.first ?? ""
    }

    private func stored(_ name: String) throws -> (Manifest?, [IterationRow]) {
        guard let text = try folder.text(of: "\(name)/manifest.json") else { return (nil, []) }
        let manifest = try ManifestJSON.read(text)
        guard let rows = try folder.text(of: "\(name)/iterations.csv") else {
            return (manifest, [])
        }
        do {
            return (manifest, try IterationsCSV.read(rows.utf8).rows)
        } catch {
            throw error.rigError(file: "\(folder.path)/\(name)/iterations.csv")
        }
    }
}
