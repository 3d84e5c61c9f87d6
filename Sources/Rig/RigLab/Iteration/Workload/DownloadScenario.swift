internal import Fixture
internal import FixtureOrigin
internal import RigModel

/// `download`: a program fetches one video and ends.
struct DownloadScenario: Scenario {
    let context: IterationContext

    var video: any VideoSource { settings.resource.source }
    func urlPath(_ number: Int) -> String { "/\(number)/\(settings.fileName)" }

    /// The path for the relaunch: another video has another address, and the same file name.
    private func pathAfterwards(_ number: Int) -> String {
        settings.relaunch == .other ? "/\(number)/other/\(settings.fileName)" : urlPath(number)
    }

    func conclude(
        _ lives: [KilledRun], after earlier: EarlierLife?, in iteration: Iteration
    ) async throws -> Chain {
        let (folder, stopwatch) = (iteration.folder, iteration.stopwatch)
        // The autopsies read copies, so the worker may be relaunched meanwhile.
        async let examined = onOwnThread {
            stopwatch.beside(.autopsy) {
                lives.map { self.inspect(folder.keptState(ofKill: $0.planned.kill), url: $0.url) }
            }
        }
        let relaunched = try await relaunch(in: iteration)
        let autopsies = await examined
        stopwatch.lap(.autopsy)
        return Chain(
            plan: iteration.plan, settings: settings, videoLength: video.length,
            pace: iteration.pace, baseline: earlier?.left, lives: lives, autopsies: autopsies,
            last: relaunched.resumption, before: [earlier?.end].compactMap(\.self),
            after: relaunched.ends, isAnsweredOtherwise: relaunched.isAnsweredOtherwise,
            lastRecovery: relaunched.recovery)
    }

    func earlierLife(_ iteration: Iteration) async throws -> EarlierLife? {
        let (plan, folder) = (iteration.plan, iteration.folder)
        let mount = context.origin.mount(settings.resource, at: urlPath(iteration.number))
        defer { context.origin.unmount(mount) }
        let share = 0.125 + 0.75 * plan.first.position
        // More than a probe fetches, and less than the whole video.
        let part = min(max(3, Int64(share * Double(video.length))), video.length - 1)
        mount.hold(afterDistinctBytes: part)
        let witness = try folder.freshWitness()
        let watch = context.sockets(of: FollowedMounts([mount]), besides: witness, in: folder).watch
        let monitor = context.monitor(watch, until: video.length, in: folder) {
            watch.glance.received.count >= part
        }
        let life = try WorkerRun(of: mount.url, in: folder, policy: plan.policy, context)
        try life.place(video)
        let end = try await life.attend(monitor)
        // A life that ended before it was asked cannot have done its work: the origin holds back.
        var lifeEnd = settings.end(
            .earlier, of: end,
            expectedDeath: end.seen.wasAsked && !end.death.tellsOfACrash ? nil : .exited(0))
        if !end.seen.wasAsked { lifeEnd.work = LifeEnd.Work(differingBytes: nil) }
        let copy = try StateCopy.copy(from: folder.state, to: folder.copyBefore)
        let found = await onOwnThread { [url = mount.url] in self.inspect(copy, url: url) }
        return EarlierLife(
            lifeEnd, page: witness, asked: end.seen.acknowledgedWhenAsked, left: found,
            hasWitness: settings.contract.hasWitness, capacity: settings.capacity)
    }

    func launchAndKill(_ planned: PlannedKill, in iteration: Iteration) async throws -> KilledRun {
        let (plan, folder) = (iteration.plan, iteration.folder)
        let mount = context.origin.mount(
            settings.resource(until: planned), at: urlPath(iteration.number))
        defer { context.origin.unmount(mount) }
        let witness = try folder.freshWitness(holding: context.hold(for: planned, of: plan.policy))
        let sockets = context.sockets(of: FollowedMounts([mount]), besides: witness, in: folder)
        var hooks = KillHooks()
        if let count = planned.heldBytes(of: video.length) {
            mount.hold(afterDistinctBytes: count)
            hooks.isHolding = { sockets.hasTakenAll(of: count) }
            hooks.sendLastByte = { mount.release() }
            hooks.isHeldBack = { sockets.isHeldBack }
            hooks.isAwaited = { mount.heldBodies > 0 }
        }
        var controller = context.controller(for: planned, in: iteration, sockets.watch, hooks)
        controller.ending = iteration.pace.endingSeconds.map {
            .init(after: video.length, seconds: $0)
        }
        let worker = try WorkerRun(of: mount.url, in: folder, policy: plan.policy, context)
        try worker.place(video)
        var life = try await context.struck(
            by: controller, in: iteration, watching: witness, sockets
        ) { try await worker.killWorker(by: controller, arming: $0) }
        life.requests = mount.servedRequests()
        life.url = mount.url
        let (death, seen) = (life.death, life.seen)
        if seen.sent { life.lacksItsFile = try lacksItsFile(worker) }
        let isDone = death == .exited(0)
        let isStruck = seen.sent && (settings.fault.isPowerCut || seen.asked != nil)
        guard !isStruck, isDone || planned.kill > 1 && !seen.sent else { return life }
        // It ended by itself: its work, right or wrong, is also evidence for the previous kill.
        let export = try await export(worker, after: death, stopwatch: iteration.stopwatch)
        // After the export, because what that fetches was not there either.
        life.taken = await onOwnThread { sockets.taken }
        life.requests = mount.servedRequests()
        life.completed = export.comparison.map {
            .init(bytes: $0.differingBytes, at: $0.firstDifference, wrong: $0.wrong, cut: $0.cut)
        }
        if isDone { life.work = export.work }
        life.complaint = isDone ? nil : life.launch.complaint ?? WorkerLog.tail(folder.log)
        return life
    }

    /// True when a worker that makes the file by its own command has not yet made it whole.
    private func lacksItsFile(_ life: WorkerRun) throws -> Bool? {
        guard settings.worker.exportStep == nil else { return nil }
        let file = life.values.fill(settings.worker.completed)
        guard RealPath.isIn(context.writable(in: life.folder), file) else { return true }
        return try FileComparison.compare(file: file, with: video).map { $0.differingBytes > 0 }
            ?? true
    }

    private func inspect(_ copy: StateCopy, url: String) -> StateExamination? {
        settings.worker.examine(
            copy: copy, fileName: settings.fileName, in: PositionSpace([(url, video)]))
    }

    private struct Relaunch {
        let resumption: Resumption
        var ends: [LifeEnd]
        let recovery: Double?
        let isAnsweredOtherwise: Bool
    }

    private func relaunch(in iteration: Iteration) async throws -> Relaunch {
        var first = try await completingLaunch(in: iteration, isTwice: settings.relaunch == .twice)
        if settings.relaunch == .again, first.resumption.endedWell {
            let second = try await completingLaunch(in: iteration, isTwice: false)
            first.ends.append(
                second.ends[0].again(completing: second.resumption, after: first.resumption))
        }
        return first
    }

    private func completingLaunch(in iteration: Iteration, isTwice: Bool) async throws -> Relaunch {
        let (folder, stopwatch) = (iteration.folder, iteration.stopwatch)
        let successor = settings.successors?[0]
        let mount = context.origin.mount(
            settings.resourceAfterKill(isTwice: isTwice), at: pathAfterwards(iteration.number),
            faults: settings.faultsAtRelaunch)
        defer { context.origin.unmount(mount) }
        let sockets = context.sockets(
            of: FollowedMounts([mount]), besides: try folder.freshWitness(), in: folder)
        let monitor = context.monitor(
            sockets.watch, until: mount.resource.source.length, in: folder)
        let life = try WorkerRun(of: mount.url, in: folder, policy: iteration.plan.policy, context)
        try life.place(mount.resource.source)
        let (end, beside, errors) =
            isTwice
            ? try await twoInstances(of: life, on: mount, monitor)
            : try await attended(life, in: folder, on: mount, monitor)
        let seen = end.seen
        stopwatch.lap(relaunched: seen)
        let export = try await export(
            life, after: end.death, as: successor, isLast: settings.relaunch != .again,
            stopwatch: stopwatch)
        // After the export, because what that fetches was not there either.
        let requests = mount.servedRequests()
        let taken = await onOwnThread { sockets.taken }
        let (exported, comparison) = (export.death, export.comparison)
        var lifeEnd = settings.end(.relaunched, of: end, expectedDeath: .exited(0), death: exported)
        lifeEnd.givenUp = lifeEnd.givenUp ?? export.hang.map(settings.complaint)
        var resumption = Resumption(
            death: exported, requests: requests, recoverySeconds: seen.recovered,
            resumeSeconds: seen.firstByte, differingBytes: comparison?.differingBytes,
            firstDifference: comparison?.firstDifference,
            complaint: exported == .exited(0) && comparison != nil
                ? nil : settings.failure(of: end, in: folder),
            taken: taken, wrong: comparison?.wrong, stale: comparison?.stale,
            // Another version may be the complete one before; another video may not.
            isVersionBefore: settings.relaunch == .other ? nil : comparison?.isVersionBefore,
            notKept: export.kept.missing, unread: export.kept.unread, cut: comparison?.cut)
        resumption.errors = errors
        resumption.idleFault = IdleFault(settings.faultsAtRelaunch, mount.ledger)
        resumption.fileLength = comparison?.length
        resumption.surplus = comparison?.surplus
        return Relaunch(
            resumption: resumption, ends: [lifeEnd] + [beside].compactMap(\.self),
            recovery: seen.recovery.seconds,
            isAnsweredOtherwise: errors != nil || settings.answersOtherwise(mount.ledger))
    }

    /// Runs two instances at once: the end of the one that did the work, and of the other.
    private func twoInstances(
        of life: WorkerRun, on mount: Mount, _ monitor: WorkerMonitor
    ) async throws -> (Launch, LifeEnd?, Resumption.EarlierErrors?) {
        let folder = life.second.folder
        let sockets = context.sockets(
            of: FollowedMounts([mount]), besides: try folder.freshWitness(), in: folder)
        let besides = context.monitor(sockets.watch, until: monitor.videoLength, in: folder)
        let (end, other) = try await life.attendTwice(monitor, besides)
        return (end, settings.end(.beside, of: other, expectedDeath: other.death.asRefusal), nil)
    }
}

extension Death {
    /// The same exit, as one by which a program may refuse to run beside another; 0 for any other.
    fileprivate var asRefusal: Death {
        guard case .exited = self, !isReportOfAShell else { return .exited(0) }
        return self
    }
}

extension LifeEnd {
    /// The end of a launch after the work was done: an earlier version may stay, not come back.
    fileprivate func again(completing second: Resumption, after first: Resumption) -> LifeEnd {
        var work = Work(
            differingBytes: second.differingBytes.map {
                max(first.isStale && second.isStale ? 0 : $0, second.notKept?.count ?? 0)
            },
            cut: second.cut)
        work.surplus = second.surplus
        return LifeEnd(
            .again, death, expectedDeath: expectedDeath, givenUp: givenUp,
            memoryKills: memoryKills, work: death == .exited(0) ? work : nil)
    }
}
