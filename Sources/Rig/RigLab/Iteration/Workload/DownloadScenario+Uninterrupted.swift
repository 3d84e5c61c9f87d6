internal import Fixture
internal import FixtureOrigin
internal import RigModel
internal import SyscallTracer

extension DownloadScenario {
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        do {
            return try await unharmed(plan, followed: nil) { run, _, _ in run }
        } catch let failure as UninterruptedFailure {
            throw failure.naming(await refusedPlace(plan))
        }
    }

    func unharmed<Value>(
        _ plan: PlannedIteration, followed: Tracing.Followed?, then body: Unharmed<Value>
    ) async throws -> Value {
        try await unharmedLaunch(plan, followed: followed) {
            try await body(try await run(of: $0, plan), $0.life.folder, $0.tracing)
        }
    }

    /// What another launch is the last to be refused, by its confinement or by the system; nil where
    /// it is refused nothing, or its calls cannot be followed.
    private func refusedPlace(_ plan: PlannedIteration) async -> String? {
        guard settings.confinement != nil, settings.rig != nil, settings.worker.server == nil else {
            return nil
        }
        return try? await unharmedLaunch(plan, followed: .everything) {
            try $0.tracing?.report?.refused
        }
    }

    private struct UnharmedLaunch {
        let mount: Mount
        let witness: WitnessWatch
        let life: WorkerRun
        let end: Launch
        let tracing: Tracing?
    }

    private func unharmedLaunch<Value>(
        _ plan: PlannedIteration, followed: Tracing.Followed?,
        then body: (UnharmedLaunch) async throws -> Value
    ) async throws -> Value {
        let number = context.newNumber()
        let folder = try context.newFolder(number)
        defer { folder.remove() }
        let mount = context.origin.mount(settings.resource, at: urlPath(number))
        defer { context.origin.unmount(mount) }
        let witness = try folder.freshWitness()
        let sockets = context.sockets(of: FollowedMounts([mount]), besides: witness, in: folder)
        let monitor = context.monitor(sockets.watch, until: video.length, in: folder)
        var tracing: Tracing?
        if let followed {
            tracing = try context.tracing(in: folder)
            tracing?.followed = followed
        }
        let follower = tracing
        let life = try WorkerRun(of: mount.url, in: folder, policy: plan.policy, context)
        try life.place(video)
        let end = try await life.attend(monitor) {
            try follower?.command($0) ?? context.recording($0, in: folder)
        }
        return try await body(
            UnharmedLaunch(
                mount: mount, witness: witness, life: life, end: end, tracing: follower))
    }

    private func run(
        of launch: UnharmedLaunch, _ plan: PlannedIteration
    ) async throws -> UninterruptedRun {
        let (life, witness, end) = (launch.life, launch.witness, launch.end)
        let gate = UninterruptedGate(context: context, folder: life.folder, mount: launch.mount)
        try gate.check(end)
        try gate.check(page: witness)
        let seen = end.seen
        // A worker that does not report its completion is complete when it ends.
        guard let first = seen.firstByte,
            let complete = witness.isWritten ? seen.complete : seen.over
        else {
            guard end.death == .exited(0) else {
                throw context.unable(life.folder, end.death.words)
            }
            throw RigError.unavailable(
                "the worker \(settings.worker.name) ended well, and was not seen to take a byte of"
                    + " the video, so no kill could be timed: have it ask for {url} itself, and"
                    + " leave out origin faults by which bytes have no place (chunks, parts, an"
                    + " encoding)")
        }
        if settings.worker.isHeldToItsWork {
            let export = try await export(life, after: end.death)
            let given = Milestones(over: seen.over, gaveUp: export.hang)
            try gate.check(Launch(death: export.death, seen: given))
            try gate.check(file: life.values.fill(settings.worker.completed), export.comparison)
            try gate.check(export.kept)
        }
        context.phases.note(witness.reading?.entries, of: plan.policy)
        return UninterruptedRun(
            seconds: complete - first, curve: seen.curve,
            endingSeconds: endingSeconds(seen, of: launch.mount), startSeconds: first)
    }

    /// From the last byte to the end of the process, in seconds, by the origin's record, as a
    /// program may end between two looks; nil where the last byte was not seen.
    private func endingSeconds(_ seen: Milestones, of mount: Mount) -> Double? {
        guard seen.curve.stretch(of: video.length) != nil, let over = seen.over,
            let launched = seen.launched,
            let sent = mount.ledger.filter({ $0.state == .complete }).compactMap(\.endedAt).max()
        else { return nil }
        return max(0, over - (sent - launched).seconds)
    }
}
