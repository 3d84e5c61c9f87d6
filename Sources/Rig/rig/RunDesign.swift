internal import Fixture
internal import RigLab
internal import RigModel
internal import RigVerdict

/// A run as its command line defines it: everything known before anything is started.
struct RunDesign {
    let command: KillTestCommand
    /// The worker's profile as written.
    let profile: WorkerProfile
    let policies: [Policy]
    let gates: [Gate]
    /// The run that gates compare with; nil when no gate compares.
    let baseline: GateBaseline?
    let seed: UInt64

    /// Reads policies and gates, and draws the seed if none is given.
    ///
    /// - Throws: ``RigError`` with exit code 64 for invalid options.
    init(_ command: KillTestCommand) throws {
        self.command = command
        profile = try command.worker.profile()
        try WorkerFit(worker: profile, command: command).check()
        try JobFit(
            jobs: command.parallel.jobs, worker: profile,
            port: command.video.port == 0 ? nil : command.video.port
        ).check()
        // Fails early for a setting that the worker does not have.
        _ = try profile.setting(command.work.values)
        policies = try command.policies
        let gates = try command.gates.given() ?? Gate.defaults
        self.gates = gates
        baseline = try command.gates.baseline(for: gates)
        // The only use of the system's randomness in a run: its seed, which is printed.
        seed = command.seed ?? UInt64.random(in: 0...0xFFFF_FFFF)
    }

    /// Rejects gates that the run cannot satisfy.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func checkGates() throws {
        // The number of iterations of an exhaustive run is known only after calls were counted.
        let most = command.kill.exhaustive ? KillPlan.mostIterations : command.iterations
        var size = RunSize(
            policies: policies.map(\.name), iterations: most,
            killsPerIteration: command.kill.kills, sparesWorkers: command.kill.sparesWorkers)
        size.baseline = baseline
        try Gate.check(gates, size: size)
    }

    /// The plan for a video, after checking that the gates can hold.
    ///
    /// - Throws: what ``plan(video:)`` throws, and ``RigError`` with exit code 64 for a gate on
    ///   more phases than are in reach.
    func checkedPlan(video: ReferenceVideo) throws -> KillPlan {
        let plan = try plan(video: video)
        try Gate.check(gates, size: size(of: plan, phases: reach(of: plan)))
        return plan
    }

    /// The size of a plan, against which its gates are checked.
    func size(of plan: KillPlan, phases: [Phase] = Phase.allCases) -> RunSize {
        var size = RunSize(plan, phases: phases)
        size.baseline = baseline
        return size
    }

    /// The phases in which kills of a plan can be observed.
    func reach(of plan: KillPlan) -> [Phase] { command.work.reach(of: plan, by: profile) }

    /// The plan for a video.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a pinned moment outside the video, and for a
    ///   phase that the worker never enters.
    func plan(video: ReferenceVideo) throws -> KillPlan {
        let videoLength = command.work.workload.length(
            videoLength: video.bytes.length, policies: policies)
        var pinned: Trigger?
        if let moment = command.kill.at {
            pinned = moment.trigger(of: command.kill.trigger, videoLength: videoLength)
            guard pinned != nil else {
                throw RigError(
                    .usage,
                    "--at \(moment.text) does not fit --trigger \(command.kill.trigger.rawValue): give "
                        + moment.expected(by: command.kill.trigger, videoLength: videoLength)
                )
            }
        }
        let reach = PhaseReach(
            workload: command.work.workload, policies: policies, videoLength: videoLength,
            capacity: command.work.capacity?.bytes)
        var refinement = command.kill.refinement
        if [.random, .bytes].contains(command.kill.trigger),
            videoLength >= KillPlan.leastLengthInFlow
        {
            refinement.hasKillsInFlow = true
        }
        // Affects only the draws for later kills.
        if refinement.kills > 1, !profile.writesWitness { refinement.lacksPhases = true }
        if refinement.kills > 1 { refinement.hasRoomInChains = true }
        return KillPlan(
            seed: seed, iterations: command.iterations, policies: policies,
            trigger: command.kill.trigger, pinned: pinned, videoLength: videoLength,
            refinement: try command.phases.refine(
                refinement, pinned: pinned, kind: command.kill.trigger, reach: reach))
    }
}
