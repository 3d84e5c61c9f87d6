internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict
internal import RigProfiles

/// `rig workers check`: one iteration without a kill, and some with one kill each.
struct ContractTrial {
    let worker: WorkerProfile
    let seed: UInt64
    private let uninterrupted: KillTest
    private let kills: KillTest
    private let console: Console

    /// Slow enough for kills to land in the middle of the work, and fast enough to wait for.
    static let pace = "40MB/s"

    /// Checks everything that can be checked before anything is started.
    ///
    /// - Parameters:
    ///   - name: the profile's name or file.
    ///   - options: options of `rig kill-test`, except those that choose worker and kills.
    ///   - bandwidth: the origin's bandwidth; nil for one that suits the worker.
    ///   - iterations: the number of kills.
    ///   - console: shows progress.
    /// - Throws: ``RigError`` with exit code 64 for an invalid profile, 69 for a program that is
    ///   not installed.
    init(
        of name: String, options: [String], bandwidth: String?, iterations: Int, console: Console
    ) throws {
        self.console = console
        let isFromOrigin = try Workers.named(name).source == nil
        // The rig can neither limit nor hold back what the worker fetches elsewhere.
        let words =
            ["--worker", name] + options
            + (isFromOrigin ? ["--bandwidth", bandwidth ?? Self.pace] : [])
            + (isFromOrigin ? [] : bandwidth.map { ["--bandwidth", $0] } ?? [])
        kills = try Self.test(
            words + ["--iterations", "\(iterations)"]
                + (isFromOrigin ? [] : ["--trigger", "time"]), console)
        seed = kills.design.seed
        uninterrupted = try Self.test(
            words + [
                "--iterations", "1", "--trigger", "time", "--at", "never", "--seed", "\(seed)",
            ], console)
        worker = kills.worker
    }

    private static func test(_ words: [String], _ console: Console) throws -> KillTest {
        do {
            return try KillTest(command: try KillTestCommand.parse(words), console: console)
        } catch let error as RigError {
            throw error
        } catch {
            throw RigError(.usage, KillTestCommand.message(for: error))
        }
    }

    /// Runs the trial.
    ///
    /// - Returns: the results.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig itself fails.
    func run() async throws -> ContractReport {
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let runID = RunID.make(seed: seed)
        let folder = try RunFolder(creating: "results/\(runID)")
        let scratch = try folder.makeScratch()
        defer {
            folder.removeScratch()
            folder.removeIfEmpty()
        }
        let video = try kills.command.video.localVideo()
        func manifest(_ test: KillTest) throws -> Manifest {
            test.makeManifest(
                runID: runID, plan: try test.design.checkedPlan(video: video), video: video,
                folder: folder)
        }
        let (alone, killed) = (try manifest(uninterrupted), try manifest(kills))
        return try await RunStage.with(
            killed, mark: runID, programs: kills.programs, scratch: scratch,
            interruption: interruption, console: console
        ) { stage in
            defer { console.redraw("") }
            let life = try await part(
                alone, in: try stage.laboratory(alone, video: video, scratch: "\(scratch)/alone"))
            var deaths = ContractPart(evidence: [])
            if life.failure == nil {
                deaths = try await part(
                    killed,
                    in: try stage.laboratory(killed, video: video, scratch: "\(scratch)/killed"))
            }
            return ContractJudge(worker, uninterrupted: life, kills: deaths).report(seed: seed)
        }
    }

    /// Executes every iteration of a plan, until the worker fails.
    private func part(_ manifest: Manifest, in laboratory: Laboratory) async throws -> ContractPart
    {
        var evidence: [IterationEvidence] = []
        do {
            let schedule = manifest.plan.schedule
            try await laboratory.prepare(schedule, console: console)
            for planned in schedule {
                console.redraw(
                    "rig: \(worker.name), \(planned.iteration) of \(schedule.count)")
                let outcome = try await laboratory.perform(planned)
                evidence += outcome.kills
                laboratory.discard(outcome)
            }
            return ContractPart(evidence: evidence)
        } catch let error as RigError where error.status == .unavailable {
            // A failure of the worker is a result of the trial; the rig's own failures are
            // rethrown.
            return ContractPart(
                evidence: evidence, failure: error.message, leftProcess: error.isOfLeftover)
        }
    }
}

/// `rig workers check`: defines the options; ``ContractTrial`` does the work.
struct CheckWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Hold a worker to the contract: an unharmed run, and some kills.",
        discussion: """
            Exit codes: 0 every point passes, 99 one fails, 98 one could not be shown, 69 a \
            program is not installed, 64 the profile cannot be used. rig kill-test with the same \
            --worker and --seed repeats the kills and keeps what they rest on.
            """)

    @Argument(help: "The name of a profile, or its file, by a path with a / or an end in .yml.")
    var worker: String

    @Option(name: .long, help: "How many kills.")
    var iterations = 10

    @Option(name: .long, help: "The kills follow from it; printed when not given.")
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp("The size of the video; 10MB by default.", valueName: "size"))
    var videoSize: ByteSize = ByteSize(bytes: 10 << 20)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The origin's speed; \(ContractTrial.pace) by default.", valueName: "rate"))
    var bandwidth: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Fill a placeholder of the worker's own; may be repeated.", valueName: "key=value"))
    var settings: [String] = []

    @Flag(name: .long, help: "Print the points as JSON.")
    var json = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let console = output.console
        try await console.guarded {
            let trial = try ContractTrial(
                of: worker,
                options: [
                    "--video-size", "\(videoSize.bytes)",
                ] + (seed.map { ["--seed", "\($0)"] } ?? [])
                    + settings.flatMap { ["--set", $0] }, bandwidth: bandwidth,
                iterations: iterations, console: console)
            let report = try await trial.run()
            console.result(json ? ContractJSON.text(report) : ContractTable.text(report))
            return report.status
        }
    }
}
