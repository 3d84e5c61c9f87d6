internal import Fixture
internal import RigLab
internal import RigModel
internal import RigVerdict

/// A run as its command line designs it: everything that is known before anything is started.
struct RunDesign {
    let command: KillTestCommand
    /// The worker, as its profile was written.
    let profile: WorkerProfile
    let policies: [Policy]
    let gates: [Gate]
    /// The run that gates compare with; nil where none of them does.
    let baseline: GateBaseline?
    let seed: UInt64

    /// Reads policies and gates, and draws the seed where none is given.
    ///
    /// - Throws: ``RigError`` with exit code 64 for what cannot be read.
    init(_ command: KillTestCommand) throws {
        self.command = command
        profile = try command.worker.profile()
        try WorkerFit(worker: profile, command: command).check()
        try JobFit(
            jobs: command.parallel.jobs, worker: profile,
            port: command.video.port == 0 ? nil : command.video.port
        ).check()
        // A setting that the worker does not have would end the run before it starts.
        _ = try profile.setting(command.work.values)
        policies = try command.policies
        let gates = try command.gates.given() ?? Gate.defaults
        self.gates = gates
        baseline = try command.gates.baseline(for: gates)
        // The one place where a run draws on the machine's randomness: its seed, which it prints.
        seed = command.seed ?? UInt64.random(in: 0...0xFFFF_FFFF)
    }

    /// Refuses gates that the run cannot satisfy.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func checkGates() throws {
        // An exhaustive run has as many iterations as there turn out to be calls.
        let most = command.kill.exhaustive ? KillPlan.mostIterations : command.iterations
        var size = RunSize(
            policies: policies.map(\.name), iterations: most,
            killsPerIteration: command.kill.kills, sparesWorkers: command.kill.sparesWorkers)
        size.baseline = baseline
        try Gate.check(gates, size: size)
    }

    /// The plan over a video, once it is known that the gates can hold.
    ///
    /// - Throws: as ``plan(video:)``, and ``RigError`` with exit code 64 for a gate on more phases
    ///   than are in reach.
    func checkedPlan(video: ReferenceVideo) throws -> KillPlan {
        let plan = try plan(video: video)
        try Gate.check(gates, size: size(of: plan, phases: reach(of: plan)))
        return plan
    }

    /// The size of a plan, by which its gates are checked.
    func size(of plan: KillPlan, phases: [Phase] = Phase.allCases) -> RunSize {
        var size = RunSize(plan, phases: phases)
        size.baseline = baseline
        return size
    }

    /// The phases that a kill of a plan can be seen to land in.
    func reach(of plan: KillPlan) -> [Phase] { command.work.reach(of: plan, by: profile) }

    /// The plan over a video.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a pinned moment outside it, and for a phase that
    ///   the worker never enters.
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
        // Only what is drawn for later kills depends on it.
        if refinement.kills > 1, !profile.writesWitness { refinement.lacksPhases = true }
        if refinement.kills > 1 { refinement.hasRoomInChains = true }
        return KillPlan(
            seed: seed, iterations: command.iterations, policies: policies,
            trigger: command.kill.trigger, pinned: pinned, videoLength: videoLength,
            refinement: try command.phases.refine(
                refinement, pinned: pinned, kind: command.kill.trigger, reach: reach))
    }
}
