internal import Foundation
internal import RigLab
package import RigModel
internal import RigReport

package struct Replay {
    private let target: ReplayTarget
    private let times: Int
    private let shrinks: Bool
    private let console: Console
    private let again: ReplayEnvironment

    package init(target: ReplayTarget, times: Int, shrinks: Bool, console: Console) throws {
        (self.target, self.times, self.shrinks, self.console) = (target, times, shrinks, console)
        again = try ReplayEnvironment(
            target.kill.manifest, in: target.folder, for: "replay", console: console)
    }

    package func run(json: Bool) async throws -> ExitStatus {
        let summary = try await again.with(do: replay(in:))
        console.result(json ? ReplayJSON.text(summary) : ReplayText.text(summary))
        return summary.status
    }

    private func replay(in environment: RunEnvironment) async throws -> ReplaySummary {
        let kill = target.kill
        var tally = ReplayTally(original: kill.verdict, checkers: Set(kill.checkers))
        var shrunk: ShrunkKill?
        var wasInterrupted = false
        do {
            let repetition = Repetition(
                kill: kill.kill,
                laboratory: try environment.laboratory(
                    kill.manifest, video: again.video, below: "replay"))
            try await repetition.laboratory.prepare([kill.planned], console: console)
            for index in 1...times {
                tally.count(try await repetition.perform(kill.planned, of: kill.manifest))
                console.redraw("replay \(index) of \(times): \(ReplayText.sentence(tally))")
            }
            if shrinks { shrunk = try await shrink(tally, in: environment) }
        } catch is Interrupted {
            wasInterrupted = true
        }
        return ReplaySummary(
            kill: kill, tally: tally, notes: notes, shrunk: shrunk, wasInterrupted: wasInterrupted)
    }

    private func shrink(
        _ tally: ReplayTally, in environment: RunEnvironment
    ) async throws -> ShrunkKill? {
        guard tally.reproduced > 0 else {
            console.note("rig: what did not come again cannot be made smaller")
            return nil
        }
        let shrinking = Shrinking(
            target: target.kill, tally: tally, video: again.video, environment: environment,
            console: console)
        guard let shrunk = try await shrinking.run() else { return nil }
        let file = "\(target.evidencePath)/shrunk.txt"
        do {
            try FileManager.default.createDirectory(
                atPath: target.evidencePath, withIntermediateDirectories: true)
            try (shrunk.command + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        } catch {
            console.note("rig: cannot write \(file): \(SystemFailure(error))")
        }
        return shrunk
    }

    private var notes: [String] {
        let manifest = target.kill.manifest
        let here = MachineFacts.read(folder: target.folder.path)
        let then = manifest.machine
        let folder = manifest.otherWorkingDirectory ?? FileManager.default.currentDirectoryPath
        let facts = [
            ("rig", manifest.versions["rig"] ?? "not known", RigVersion.current),
            ("sqlite", manifest.versions["sqlite"] ?? "not known", MachineFacts.sqliteVersion),
            ("system", then.system, here.system), ("processor", then.processor, here.processor),
            ("cores", "\(then.cores)", "\(here.cores)"),
            ("file system", then.fileSystem, here.fileSystem),
            ("number of jobs", manifest.jobsInWords, "1"),
            ("folder of the worker", manifest.workingDirectory ?? folder, folder),
        ]
        // The same profile was read successfully before anything was started.
        let digests = (try? manifest.storedProfile).map(again.programs.digests) ?? [:]
        let changed = manifest.provenance?.changedPrograms(digests) ?? []
        let programs = changed.map { ("program \($0.name)", $0.then, $0.now) }
        return (facts + programs).filter { $0.1 != $0.2 }.map {
            "the \($0.0) was \($0.1) and is \($0.2)"
        }
    }
}

struct Repetition {
    let kill: Int
    let laboratory: Laboratory

    /// Executes the iteration: the row of the kill, inconclusive when the chain ended before it.
    func perform(_ planned: PlannedIteration, of manifest: Manifest) async throws -> IterationRow {
        let outcome = try await laboratory.perform(planned)
        defer { laboratory.discard(outcome) }
        return try Self.row(ofKill: kill, among: outcome.kills.map { manifest.row(of: $0) })
    }

    static func row(ofKill kill: Int, among rows: [IterationRow]) throws(RigError) -> IterationRow {
        if let row = rows.first(where: { $0.kill == kill }) { return row }
        guard var last = rows.last else {
            throw RigError(.failure, "the iteration came to no kill; run again")
        }
        last.verdict = .inconclusive
        last.checkers = []
        last.notJudged = []
        last.reason = "the chain ended with kill \(last.kill)"
        return last
    }
}

struct ReplayEnvironment {
    let programs: Programs
    let video: ReferenceVideo
    private let manifest: Manifest
    private let folder: RunFolder
    /// A unique name, to avoid conflicts with the run's files and other replays.
    private let scratchName: String
    private let console: Console

    init(_ manifest: Manifest, in folder: RunFolder, for purpose: String, console: Console) throws {
        (self.manifest, self.folder, self.console) = (manifest, folder, console)
        programs = try Programs.find(from: manifest.otherWorkingDirectory)
        scratchName =
            "\(RunFolder.scratchPrefix)-\(purpose)-\(ProcessInfo.processInfo.processIdentifier)"
        try RunEnvironment.check(manifest.fault, leaving: manifest.crashModel)
        try manifest.checkEnvironment(of: programs.installed(manifest.storedProfile))
        video = try .stored(manifest.video, folder: folder, fixtureSeed: VideoSettings.fixtureSeed)
    }

    func with<Value>(do body: (RunEnvironment) async throws -> Value) async throws -> Value {
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let scratch = try folder.makeScratch(scratchName)
        defer { folder.removeScratch(scratchName) }
        return try await RunEnvironment.with(
            manifest, mark: "\(manifest.runID)-\(scratchName)", programs: programs,
            scratch: scratch, interruption: interruption, console: console
        ) { environment in
            defer { console.redraw("") }
            return try await body(environment)
        }
    }
}
