internal import Dispatch
internal import Fixture
internal import FixtureOrigin
internal import RigModel
internal import Synchronization

/// `playback`, `switching` and `two-players`: the worker is a proxy, and the rig is the player.
struct PlayerScenario: Scenario {
    let context: IterationContext

    /// How a proxy ends after it was asked to: cleanly, by SIGTERM.
    private static let asked = Death.exited(143)

    /// Patterns differ in length, so each is measured by itself.
    var isMeasuredEachTime: Bool { true }

    private struct Stage {
        let paths: [String]
        let folder: IterationFolder
        let space: PositionSpace
    }

    private func stage(_ number: Int, _ folder: IterationFolder) -> Stage {
        let paths = settings.resources.indices.map { "/\(number)/\($0)/\(settings.fileName)" }
        let videos = zip(paths, settings.resources).map {
            (url: context.origin.base + $0, source: $1.source)
        }
        return Stage(paths: paths, folder: folder, space: PositionSpace(videos))
    }

    private func mount(_ resources: [Resource], _ stage: Stage) -> FollowedMounts {
        let mounts = zip(resources, stage.paths).map { context.origin.mount($0, at: $1) }
        return FollowedMounts(mounts) { stage.space.parts[$0].base }
    }

    private var previousVersion: Player.PreviousVersion? {
        settings.successors.map { _ in
            Player.PreviousVersion(etag: settings.resource.etag, source: settings.resource.source)
        }
    }

    /// The command of the proxy; a worker without one was refused before the run.
    private func command(_ stage: Stage, _ policy: Policy) -> [String] {
        WorkerPlaceholders(
            url: stage.space.parts[0].url, directory: stage.folder.state,
            output: stage.folder.output, policy: policy
        ).fill(settings.worker.proxy ?? [])
    }

    /// The player's moves in the launch that a kill ends, others for each kill.
    private func plan(_ planned: PlannedIteration, kill: Int = 1) -> PlayerPlan {
        PlayerPlan(
            settings.workload, seed: planned.seed &+ UInt64(kill - 1),
            videoLength: settings.resource.source.length)
    }

    /// Runs until every byte of every video is acknowledged, with the iteration's own pattern.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        let number = context.newNumber()
        let stage = stage(number, try context.newFolder(number))
        defer { stage.folder.remove() }
        let mounts = mount(settings.resources, stage)
        defer { context.unmount(mounts) }
        let moves = self.plan(plan)
        let run = try await play(stage, policy: plan.policy, watching: mounts) { $0.play(moves) }
        // Wrong deliveries are not judged here, but in the run with the kill.
        guard run.death == Self.asked, let first = run.seen.firstByte,
            let complete = run.seen.complete
        else {
            let fault = run.delivery.faults.first
            guard run.death != Self.asked else {
                let saved = run.page.glance.acknowledged.count
                throw context.unable(
                    stage.folder, "",
                    fault: fault
                        ?? "\(saved) of \(stage.space.length) bytes are saved after all was played")
            }
            throw UninterruptedFailure(
                end: end(.measured, run),
                error: context.unable(stage.folder, "\(run.death)", fault: fault))
        }
        context.phases.note(run.page.reading?.entries, of: plan.policy)
        return UninterruptedRun(seconds: complete - first, curve: run.seen.curve)
    }

    private struct Played {
        let launch: Launch
        let page: WitnessWatch

        var death: Death { launch.death }
        var seen: Milestones { launch.seen }
        var delivery: Delivery { seen.delivery ?? Delivery() }
    }

    private func end(_ life: LifeEnd.Life, _ run: Played) -> LifeEnd {
        settings.end(life, of: run.launch, expectedDeath: Self.asked)
    }

    private func play(
        _ stage: Stage, policy: Policy, changed: PositionSpace? = nil,
        watching mounts: FollowedMounts? = nil, _ moves: @escaping @Sendable (Player) -> Delivery
    ) async throws -> Played {
        let shutdownFlag = Interruption()
        let folder = stage.folder
        let space = changed ?? stage.space
        let start = PlayerSession.size(of: folder.log)
        let witness = try folder.freshWitness(placing: space.placement)
        // A run that kills are timed by must be observed in the same way as the life with the kill.
        let watch = mounts.map { context.sockets(of: $0, besides: witness, in: folder).watch }
        let watching = context.monitor(watch ?? witness, until: space.length, in: folder)
        let launch = try await context.launch(command(stage, policy), in: folder) { worker in
            let session = PlayerSession(
                log: folder.log, from: start, space: space, thresholds: policy.players,
                shutdownFlag: shutdownFlag, play: moves)
            var monitor = watching
            monitor.isOver = { session.isOver }
            var seen = monitor.attend(worker)
            seen.delivery = session.leave()
            return seen
        }
        return Played(launch: launch, page: witness)
    }

    func examine(_ life: inout KilledRun, in iteration: Iteration) async throws {
        let stage = stage(iteration.number, iteration.folder)
        let copy = stage.folder.keptState(ofKill: life.planned.kill)
        let found = await onOwnThread { self.inspect(stage, copy: copy) }
        life.examined = found
        iteration.stopwatch.lap(.autopsy)
    }

    func conclude(
        _ lives: [KilledRun], after earlier: EarlierLife?, in iteration: Iteration
    ) async throws -> Chain {
        let (plan, stopwatch) = (iteration.plan, iteration.stopwatch)
        let stage = stage(iteration.number, iteration.folder)
        let recovered = lives.last?.examined?.autopsy?.recovered
        let offline = try await playOffline(plan.policy, stage, recovered: recovered)
        stopwatch.lap(relaunched: offline.seen)
        let (resumption, online) = try await playOnline(
            plan.policy, stage, recoverySeconds: offline.seen.recovered, stopwatch: stopwatch)
        return Chain(
            plan: plan, settings: settings, videoLength: stage.space.length, pace: iteration.pace,
            baseline: earlier?.left, lives: lives, autopsies: lives.map(\.examined),
            last: resumption,
            before: [earlier?.end].compactMap(\.self),
            after: [end(.offline, offline), end(.relaunched, online)],
            isAnsweredOtherwise: settings.successors != nil,
            lastRecovery: settings.worker.writesWitness
                ? offline.seen.recovery.seconds : online.seen.firstByte,
            playedOffline: offline.delivery, playedAfterwards: online.delivery)
    }

    func earlierLife(_ iteration: Iteration) async throws -> EarlierLife? {
        let planned = iteration.plan
        let stage = stage(iteration.number, iteration.folder)
        let mounts = mount(settings.resources, stage)
        defer { context.unmount(mounts) }
        let moves = plan(planned).beginning(planned.first.position)
        let run = try await play(stage, policy: planned.policy) { $0.play(moves) }
        let copy = try StateCopy.copy(from: stage.folder.state, to: stage.folder.copyBefore)
        let found = await onOwnThread { self.inspect(stage, copy: copy) }
        return EarlierLife(
            end(.earlier, run), page: run.page, asked: run.seen.acknowledgedWhenAsked,
            left: found, hasWitness: settings.contract.hasWitness, capacity: settings.capacity)
    }

    func launchAndKill(_ planned: PlannedKill, in iteration: Iteration) async throws -> KilledRun {
        let plan = iteration.plan
        let stage = stage(iteration.number, iteration.folder)
        let origin = mount(settings.resources, stage)
        defer { context.unmount(origin) }
        let shutdownFlag = Interruption()
        var hooks = KillHooks(willKill: { shutdownFlag.raise() })
        if let count = planned.trigger.heldBytes {
            let (hold, mounts) = (SharedHold(afterDistinctBytes: count), origin.mounts)
            for mount in mounts { mount.hold(hold) }
            hooks.isHolding = { hold.isReached && mounts.contains { $0.heldBodies > 0 } }
            hooks.isAwaited = { mounts.contains { $0.heldBodies > 0 } }
        }
        let witness = try stage.folder.freshWitness(
            placing: stage.space.placement, holding: context.hold(for: planned, of: plan.policy))
        let sockets = context.sockets(of: origin, besides: witness, in: stage.folder)
        // The log may already hold the address of an earlier life's proxy.
        let start = PlayerSession.size(of: stage.folder.log)
        let (log, space, moves) = (
            stage.folder.log, stage.space, self.plan(plan, kill: planned.kill)
        )
        hooks.isHeldBack = { sockets.isHeldBack }
        let controller = context.controller(for: planned, in: iteration, sockets.watch, hooks)
        let command = command(stage, plan.policy)
        var life = try await context.struck(
            by: controller, in: iteration, watching: witness, sockets
        ) { arming in
            try await context.launch(command, in: stage.folder) { worker in
                let session = PlayerSession(
                    log: log, from: start, space: space, thresholds: plan.policy.players,
                    shutdownFlag: shutdownFlag
                ) { $0.play(moves) }
                var controller = controller
                controller.hooks.isOver = { session.isOver }
                var seen = controller.killWorker(arming(worker))
                seen.delivery = session.leave()
                return seen
            }
        }
        life.requests = origin.servedRequests
        guard planned.kill > 1, !life.seen.sent else { return life }
        let received = life.seen.delivery ?? Delivery()
        let isDone = life.death == Self.asked
        life.complaint = isDone ? received.faults.first : WorkerLog.tail(stage.folder.log)
        if isDone {
            life.completed = KilledRun.VideoDifference(
                bytes: max(received.wrongBytes, space.length - received.delivered.count),
                at: received.firstDifference)
        }
        return life
    }

    private func inspect(_ stage: Stage, copy: StateCopy) -> StateExamination? {
        settings.worker.examine(copy: copy, fileName: settings.fileName, in: stage.space)
    }

    /// Relaunches without origin: what was recovered plays, and the rest fails clearly (B7, C9).
    private func playOffline(
        _ policy: Policy, _ stage: Stage, recovered: ByteRanges?
    ) async throws -> Played {
        let recovered = recovered ?? ByteRanges()
        let space = stage.space
        let port = try await StoppedOrigin.stop(context.origin)
        let played = await Result(of: {
            try await play(stage, policy: policy) { player in
                Self.playRecovered(recovered, of: space, with: player)
            }
        })
        try await port.start()
        return try played.get()
    }

    private static func playRecovered(
        _ recovered: ByteRanges, of space: PositionSpace, with player: Player
    ) -> Delivery {
        var delivery = Delivery()
        let asked = DispatchGroup()
        let faults = Mutex<[String]>([])
        for (index, part) in space.parts.enumerated() {
            let missing = ByteRanges([part.positions]).subtracting(recovered)
            guard let first = missing.ranges.first else { continue }
            let position = first.lowerBound - part.base
            let request = PlayerRequest(
                video: index, range: position..<position + 1, isOpenEnded: false, takes: 1)
            delivery.requests += 1
            // Each has its own queue: a proxy may retry for seconds before it gives up.
            DispatchQueue(label: "rig.player.refusal").async(group: asked) {
                if let fault = player.refusal(of: request) { faults.withLock { $0.append(fault) } }
            }
        }
        for (index, part) in space.parts.enumerated() {
            for range in space.positions(of: recovered, in: part) {
                let request = PlayerRequest(
                    video: index, range: range, isOpenEnded: false,
                    takes: range.upperBound - range.lowerBound)
                delivery.add(player.take(request))
            }
        }
        asked.wait()
        delivery.faults += faults.withLock { $0.sorted() }
        return delivery
    }

    /// Relaunches online: the player takes everything, of the version that is served by then.
    private func playOnline(
        _ policy: Policy, _ stage: Stage, recoverySeconds: Double?, stopwatch: IterationStopwatch
    ) async throws -> (Resumption, Played) {
        let resources = settings.successors ?? settings.resources
        let mounts = mount(resources, stage)
        defer { context.unmount(mounts) }
        let space = PositionSpace(
            zip(stage.space.parts, resources).map { (url: $0.url, source: $1.source) })
        let everything = PlayerPlan.everything(
            videos: stage.space.parts.count, of: settings.resource.source.length)
        let run = try await play(stage, policy: policy, changed: space) {
            [previousVersion] player in
            var player = player
            player.previousVersion = previousVersion
            return player.play(everything)
        }
        stopwatch.lap(relaunched: run.seen)
        let complaint =
            run.death == Self.asked
            ? run.delivery.faults.first
            : settings.failure(of: run.launch, in: stage.folder)
        let resumption = Resumption(
            death: run.death, expectedDeath: Self.asked, requests: mounts.servedRequests,
            recoverySeconds: recoverySeconds, resumeSeconds: run.seen.firstByte,
            differingBytes: max(
                run.delivery.wrongBytes, stage.space.length - run.delivery.delivered.count),
            firstDifference: run.delivery.firstDifference, complaint: complaint)
        return (resumption, run)
    }
}
