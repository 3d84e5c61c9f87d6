internal import Fixture
internal import FixtureOrigin
internal import RigModel
internal import Witness

/// `offline-library`: a list of videos and their images, refreshed over and over.
///
/// Every request for the list gets another one. A list counts as recovered when it, or a later one,
/// is complete on disk; an image when its file equals what the origin serves.
struct LibraryScenario: Scenario {
    let context: IterationContext

    /// The relaunched worker is served a list that it has never seen.
    private static let lastGeneration = LibraryPlan.generations + 1

    private var plan: LibraryPlan { context.settings.library }
    private var pictures: [MemoryVideo] { context.settings.pictures }

    // MARK: The stage

    /// The folder and URLs of one run.
    private struct Stage {
        let path: String
        let folder: IterationFolder
        let addresses: LibraryAddresses
    }

    private func makeStage() throws -> Stage {
        let number = context.newNumber()
        return Stage(
            path: "/\(number)", folder: try context.newFolder(number),
            addresses: LibraryAddresses(
                plan: plan, base: "\(context.origin.base)/\(number)"))
    }

    private func mount(_ stage: Stage, generations: ClosedRange<Int>) throws -> LibraryOrigin {
        LibraryOrigin(
            on: context.origin, at: stage.path,
            lists: try generations.map { MemoryVideo(try stage.addresses.json($0)) },
            pictures: pictures, addresses: stage.addresses)
    }

    private func unmount(_ origin: LibraryOrigin) {
        for mount in origin.mounts { context.origin.unmount(mount) }
    }

    /// The worker's sockets, in the evidence's position space.
    private func sockets(
        of origin: LibraryOrigin, besides page: WitnessWatch, in folder: IterationFolder
    ) -> SocketLevel {
        context.sockets(
            of: origin.mounts, at: origin.places(from: 1), besides: page, in: folder)
    }

    private func library() throws -> WorkerProfile.Library {
        guard let library = context.settings.worker.library else {
            throw RigError(
                .usage,
                "the worker \(context.settings.worker.name) keeps no list and no images; use "
                    + "--workload download")
        }
        return library
    }

    private func fill(
        _ command: [String], _ stage: Stage, _ policy: Policy, times: Int = 1
    ) -> [String] {
        WorkerPlaceholders(
            url: stage.addresses.feed, directory: stage.folder.state,
            output: stage.folder.output, policy: policy,
            more: ["{feed}": stage.addresses.feed, "{times}": "\(times)"]
        ).fill(command)
    }

    // MARK: The uninterrupted run

    /// Runs from the first byte until every list and every image is acknowledged.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        let stage = try makeStage()
        defer { stage.folder.remove() }
        let origin = try mount(stage, generations: 1...LibraryPlan.generations)
        defer { unmount(origin) }
        let witness = try stage.folder.freshWitness(placing: stage.addresses.placement)
        let sockets = self.sockets(of: origin, besides: witness, in: stage.folder)
        let monitor = WorkerMonitor(
            watch: sockets.watch, videoLength: self.plan.length,
            stallDetector: context.stallDetector(stage.folder))
        let command = fill(
            try library().refresh, stage, plan.policy, times: LibraryPlan.generations)
        let life = try await context.launch(
            command, in: stage.folder, wasKilled: { $0.wasEnded }
        ) { monitor.attend($0) }
        let (death, seen) = (life.death, life.observed)
        guard death == .exited(0), let first = seen.firstByte, let complete = seen.complete else {
            let error = context.unable(stage.folder, "\(death)")
            guard death != .exited(0) else { throw error }
            throw UninterruptedFailure(end: self.end(.measured, life), error: error)
        }
        context.phases.note(witness.reading?.entries, of: plan.policy)
        return UninterruptedRun(seconds: complete - first, curve: seen.curve)
    }

    /// How a refreshing life ended, once it is over.
    private func end(
        _ life: LifeEnd.Life, _ end: WorkerRun.End<Milestones>
    ) -> LifeEnd {
        context.settings.end(life, of: end, expectedDeath: .exited(0))
    }

    // MARK: One iteration

    func perform(
        _ plan: PlannedIteration, pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> IterationOutcome {
        let stage = try makeStage()
        let struck = try await launchAndKill(
            plan, stage, seconds: pace.seconds, stopwatch: stopwatch)
        let killed = try look(
            stage, copy: stage.folder.stateCopy(ofKill: 1), stopwatch: stopwatch)
        let (resumption, end) = try await relaunch(plan.policy, stage, stopwatch: stopwatch)
        let relaunched = try look(
            stage, copy: stage.folder.copyAfterwards, stopwatch: stopwatch)
        var evidence = IterationEvidence(
            plan: plan, kill: 1, fault: context.settings.fault, workload: .offlineLibrary,
            videoLength: self.plan.length, death: struck.death, killSent: struck.killOutcome.sent,
            killSeconds: struck.killOutcome.killSeconds,
            killFraction: struck.killOutcome.fraction(of: pace.seconds), requests: struck.requests,
            witness: try? struck.page.get(), autopsy: killed.autopsy.map(asBytes),
            autopsyError: killed.error,
            resumption: judged(resumption, relaunched.autopsy),
            library: LibraryEvidence(
                acknowledgedList: struck.acknowledgedList, receivedList: struck.receivedList,
                acknowledgedImages: struck.acknowledgedImages, killed: killed.autopsy,
                relaunched: relaunched.autopsy, servedAfterwards: Self.lastGeneration,
                imagesAfterwards: self.plan.images(Self.lastGeneration)),
            sockets: struck.sockets,
            givenUp: struck.killOutcome.gaveUp.map(context.settings.complaint),
            lives: [self.end(of: struck), end], witnessGap: struck.page.gap)
        evidence.outlived = struck.outlived
        evidence.asked = struck.killOutcome.asked
        evidence.cost = struck.killOutcome.cost
        evidence.note(progressAgainst: pace)
        return IterationOutcome(kills: [evidence], folder: stage.folder, stopwatch: stopwatch)
    }

    private struct Struck {
        let death: Death
        let killOutcome: KillOutcome
        let page: Result<WitnessReading, WitnessGap>
        let sockets: SocketReading?
        let requests: [ServedRequest]
        let memoryKills: Int?
        let outlived: [String]
        var acknowledgedList = 0
        var receivedList = 0
        var acknowledgedImages: [Int] = []
    }

    /// How the life ended that a kill was to end; a worker that refreshes for ever never ends by
    /// itself.
    private func end(of struck: Struck) -> LifeEnd {
        let isOverrun = struck.killOutcome.gaveUp == .overran
        let work = struck.death == .exited(0) ? LifeEnd.Work(differingBytes: nil) : nil
        return LifeEnd(
            .struck, struck.death, expectedDeath: .exited(0),
            givenUp: struck.killOutcome.gaveUp.map(context.settings.complaint),
            memoryKills: struck.memoryKills,
            limit: OwnLimits.ofThisProcess.cause(of: struck.death),
            excuse: isOverrun
                ? "the worker refreshed for ever, as told, and no kill came"
                : struck.killOutcome.excuse,
            work: work)
    }

    private func launchAndKill(
        _ plan: PlannedIteration, _ stage: Stage, seconds: Double,
        stopwatch: IterationStopwatch
    ) async throws -> Struck {
        let origin = try mount(stage, generations: 1...LibraryPlan.generations)
        defer { unmount(origin) }
        var hooks = KillHooks()
        if let planned = plan.first.trigger.heldBytes {
            let hold = SharedHold(afterDistinctBytes: planned)
            for mount in origin.mounts { mount.hold(hold) }
            hooks.isHolding = {
                hold.isReached && origin.mounts.contains { $0.heldBodies > 0 }
            }
        }
        let witness = try stage.folder.freshWitness(
            placing: stage.addresses.placement,
            holding: context.hold(for: plan.first, of: plan.policy))
        let sockets = self.sockets(of: origin, besides: witness, in: stage.folder)
        hooks.isHeldBack = { sockets.isHeldBack }
        let controller = KillController(
            planned: plan.first, uninterruptedSeconds: seconds, watch: sockets.watch,
            stallDetector: context.stallDetector(stage.folder), hooks: hooks,
            graceSeconds: context.settings.grace.seconds(seed: plan.seed, kill: 1))
        let command = fill(try library().refreshForever, stage, plan.policy)
        let power = PowerCut(
            of: context.settings.volume, iterationSeed: plan.seed, kill: 1,
            uninterruptedSeconds: seconds, watching: witness)
        stopwatch.lap(.prepare)
        let life = try await context.launch(
            command, in: stage.folder, wasKilled: { $0.sent || $0.gaveUp != nil }
        ) { controller.killWorker(power.arming($0)) }
        let killOutcome = life.observed
        stopwatch.lap(killOutcome, ended: life.ended)
        let reading = await onOwnThread {
            sockets.reading(of: killOutcome, by: self.context.settings.fault)
        }
        for mount in origin.mounts { mount.cut() }
        try power.restore()
        stage.folder.launches.noteEnd(ofKill: 1)
        stopwatch.lap(.clear)
        let struck = Struck(
            death: life.death, killOutcome: killOutcome, page: power.page, sockets: reading,
            requests: origin.served(from: 1), memoryKills: life.memoryKills,
            outlived: life.outlived)
        return tell(struck, power.records, stage.addresses)
    }

    /// Adds what the page says of lists and images.
    private func tell(
        _ struck: Struck, _ records: [WitnessRecord], _ addresses: LibraryAddresses
    ) -> Struck {
        var struck = struck
        let feed = WitnessLayout.resource(of: addresses.feed)
        for (index, record) in records.filter({ $0.resource == feed }).enumerated() {
            let generation = LibraryAddresses.generation(ofRequest: index)
            if record.received >= LibraryPlan.listBytes { struck.receivedList = generation }
            if record.acknowledged > 0 { struck.acknowledgedList = generation }
        }
        let acknowledged = Set(records.filter { $0.acknowledged > 0 }.map(\.resource))
        struck.acknowledgedImages = (0..<LibraryPlan.imageCount).filter {
            acknowledged.contains(WitnessLayout.resource(of: addresses.image($0)))
        }
        return struck
    }

    /// Examines a copy of the current state.
    private func look(
        _ stage: Stage, copy: String, stopwatch: IterationStopwatch
    ) throws -> (autopsy: LibraryAutopsy?, error: String?) {
        try StateCopy.copy(from: stage.folder.state, to: copy)
        stopwatch.lap(.copy)
        defer { stopwatch.lap(.autopsy) }
        do {
            let inspector = LibraryInspector(
                library: try library(), addresses: stage.addresses, pictures: pictures,
                generations: 1...Self.lastGeneration)
            return (try inspector.inspect(copy: copy), nil)
        } catch {
            return (nil, "\(error)")
        }
    }

    private func relaunch(
        _ policy: Policy, _ stage: Stage, stopwatch: IterationStopwatch
    ) async throws -> (Resumption, LifeEnd) {
        let origin = try mount(stage, generations: Self.lastGeneration...Self.lastGeneration)
        defer { unmount(origin) }
        let monitor = WorkerMonitor(
            watch: try stage.folder.freshWitness(), videoLength: plan.length,
            stallDetector: context.stallDetector(stage.folder))
        let command = fill(try library().refresh, stage, policy)
        let life = try await context.launch(
            command, in: stage.folder, wasKilled: { $0.wasEnded }
        ) { monitor.attend($0) }
        let (death, seen) = (life.death, life.observed)
        stopwatch.lap(seen)
        let resumption = Resumption(
            death: death, requests: origin.served(from: Self.lastGeneration),
            recoverySeconds: seen.recovered, resumeSeconds: seen.firstByte, differingBytes: nil,
            firstDifference: nil,
            complaint: death == .exited(0)
                ? nil
                : seen.end.map(context.settings.complaint) ?? WorkerLog.tail(stage.folder.log))
        return (resumption, self.end(.relaunched, life))
    }
}

// MARK: - In bytes

extension LibraryScenario {
    /// The folder as a cache's autopsy: the list on disk, the lists it replaced, and the images.
    private func asBytes(_ autopsy: LibraryAutopsy) -> Autopsy {
        var chunks: [StoredChunk] = []
        if case .generation(let newest) = autopsy.list {
            chunks = (1...max(1, newest)).compactMap { plan.listRange($0) }.map {
                StoredChunk(range: $0, checksumMatches: true, differingBytes: 0)
            }
        }
        chunks += autopsy.images.map {
            StoredChunk(
                range: plan.imageRange($0.number), checksumMatches: true,
                differingBytes: $0.differingBytes)
        }
        return Autopsy(
            integrityCheck: autopsy.integrityCheck, chunks: chunks,
            claimedRanges: ByteRanges(chunks.map(\.range)), firstDifference: nil)
    }

    /// Adds the bytes that are wrong after the relaunch; a missing list counts as all of a list's
    /// bytes.
    private func judged(_ resumption: Resumption, _ autopsy: LibraryAutopsy?) -> Resumption {
        guard let autopsy else { return resumption }
        let torn = autopsy.images.reduce(Int64(0)) { $0 + $1.differingBytes }
        let isRight = autopsy.list == .generation(Self.lastGeneration)
        return Resumption(
            death: resumption.death, requests: resumption.requests,
            recoverySeconds: resumption.recoverySeconds, resumeSeconds: resumption.resumeSeconds,
            differingBytes: torn + (isRight ? 0 : LibraryPlan.listBytes), firstDifference: nil,
            complaint: resumption.complaint)
    }
}
