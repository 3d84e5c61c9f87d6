internal import Fixture
package import FixtureOrigin
package import RigModel
internal import Synchronization

/// Measures what is promised of a worker that is not killed (B9, B10, B11).
package struct PromiseMeasurements: Sendable {
    private let worker: WorkerProfile
    private let origin: FixtureOrigin
    private let scratch: String
    private let environment: [String: String]
    private let interruption: Interruption

    package init(
        worker: WorkerProfile, origin: FixtureOrigin, scratch: String,
        environment: [String: String], interruption: Interruption
    ) {
        (self.worker, self.origin, self.scratch) = (worker, origin, scratch)
        (self.environment, self.interruption) = (environment, interruption)
    }

    package typealias Figure = (value: Double, n: Int)

    private static let standard = Policy(threshold: ByteSize(bytes: 512 << 10))
    private static let disabled = Policy(threshold: nil)
    /// 1 Gbit/s, in bytes per second.
    private static let gigabit = 125_000_000.0
    private static let small: Int64 = 10 << 20

    private func context(videoLength: Int64, pace: Double? = nil) throws -> IterationContext {
        let video = try ReferenceVideo.fixture(seed: 1, length: videoLength)
        let resource = Resource(
            source: video.bytes, contentType: video.contentType, etag: video.etag,
            bytesPerSecond: pace)
        return IterationContext(
            settings: LaboratorySettings(
                worker: worker, resources: [resource], fileName: video.fileName,
                scratch: "\(scratch)/\(videoLength)", environment: environment),
            origin: origin, interruption: interruption)
    }

    /// Throughput with 512 KB ÷ throughput with `disabled`, over a worker's whole life (B9).
    ///
    /// At the speed of a fast network: without a limit, memory and disk would be the bottleneck.
    /// The whole life counts, because `disabled` puts off work to the end. The policies take turns,
    /// and the best run of each counts, because other load can only slow a run down.
    package func throughputRatio(rounds: Int = 7) async throws -> Figure {
        let context = try context(videoLength: 64 << 20, pace: Self.gigabit)
        var best = [Double.infinity, .infinity]
        for _ in 0..<rounds {
            for (index, policy) in [Self.standard, Self.disabled].enumerated() {
                let seconds = try await fetchWhole(context, policy) { worker in
                    while worker.isAlive { Pause.seconds(0.000_5) }
                    return (ContinuousClock.now - worker.launched).seconds
                }
                best[index] = min(best[index], seconds)
            }
        }
        return (best[1] / best[0], rounds)
    }

    /// How much more peak memory a worker uses for a video ten times as long, in bytes, by the
    /// medians (B10); nil if a worker ended before its peak was read.
    package func peakMemoryGrowth(rounds: Int = 3) async throws -> Figure? {
        var peaks: [[Int64]] = [[], []]
        for _ in 0..<rounds {
            for (index, length) in [Self.small, 10 * Self.small].enumerated() {
                guard let peak = try await peakMemory(videoLength: length) else { return nil }
                peaks[index].append(peak)
            }
        }
        let medians = peaks.map { $0.sorted()[rounds / 2] }
        return (Double(max(0, medians[1] - medians[0])), rounds)
    }

    private func peakMemory(videoLength: Int64) async throws -> Int64? {
        let context = try context(videoLength: videoLength)
        return try await fetchWhole(context, Self.standard) { worker in
            var peak: Int64?
            while worker.isAlive {
                let line = ProcessFacts.line("/proc/\(worker.processID)/status", "VmHWM:")
                let kilobytes = line?.split(whereSeparator: \.isWhitespace).first
                peak = kilobytes.flatMap { Int64($0) }.map { $0 << 10 } ?? peak
                Pause.seconds(0.000_5)
            }
            return peak
        }
    }

    /// The least threshold that the worker accepts with its limits in force, in bytes (B11).
    package func leastThreshold() async throws -> Figure {
        let candidates: [Int64] = [
            64 << 10, 128 << 10, (256 << 10) - 1, 256 << 10, 512 << 10, 1 << 20,
        ]
        for (index, candidate) in candidates.enumerated() {
            let policy = Policy(threshold: ByteSize(bytes: candidate))
            let context = try context(videoLength: Self.small)
            let run = try await fetch(context, policy, liftsLimits: false) { worker in
                while worker.isAlive { Pause.seconds(0.000_5) }
            }
            if run.death == .exited(0) { return (Double(candidate), index + 1) }
            // It must be refused as a usage error, not fail for another reason.
            try RigError.require(
                run.death == .exited(64), .unavailable,
                "the worker \(worker.name) neither takes nor refuses a threshold of "
                    + "\(candidate) bytes: \(run.death)")
        }
        throw RigError(.unavailable, "the worker \(worker.name) refuses every threshold up to 1MB")
    }

    /// The longest wait for the first byte of a cached range, in seconds (B9); nil without a proxy.
    package func firstByteOfHit(requests: Int = 20) async throws -> Figure? {
        guard let proxy = worker.proxy else { return nil }
        let context = try context(videoLength: Self.small)
        let number = context.newNumber()
        let folder = try context.newFolder(number)
        defer { folder.remove() }
        let mount = context.origin.mount(context.settings.resource, at: "/\(number)/video.mp4")
        defer { context.origin.unmount(mount) }
        let values = WorkerPlaceholders(
            url: mount.url, directory: folder.state, output: folder.output, policy: Self.standard)
        let filled = try await context.run(
            context.confined(values.fill(worker.command), in: folder), in: folder
        ) { worker in while worker.isAlive { Pause.seconds(0.000_5) } }.death
        guard filled == .exited(0) else { throw context.unable(folder, "\(filled)") }
        let space = PositionSpace([(url: mount.url, source: context.settings.resource.source)])
        let start = PlayerSession.size(of: folder.log)
        let answers = AnswerWatch()
        let monitor = context.monitor(answers, until: .max, in: folder)
        let waits = try await context.run(
            context.confined(values.fill(proxy), in: folder), in: folder, wasKilled: true
        ) { worker in
            Self.timeHits(
                worker, log: folder.log, from: start, space: space, requests: requests, answers,
                monitor)
        }.observed
        guard waits.count == requests, let longest = waits.max() else {
            throw context.unable(folder, "a cached range was not answered")
        }
        return (longest, requests)
    }

    /// Fetches a video; a launch that does not complete it takes little, and is rejected.
    private func fetchWhole<Observed: Sendable>(
        _ context: IterationContext, _ policy: Policy,
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> Observed {
        let life = try await fetch(context, policy, watch: watch)
        let length = context.settings.resource.source.length
        try RigError.require(
            life.death == .exited(0) && life.served == length, .unavailable,
            "the worker \(worker.name) does not complete the video with \(policy.name) when "
                + "it is not killed: \(life.death.words), after \(life.served) of \(length) "
                + "bytes; run it by itself and mend it")
        return life.observed
    }

    /// Fetches a video into a folder of its own; `served` counts the origin's distinct bytes.
    private func fetch<Observed: Sendable>(
        _ context: IterationContext, _ policy: Policy, liftsLimits: Bool = true,
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed, served: Int64) {
        let number = context.newNumber()
        let folder = try context.newFolder(number)
        defer { folder.remove() }
        let mount = context.origin.mount(context.settings.resource, at: "/\(number)/video.mp4")
        defer { context.origin.unmount(mount) }
        let command = worker.command.filter {
            liftsLimits || !WorkerProfile.limitLifters.contains($0)
        }
        let values = WorkerPlaceholders(
            url: mount.url, directory: folder.state, output: folder.output, policy: policy)
        let life = try await context.run(
            context.confined(values.fill(command), in: folder), in: folder, watch: watch)
        return (life.death, life.observed, mount.distinctBytesServed)
    }

    /// Requests cached ranges from a proxy, one connection each, then asks it to end; returns the
    /// seconds to each first byte, fewer than requests if one was not answered.
    private static func timeHits(
        _ worker: LivingWorker, log: String, from start: UInt64, space: PositionSpace,
        requests: Int, _ answers: AnswerWatch, _ monitor: WorkerMonitor
    ) -> [Double] {
        let session = PlayerSession(
            log: log, from: start, space: space, shutdownFlag: Interruption()
        ) { player in
            let step = space.length / Int64(requests)
            for index in 0..<Int64(requests) {
                guard let wait = try? player.firstByte(from: index * step) else { break }
                answers.waits.withLock { $0.append(wait) }
            }
            return Delivery()
        }
        var monitor = monitor
        monitor.isOver = { session.isOver }
        monitor.isOnlyWaitedFor = true
        _ = monitor.attend(worker)
        _ = session.leave()
        return answers.waits.withLock(\.self)
    }
}

/// Watches answers: each is progress, so that many slow ones are no hang.
private final class AnswerWatch: WorkerWatch {
    let waits = Mutex<[Double]>([])

    var glance: Glance { Glance(progress: UInt64(waits.withLock(\.count))) }
}

extension Player {
    /// The seconds from connecting to the first byte at a position of the first video.
    func firstByte(from position: Int64) throws(PlayerError) -> Double {
        let began = ContinuousClock.now
        let shutdownFlag = shutdownFlag
        let connection = try PlayerConnection(port: proxy.port) { shutdownFlag.isRaised }
        try connection.send(proxy.request(for: space.parts[0].url, range: "\(position)-"))
        let answer = try connection.readHead()
        guard answer.status == 206, try !connection.readBody(atMost: 1).isEmpty else {
            throw .noAnswer
        }
        return (ContinuousClock.now - began).seconds
    }
}
