internal import ArgumentParser
internal import Foundation
internal import OriginFaults
internal import RigModel
internal import RigRun
internal import RigVerdict

struct KillTestCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill-test",
        abstract: "Run kill iterations against a worker, write a run folder, apply the gates.",
        discussion: """
            Each iteration starts from nothing: a worker downloads the video, is killed at a \
            planned moment (by signal 9, or as --fault says), its state is examined on a \
            copy, it is launched again, has to complete the video, and the completed file is \
            compared byte by byte.

            Examples:
              rig kill-test --iterations 100 --gate 'lost_bytes.max <= 512KB'
              rig kill-test --iterations 10 -- python3 get.py {url} {dir} {output}

            Any program that changes files can be killed as well, where --check says what must hold.
            """)

    @OptionGroup(title: "Run") var size: RunOptions
    @OptionGroup(title: "Worker") var worker: WorkerOptions
    @OptionGroup(title: "Worker") var work: WorkloadOptions
    @OptionGroup(title: "Kills") var kill: KillOptions
    @OptionGroup(title: "Kills") var calls: CallOptions
    @OptionGroup(title: "Kills") var phases: PhaseOptions
    @OptionGroup(title: "Video and origin") var video: VideoOptions
    @OptionGroup(title: "Gates") var gates: GateOptions
    @OptionGroup(title: "Settings in a file") var configuration: ConfigurationOptions
    @OptionGroup(title: "Parallel runs") var parallel: ParallelOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try OptionRules(command: self).check() }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        try await KillTest(try settings(), console: console).run()
    }

    func settings() throws -> RunSettings {
        // The only use of the system's randomness in a run: its seed, which is printed.
        var settings = RunSettings(
            profile: try worker.profile(
                judgedBy: work.program.judged, writable: work.program.writable),
            policies: work.workload.hasBytes ? try size.policies : [.program],
            seed: size.seed ?? UInt64.random(in: 0...0xFFFF_FFFF), startedAt: .now)
        settings.iterations = size.iterations
        settings.video = video.settings
        settings.bandwidth = video.bandwidth?.bytesPerSecond
        settings.trigger = kill.trigger
        settings.pinned = kill.at
        settings.isExhaustive = kill.exhaustive
        settings.isStratified = phases.stratify
        settings.kills = kill.kills
        settings.out = results.out
        settings.json = results.json
        settings.showsTimings = results.timings
        settings.command = ["rig"] + Configuration.words
        settings.workerOption = worker.option
        settings.workload = work.workload
        settings.values = work.settings.values
        settings.originFaults = video.originFault.unless([])
        settings.tls = video.tls.unless(false)
        settings.port = video.port.unless(0)
        settings.fault = kill.fault
        settings.grace = kill.death.grace?.unless(.standard)
        settings.callFailure = calls.failure
        settings.crashModel = kill.crashModel.unless(CrashModel())
        settings.relaunch = kill.relaunch.unless(.once)
        settings.timeLimit = kill.timeLimit?.value
        settings.evidence = results.evidence
        settings.partition = parallel.partition
        let standard = JobFit.standard(for: settings.spec, worker: settings.profile)
        settings.jobs = (parallel.jobs ?? standard).unless(1)
        try settings.checkWorker()
        settings.gates = try Gate.fitting(gates.given() ?? Gate.defaults, settings.workload)
        settings.reference = try GateBaseline.given(gates.references, for: settings.gates)
        let lasting = gates.lastingReferences
        (settings.spec.baseline, settings.spec.history) = (lasting.baseline, lasting.history)
        return settings
    }
}
