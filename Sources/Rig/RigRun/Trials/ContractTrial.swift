internal import RigLab
package import RigModel
internal import RigVerdict

/// `rig workers check`: one iteration without a kill, and some with one kill each.
package struct ContractTrial {
    private let uninterrupted: KillTest
    private let kills: KillTest
    private let console: Console

    package init(_ settings: RunSettings, console: Console) throws {
        self.console = console
        kills = try KillTest(settings, console: console)
        var spared = settings
        spared.iterations = 1
        spared.trigger = .time
        spared.pinned = PinnedMoment(PinnedMoment.never)
        uninterrupted = try KillTest(spared, console: console)
    }

    package func run() async throws -> ContractReport {
        let (settings, worker) = (kills.settings, kills.worker)
        let interruption = kills.interruption
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let folder = try RunFolder(creating: "results/\(kills.runID)")
        let scratch = try folder.makeScratch()
        defer {
            folder.removeScratch()
            folder.removeIfEmpty()
        }
        let video = try await settings.video.reference(
            into: folder, unless: interruption, warn: console.error)
        func manifest(_ test: KillTest) throws -> Manifest {
            test.manifest(try test.settings.checkedPlan(video: video), video: video, folder: folder)
        }
        let (alone, killed) = (try manifest(uninterrupted), try manifest(kills))
        return try await RunEnvironment.with(
            killed, mark: kills.runID, programs: kills.programs, scratch: scratch,
            interruption: interruption, console: console
        ) { environment in
            defer { console.redraw("") }
            let life = try await part(
                alone, in: try environment.laboratory(alone, video: video, below: "alone"))
            var deaths = ContractPart(evidence: [])
            if life.failure == nil {
                deaths = try await part(
                    killed, in: try environment.laboratory(killed, video: video, below: "killed"))
            }
            return ContractJudge(worker, uninterrupted: life, kills: deaths).report(
                seed: settings.seed)
        }
    }

    private func part(_ manifest: Manifest, in laboratory: Laboratory) async throws -> ContractPart
    {
        var evidence: [IterationEvidence] = []
        do {
            let schedule = manifest.plan.schedule
            try await laboratory.prepare(schedule, console: console)
            for planned in schedule {
                console.redraw(
                    "rig: \(kills.worker.name), \(planned.iteration) of \(schedule.count)")
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
