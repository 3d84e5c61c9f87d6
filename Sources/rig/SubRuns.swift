internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport

/// Runs inside a run: each an ordinary command with a folder of its own below the whole's, so that
/// each can be looked at, judged and repeated by itself.
struct SubRuns {
    let programs: Programs
    /// The options that choose the worker.
    let worker: [String]
    /// What `--set` gave for every part; a part's own options come first.
    let settings: [String: String]
    let folder: RunFolder
    let seed: UInt64
    let environment: [String: String]
    let interruption: Interruption
    let console: Console

    /// The same with another seed.
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
    ///   - name: the part's name, and its folder's.
    ///   - options: of `rig kill-test`, without those for seed and folder.
    ///   - variables: environment variables for it.
    /// - Returns: what it found, also when that is a failure.
    /// - Throws: ``Interrupted``; ``RigError`` when it cannot be started, or its files not be read.
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
        return lines.last ?? ""
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
