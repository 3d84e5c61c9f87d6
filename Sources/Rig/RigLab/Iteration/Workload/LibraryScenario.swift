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

    private var plan: LibraryPlan { settings.library }
    private var pictures: [MemoryVideo] { settings.pictures }

    private struct Stage {
        let path: String
        let folder: IterationFolder
        let addresses: LibraryAddresses
    }

    private func stage(_ number: Int, _ folder: IterationFolder) -> Stage {
        Stage(
            path: "/\(number)", folder: folder,
            addresses: LibraryAddresses(plan: plan, base: "\(context.origin.base)/\(number)"))
    }

    /// A feed that serves each list once, and the last one from then on, and the images.
    private func mount(_ stage: Stage, generations: ClosedRange<Int>) throws -> FollowedMounts {
        let plan = settings.library
        let lists = try generations.map { MemoryVideo(try stage.addresses.json($0)) }
        let feed = context.origin.mount(at: stage.path + "/feed.json") { request in
            Resource(source: lists[min(request, lists.count) - 1], contentType: "application/json")
        }
        let images = pictures.enumerated().map { number, picture in
            context.origin.mount(
                Resource(source: picture, contentType: "image/jpeg"),
                at: stage.path + LibraryAddresses.imagePath(number))
        }
        var places = FollowedMounts(images) { plan.imageRange($0).lowerBound }.places
        places[feed.path] = { request in
            let list = min(generations.lowerBound + request - 1, generations.upperBound)
            return plan.listRange(list)?.lowerBound ?? 0
        }
        return FollowedMounts(mounts: [feed] + images, places: places)
    }

    private func library() throws -> WorkerProfile.Library {
        guard let library = settings.worker.library else {
            throw RigError.usage(
                "the worker \(settings.worker.name) keeps no list and no images; use "
                    + "--workload download")
        }
        return library
    }

    private func fill(
        _ command: [String], _ stage: Stage, _ policy: Policy, times: Int = 1
    ) -> [String] {
        WorkerPlaceholders(
            url: stage.addresses.feed, directory: stage.folder.state, output: stage.folder.output,
            policy: policy, more: ["feed": stage.addresses.feed, "times": "\(times)"]
        ).fill(command)
    }

    /// Runs from the first byte until every list and every image is acknowledged.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        let number = context.newNumber()
        let stage = stage(number, try context.newFolder(number))
        defer { stage.folder.remove() }
        let origin = try mount(stage, generations: 1...LibraryPlan.generations)
        defer { context.unmount(origin) }
        let witness = try stage.folder.freshWitness(placing: stage.addresses.placement)
        let sockets = context.sockets(of: origin, besides: witness, in: stage.folder)
        let monitor = context.monitor(sockets.watch, until: self.plan.length, in: stage.folder)
        let command = fill(
            try library().refresh, stage, plan.policy, times: LibraryPlan.generations)
        let life = try await context.launch(command, in: stage.folder) { monitor.attend($0) }
        let (death, seen) = (life.death, life.seen)
        guard death == .exited(0), let first = seen.firstByte, let complete = seen.complete else {
            let error = context.unable(stage.folder, "\(death)")
            guard death != .exited(0) else { throw error }
            let end = settings.end(.measured, of: life, expectedDeath: .exited(0))
            throw UninterruptedFailure(end: end, error: error)
        }
        context.phases.note(witness.reading?.entries, of: plan.policy)
        return UninterruptedRun(seconds: complete - first, curve: seen.curve)
    }

    func conclude(
        _ lives: [KilledRun], after earlier: EarlierLife?, in iteration: Iteration
    ) async throws -> Chain {
        let stage = stage(iteration.number, iteration.folder)
        let stopwatch = iteration.stopwatch
        let killed = look(stage, stage.folder.keptState(ofKill: 1), stopwatch: stopwatch)
        let (resumption, relaunched, end) = try await relaunch(
            iteration.plan.policy, stage, stopwatch: stopwatch)
        return Chain(
            plan: iteration.plan, settings: settings, videoLength: plan.length,
            pace: iteration.pace, lives: lives,
            autopsies: [StateExamination { asBytes(try killed.get()) }],
            last: resumption, after: [end],
            library: evidence(
                lives[0].records, stage.addresses, killed: try? killed.get(),
                relaunched: relaunched))
    }

    func launchAndKill(_ planned: PlannedKill, in iteration: Iteration) async throws -> KilledRun {
        let stage = stage(iteration.number, iteration.folder)
        let origin = try mount(stage, generations: 1...LibraryPlan.generations)
        defer { context.unmount(origin) }
        var hooks = KillHooks()
        if let count = planned.trigger.heldBytes {
            let hold = SharedHold(afterDistinctBytes: count)
            for mount in origin.mounts { mount.hold(hold) }
            hooks.isHolding = { hold.isReached && origin.mounts.contains { $0.heldBodies > 0 } }
        }
        let witness = try stage.folder.freshWitness(
            placing: stage.addresses.placement,
            holding: context.hold(for: planned, of: iteration.plan.policy))
        let sockets = context.sockets(of: origin, besides: witness, in: stage.folder)
        hooks.isHeldBack = { sockets.isHeldBack }
        let controller = context.controller(for: planned, in: iteration, sockets.watch, hooks)
        let command = fill(try library().refreshForever, stage, iteration.plan.policy)
        var life = try await context.struck(
            by: controller, in: iteration, watching: witness, sockets
        ) { arming in
            try await context.launch(command, in: stage.folder) {
                controller.killWorker(arming($0))
            }
        }
        life.requests = origin.servedRequests
        if life.seen.gaveUp == .overran {
            life.excuse = "the worker refreshed for ever, as told, and no kill came"
        }
        if life.death == .exited(0) { life.work = LifeEnd.Work(differingBytes: nil) }
        return life
    }

    /// What the page says of lists and images, and what is there of them.
    private func evidence(
        _ records: [WitnessRecord], _ addresses: LibraryAddresses, killed: LibraryAutopsy?,
        relaunched: LibraryAutopsy?
    ) -> LibraryEvidence {
        let feed = WitnessLayout.resource(of: addresses.feed)
        var (received, acknowledged) = (0, 0)
        for (index, record) in records.filter({ $0.resource == feed }).enumerated() {
            let generation = LibraryAddresses.generation(ofRequest: index)
            if record.received >= LibraryPlan.listBytes { received = generation }
            if record.acknowledged > 0 { acknowledged = generation }
        }
        let safe = Set(records.filter { $0.acknowledged > 0 }.map(\.resource))
        return LibraryEvidence(
            acknowledgedList: acknowledged, receivedList: received,
            acknowledgedImages: (0..<LibraryPlan.imageCount).filter {
                safe.contains(WitnessLayout.resource(of: addresses.image($0)))
            },
            killed: killed, relaunched: relaunched, servedAfterwards: Self.lastGeneration,
            imagesAfterwards: plan.images(Self.lastGeneration))
    }

    private func look(
        _ stage: Stage, _ copy: StateCopy, stopwatch: IterationStopwatch
    ) -> Result<LibraryAutopsy, any Error> {
        defer { stopwatch.lap(.autopsy) }
        return Result {
            try LibraryInspector(
                library: try library(), addresses: stage.addresses, pictures: pictures,
                generations: 1...Self.lastGeneration
            ).inspect(copy: copy.folder)
        }
    }

    private func relaunch(
        _ policy: Policy, _ stage: Stage, stopwatch: IterationStopwatch
    ) async throws -> (Resumption, LibraryAutopsy?, LifeEnd) {
        let origin = try mount(stage, generations: Self.lastGeneration...Self.lastGeneration)
        defer { context.unmount(origin) }
        let monitor = context.monitor(
            try stage.folder.freshWitness(), until: plan.length, in: stage.folder)
        let command = fill(try library().refresh, stage, policy)
        let life = try await context.launch(command, in: stage.folder) { monitor.attend($0) }
        let (death, seen) = (life.death, life.seen)
        stopwatch.lap(relaunched: seen)
        let copy = try StateCopy.copy(from: stage.folder.state, to: stage.folder.copyAfterwards)
        stopwatch.lap(.copy)
        let found = try? look(stage, copy, stopwatch: stopwatch).get()
        let resumption = Resumption(
            death: death, requests: origin.servedRequests,
            recoverySeconds: seen.recovered, resumeSeconds: seen.firstByte,
            differingBytes: found.map(differingBytes),
            complaint: death == .exited(0) ? nil : settings.failure(of: life, in: stage.folder))
        let end = settings.end(.relaunched, of: life, expectedDeath: .exited(0))
        return (resumption, found, end)
    }

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

    /// The bytes that are wrong after the relaunch; a list that is missing counts as a whole one.
    private func differingBytes(_ autopsy: LibraryAutopsy) -> Int64 {
        let torn = autopsy.images.reduce(Int64(0)) { $0 + $1.differingBytes }
        let isRight = autopsy.list == .generation(Self.lastGeneration)
        return torn + (isRight ? 0 : LibraryPlan.listBytes)
    }
}

extension LibraryPlan {
    var pictures: [MemoryVideo] {
        imageBytes.enumerated().map { number, count in
            var random = SplitMix64(seed: UInt64(number))
            return MemoryVideo((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }
}
