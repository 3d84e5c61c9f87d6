internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigRun
internal import RigVerdict

struct PlanCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Print the kill plan and what the iterations can prove; starts nothing.",
        // Without this, the usage line would include the name of `kill-test`.
        usage: "rig plan [--rows] <options of kill-test>",
        discussion: """
            Takes the options of kill-test: put plan in the place of that word. A gate that the \
            iterations cannot reach ends it with exit code 64, as it would end the run.

            Examples:
              rig plan --iterations 300
              rig plan --trigger phase --stratify --rows
            """)

    @Flag(help: "Print every planned kill as CSV.") var rows = false
    @OptionGroup var run: KillTestCommand

    var output: OutputOptions { run.output }

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        // A validation error would name `kill-test` as a part.
        try RigError.require(
            !(rows && run.results.json),
            "--rows prints CSV and --json prints JSON; give one of them")
        let settings = try run.settings()
        guard let video = try settings.video.local() else {
            throw RigError(
                .usage,
                "the plan needs the length of the video, and fetches nothing; fetch it and give "
                    + "--video FILE, or give --video-size")
        }
        let plan = try settings.plan(video: video)
        var preview = try PlanPreview(
            of: plan, fault: settings.fault, workload: settings.workload,
            reach: settings.reach(of: plan), gates: settings.gates, baseline: settings.reference)
        preview.partition = settings.partition
        preview.grace = run.kill.death.grace
        if rows {
            try printRows(plan, to: console)
        } else {
            console.result(run.results.json ? PlanJSON.text(preview) : PlanTable.text(preview))
        }
        if let objection = preview.gates.compactMap(\.objection).first {
            throw RigError(.usage, objection)
        }
        return .success
    }

    private func printRows(_ plan: KillPlan, to console: Console) throws {
        try RigError.require(
            plan.hasKnownMoments,
            "the calls or lines to kill at are counted when the run starts; leave out --rows, or "
                + "pin one with --at")
        console.result(PlanCSV.header)
        for index in 1...plan.iterations where run.parallel.partition?.contains(index) ?? true {
            let lines = plan.policies.map { PlanCSV.lines(plan.iteration(index, policy: $0)) }
            console.result(lines.joined())
        }
    }
}
