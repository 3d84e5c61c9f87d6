internal import RigModel
internal import StorageModel
internal import SyscallTracer

extension IterationContext {
    /// The tracer of a life, which records it before a kill if the fault needs that; throws exit
    /// code 70 when the path of `rig` is not known.
    func tracing(in folder: IterationFolder, recording kill: Int? = nil) throws -> Tracing {
        guard let tracer = settings.rig else {
            throw RigError(
                .failure, "the path of the rig program, which traces, is not known; reinstall rig")
        }
        var tracing = Tracing(tracer: tracer, folder: folder, failure: settings.callFailure)
        if let kill, settings.modelledDisk != nil {
            tracing.record = folder.storageLog(ofKill: kill)
            tracing.placedSyncs = settings.placedSyncs
            // A sweep tries first what differs by its place in the program.
            if settings.explorer != nil || settings.crashModel.states.isSweep {
                tracing.stacks = folder.stacks(ofKill: kill)
            }
        }
        return tracing
    }

    /// The command of a relaunch, traced where an explanation asks what that reads.
    func relaunching(_ command: [String], in folder: IterationFolder) throws -> [String] {
        guard settings.notesReads else { return command }
        var tracing = Tracing(tracer: try tracing(in: folder).tracer, folder: folder)
        // What a second relaunch reads is not what the kill has left.
        guard try tracing.report?.read == nil else { return command }
        tracing.notesReads = true
        return tracing.command(command)
    }

    /// The tracer that kills at a planned call; nil for a kill that is planned by anything else.
    func tracing(for planned: PlannedKill, in folder: IterationFolder) throws -> Tracing? {
        guard case .syscall(let moment) = planned.trigger else { return nil }
        var tracing = try tracing(in: folder, recording: planned.kill)
        tracing.moment = moment
        return tracing
    }

    /// The command that runs a worker and records it, where the fault needs that; unharmed launches
    /// that measure the others are recorded, too, as recording takes time.
    func recording(
        _ command: [String], in folder: IterationFolder, kill: Int = 1
    ) throws -> [String] {
        try settings.modelledDisk == nil
            ? command : tracing(in: folder, recording: kill).command(command)
    }

    /// The states that the power cut can have left of a dead worker's folder, of which the first
    /// replaces what is there; nil where none is modelled, or the worker ended by itself without a
    /// failed sync.
    func crashStates(
        after end: Launch, in iteration: Iteration, kill: Int
    ) throws -> CrashStates? {
        guard let disk = settings.modelledDisk, end.seen.sent,
            end.death != .exited(0) || settings.callFailure?.afterSync != nil
        else { return nil }
        let folder = iteration.folder
        var states = try TornCut.states(
            log: folder.storageLog(ofKill: kill), stacks: folder.stacks(ofKill: kill),
            completedFrom: folder.state, iterationSeed: iteration.plan.seed, kill: kill,
            by: CrashModel(disk: disk, states: settings.crashModel.states))
        if let image = states.next() { try restore(image, in: folder) }
        return states
    }

    /// Judges further states, until all are tried, or one shows something wrong or unknown.
    func others(
        than first: [IterationEvidence], among states: CrashStates?, in folder: IterationFolder,
        concluded: @escaping () async throws -> [IterationEvidence]
    ) async throws -> [IterationEvidence] {
        guard var states else { return first }
        if let explorer = settings.explorer, first.count == 1 {
            let life = RecordedLife(
                log: try TornCut.log(folder.storageLog(ofKill: 1)), disk: settings.crashModel.disk,
                states: states, stacksPath: folder.stacks(ofKill: 1)
            ) { image in
                try self.restore(image, in: folder)
                try folder.keepState(ofKill: 1)
                return try await concluded()
            }
            try await explorer.explore(life)
            return first
        }
        var kills = first
        var tried = 1
        if !states.unseen.isEmpty { kills[0].unseen = states.unseen }
        while states.unseen.isEmpty, kills.allSatisfy(isSound),
            tried < settings.crashModel.states.most, let image = states.next()
        {
            tried += 1
            try restore(image, in: folder)
            try folder.keepState(ofKill: 1)
            let others = try await concluded()
            let isFirstUnknown =
                kills.allSatisfy { $0.check?.unknown == nil }
                && others.contains { $0.check?.unknown != nil }
            if isFirstUnknown || !others.allSatisfy(isSound) { kills = others }
        }
        kills[0].crashStates = tried
        kills[0].sweep = states.coverage
        return kills
    }

    /// Replaces a dead worker's state by one that the power cut can have left.
    func restore(_ image: CrashImage, in folder: IterationFolder) throws {
        try image.replace(folder: folder.state)
        // Files elsewhere were not recorded, so none of them can be shown to be synced.
        folder.removeBelongings()
    }
}
