package import Foundation
internal import RigLab
package import RigModel

/// Runs inside a run: ordinary commands, each in a folder that can be judged and repeated.
struct SubRuns {
    let settings: TrialSettings
    let runID: String
    let programs: Programs
    let folder: RunFolder
    let seed: UInt64
    let environment: [String: String]
    let interruption: Interruption
    let console: Console

    /// The `--set` values of a part; its own options take precedence.
    private func values(besides options: [String]) -> [String] {
        settings.values.sorted { $0.key < $1.key }
            .filter { setting in !options.contains { $0.hasPrefix("\(setting.key)=") } }
            .flatMap { ["--set", "\($0.key)=\($0.value)"] }
    }

    private func tail(_ options: [String]) -> [String] {
        (settings.workerOption.map { ["--worker", $0] } ?? []) + (settings.tls ? ["--tls"] : [])
            + options + values(besides: options)
            + (settings.command.isEmpty ? [] : ["--"] + settings.command)
    }

    func command(_ options: [String]) -> String {
        // The part read no settings file, and its repetition must not either.
        let own = settings.hasSettingsFile ? ["--no-config"] : []
        return ShellWord.line(
            ["rig", "kill-test"] + own + ["--seed", "\(seed)"] + tail(options))
    }

    func run(
        _ name: String, _ options: [String], variables: [String: String] = [:],
        seed: UInt64? = nil, within seconds: Double? = nil
    ) async throws -> RunPart {
        console.redraw("rig: \(name)")
        let log = "\(name).log"
        let arguments =
            [
                "kill-test", "--no-config", "--out", "\(folder.path)/\(name)", "--seed",
                "\(seed ?? self.seed)", "--quiet",
            ] + tail(options)
        let end = try await RigProcess.run(
            executable: programs.rig, arguments: arguments,
            environment: environment.merging(variables) { $1 }, log: "\(folder.path)/\(log)",
            within: seconds, unless: interruption)
        console.redraw("")
        try folder.check()
        console.detail(
            "rig: \(name): exit \(end.exitCode): "
                + ShellWord.assignments(variables) + ShellWord.line(["rig"] + arguments))
        let printed = try folder.text(of: log) ?? ""
        let (manifest, rows) = try stored(name)
        var part = RunPart(
            name: name, exitCode: end.exitCode, expectedRows: manifest?.expectedRows,
            videoLength: manifest?.video.length,
            pace: manifest.flatMap { $0.pacesOnlyKills == true ? $0.bandwidth : nil }, rows: rows,
            complaint: end.signal.map { "signal \($0) ended it; look at \(folder.path)/\(log)" }
                ?? Self.complaint(printed))
        part.wasCutOff = end.wasCutOff
        part.calls = manifest?.plan.refinement?.pointsByName.map { counted in
            Set(counted.values.flatMap(\.keys))
        }
        return part
    }

    func conclude(
        _ name: String, _ status: ExitStatus, json: String, markdown: String, text: String
    ) throws -> ExitStatus {
        try folder.write(json, to: "\(name).json")
        try folder.write(markdown, to: "\(name).md")
        console.result(settings.json ? json : text)
        WorkflowReport.append(markdown, console: console)
        return status
    }

    private static func complaint(_ printed: String) -> String {
        let lines = printed.split(separator: "\n").map(String.init)
        for mark in ["Error: ", "rig: "] {
            if let line = lines.last(where: { $0.hasPrefix(mark) }) {
                return String(line.dropFirst(mark.count))
            }
        }
        return lines.first ?? "the part said nothing: see whether the disk has room"
    }

    private func stored(_ name: String) throws -> (Manifest?, [IterationRow]) {
        guard try folder.text(of: "\(name)/manifest.json") != nil else { return (nil, []) }
        let run = try StoredRun("\(folder.path)/\(name)")
        return (run.manifest, try run.rows(console: .silent))
    }
}

/// Where a trial makes its runs; what can be checked before anything is started has been.
struct TrialStage {
    private let settings: TrialSettings
    private let programs: Programs
    /// The worker with the settings applied, its programs by their paths.
    let worker: WorkerProfile
    private let console: Console

    init(_ settings: TrialSettings, worker profile: WorkerProfile, console: Console) throws {
        (self.settings, self.console) = (settings, console)
        programs = try Programs.find()
        worker = try programs.installed(profile).setting(settings.values)
    }

    /// Makes runs in a folder that contains theirs, or throws ``RigError`` when it is taken.
    func run(_ body: (SubRuns) async throws -> ExitStatus) async throws -> ExitStatus {
        let started = ContinuousClock.now
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let runID = RunID.make(seed: settings.seed, at: settings.startedAt)
        let (folder, lock) = try RunFolder.claim(settings.out ?? "results/\(runID)")
        defer { if lock.release() { folder.removeIfEmpty() } }
        console.note("rig: run \(runID), seed \(settings.seed), folder \(folder.path)")
        // The parts carry the mark of the whole run, so that they and their workers end with it.
        let guardian = try await Guardian.start(executable: programs.rig, mark: runID)
        let runs = SubRuns(
            settings: settings, runID: runID, programs: programs, folder: folder,
            seed: settings.seed,
            environment: WorkflowReport.none.merging([Guardian.markVariable: runID]) { $1 },
            interruption: interruption, console: console)
        let result: Result<ExitStatus, any Error>
        do {
            result = .success(try await body(runs))
        } catch {
            result = .failure(error)
        }
        await guardian.dismiss()
        // Where every part was refused, none has left a folder.
        if case .failure(let error as RigError) = result, error.status.isRefusal,
            (try? folder.subfolders().isEmpty) == true
        {
            folder.discard()
            throw error
        }
        let elapsed = (ContinuousClock.now - started).seconds
        console.note("rig: \(MetricUnit.readableSeconds(elapsed)), every part in \(folder.path)")
        return try result.get()
    }
}

/// What the runs of a self-check, or of a trial of the documents' promises, have in common.
package struct TrialSettings: Sendable {
    let profile: WorkerProfile
    /// What names the worker; nil for the standard one.
    let workerOption: String?
    let values: [String: String]
    let seed: UInt64
    let startedAt: Date
    /// The folder of the whole; nil for one below `results`.
    let out: String?
    let json: Bool
    package var tls = false
    /// A program with its arguments, in the place of a profile; empty for none.
    package var command: [String] = []
    /// True where there is a file of settings, which `rig kill-test` would read by itself.
    package var hasSettingsFile = false

    package init(
        profile: WorkerProfile, workerOption: String?, values: [String: String], seed: UInt64,
        startedAt: Date, out: String?, json: Bool
    ) {
        (self.profile, self.workerOption, self.values) = (profile, workerOption, values)
        (self.seed, self.startedAt, self.out, self.json) = (seed, startedAt, out, json)
    }

    /// The error for a worker that a command cannot take, in place of one that it needs.
    func refused(_ command: String, _ need: String) -> RigError {
        RigError.usage(
            "\(command) needs a worker \(need), and \(profile.name) is not one; choose another by "
                + "--worker, or leave --worker out")
    }
}
