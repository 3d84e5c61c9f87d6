internal import Foundation
internal import RigModel
internal import Synchronization

/// One launch of a worker by its profile; a server with a client runs as both: the server is
/// watched and killed, and its client shows whether the work was done.
struct WorkerRun: Sendable {
    let context: IterationContext
    private(set) var folder: IterationFolder
    let values: WorkerPlaceholders
    /// Another instance in the same folder, with a log and a witness page of its own.
    var second: WorkerRun {
        var second = self
        second.folder = folder.ofSecondInstance
        return second
    }

    /// Seconds that a server may take to exit once its client is done.
    private static let partingSeconds = 5.0
    /// Seconds that a client has to notice that its server has gone.
    private static let noticeSeconds = 2.0

    var worker: WorkerProfile { context.settings.worker }

    /// A life that has not begun; throws exit code 70 when there is no free port for a server.
    init(of url: String, in folder: IterationFolder, policy: Policy, _ context: IterationContext)
        throws
    {
        (self.context, self.folder) = (context, folder)
        let worker = context.settings.worker
        let needsPort = (worker.server ?? worker.source) != nil
        values = WorkerPlaceholders(
            url: url, directory: folder.state, output: folder.output, policy: policy,
            port: needsPort ? try folder.port.pick() : nil,
            source: worker.source == nil ? nil : folder.source)
    }

    func attend(
        _ monitor: WorkerMonitor, wrap: @escaping @Sendable ([String]) throws -> [String] = { $0 }
    ) async throws -> Launch {
        try await run(wrap) { process, isOver in
            var monitor = monitor
            let isPlannedEnd = monitor.isOver
            if worker.server != nil { monitor.partingSeconds = Self.partingSeconds }
            monitor.isOver = { isPlannedEnd() || isOver() }
            return monitor.attend(process)
        }
    }

    func killWorker(
        by controller: KillController,
        arming: @escaping @Sendable (LivingWorker) -> LivingWorker = { $0 }
    ) async throws -> Launch {
        let kill = controller.planned.kill
        let tracing = try context.tracing(for: controller.planned, in: folder)
        let isTraced = tracing != nil || context.settings.fault == .powerCutTorn
        var launch = try await run({
            try tracing?.command($0) ?? context.recording($0, in: folder, kill: kill)
        }) { process, isOver in
            var controller = controller
            let isPlannedEnd = controller.hooks.isOver
            if worker.server != nil { controller.partingSeconds = Self.partingSeconds }
            controller.hooks.isOver = { isPlannedEnd() || isOver() }
            let armed = arming(process)
            var seen = controller.killWorker(armed)
            // The kernel's counters would be those of the tracer.
            if isTraced { seen.cost = nil }
            tracing?.complete(&seen, of: armed)
            return seen
        }
        launch.calls = tracing?.calls
        return launch
    }

    private func run(
        _ wrap: @escaping @Sendable ([String]) throws -> [String],
        watch: @escaping @Sendable (LivingWorker, @escaping @Sendable () -> Bool) -> Milestones
    ) async throws -> Launch {
        try prepare()
        let traces = try ProcessReaper(in: folder)
        let launch: Launch
        if let server = worker.server {
            launch = try await runServed(by: server, wrap, traces: traces, watch: watch)
        } else {
            launch = try await fed(traces: traces) {
                try await context.watched(
                    try wrap(confined(worker.command)), in: folder, variables: variables,
                    traces: traces
                ) { watch($0, { false }) }
            }
        }
        return try await context.settled(
            launch, by: traces, wasKilled: context.wasEnded(launch.seen))
    }

    func export(by command: [String], _ monitor: WorkerMonitor) async throws -> Launch {
        try await context.launch(values.fill(command), in: folder, variables: variables) {
            monitor.attend($0)
        }
    }

    func confined(_ command: [String]) -> [String] {
        context.confined(values.fill(command), in: folder)
    }

    private var variables: [String: String] { worker.environment.mapValues(values.fill) }

    func start<Observed: Sendable>(
        _ command: [String], traces: ProcessReaper,
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        try await context.start(
            command, in: folder, variables: variables, traces: traces, watch: watch)
    }

    func prepare() throws {
        try writeFiles()
        // Files beside the completed video would survive every kill and every power cut.
        if !worker.completesInPlace { folder.removeOutput() }
    }

    private func writeFiles() throws {
        for (name, text) in worker.files {
            let filled = values.fill(name)
            let path = filled.hasPrefix("/") ? filled : "\(folder.state)/\(filled)"
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(
                    atPath: parent, withIntermediateDirectories: true)
                try values.fill(text).write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                throw RigError.unavailable(
                    "cannot write \(path) for the worker \(worker.name): "
                        + "\(SystemFailure(error)), or name a file below {dir}")
            }
        }
    }

    private func runServed(
        by server: WorkerServer, _ wrap: @escaping @Sendable ([String]) throws -> [String],
        traces: ProcessReaper,
        watch: @escaping @Sendable (LivingWorker, @escaping @Sendable () -> Bool) -> Milestones
    ) async throws -> Launch {
        let stage = ServedStage()
        let readiness = readiness(of: server)
        async let clientDeath = client(on: stage, traces: traces)
        let death: Death
        let found: (seen: Milestones, problem: String?, wasAlive: Bool)
        do {
            let command = try wrap(confined(server.command))
            (death, found) = try await start(command, traces: traces) { process in
                if let problem = readiness.wait(for: process) {
                    // A server that goes into the background also exits before it answers.
                    let isAlive = process.isAlive
                    if !isAlive { traces.lookBehind(process) }
                    process.kill()
                    stage.close(leaving: 0)
                    return (Milestones(), problem, isAlive)
                }
                stage.open()
                let seen = watch(process, { stage.isOver })
                let diedAlone = !stage.isOver && !context.wasEnded(seen)
                if diedAlone { traces.lookBehind(process) }
                stage.close(leaving: diedAlone ? Self.noticeSeconds : 0)
                return (
                    seen,
                    diedAlone ? "its server ended by itself while the client was at work" : nil,
                    false
                )
            }
        } catch {
            stage.close(leaving: 0)
            _ = try? await clientDeath
            throw error
        }
        let client = try await clientDeath
        // The server's death counts where its client was killed after the server had gone, and
        // where the server crashed when it was asked to end.
        let isServersEnd =
            client == nil || context.wasEnded(found.seen)
            || found.problem != nil && (death != .exited(0) || client != .exited(0))
            || death.isCrash
        return Launch(
            death: isServersEnd ? death : client ?? death, seen: found.seen,
            complaint: found.problem.map { problem in
                let log = WorkerLog.ending(folder.log)
                return "\(problem), with \(death.words)\(log)"
            }, neverReady: found.wasAlive ? found.problem : nil)
    }

    func readiness(of server: WorkerServer) -> ServerReadiness {
        var ready = server.ready
        if case .url(let url) = ready { ready = .url(values.fill(url)) }
        return ServerReadiness(
            // A worker with a server has a port.
            ready: ready, port: values.port ?? 0,
            seconds: min(context.settings.patienceSeconds, context.settings.timeLimitSeconds),
            interruption: context.interruption)
    }

    /// Runs the client once the server answers; nil when it never did.
    private func client(on stage: ServedStage, traces: ProcessReaper) async throws -> Death? {
        guard await onOwnThread({ stage.waitUntilOpen() }) else { return nil }
        defer { stage.end() }
        // Output of an earlier life's client is not part of the server's state.
        folder.removeOutput()
        return try await start(confined(worker.command), traces: traces) { process in
            while process.isAlive {
                if stage.isClosed { process.kill() }
                Pause.seconds(0.001)
            }
        }.death
    }

    /// Watches two instances until both have ended; the one that completed the work comes first.
    func attendTwice(
        _ monitor: WorkerMonitor, _ besides: WorkerMonitor
    ) async throws -> (end: Launch, other: Launch) {
        try prepare()
        let left = Atomic(2)
        let endsLast: @Sendable () -> Bool = {
            left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        }
        let traces = try ProcessReaper(in: folder)
        async let there = second.instance(besides, endsLast: endsLast, traces: traces)
        var end = try await instance(monitor, endsLast: endsLast, traces: traces)
        var other = try await there
        if end.death != .exited(0), other.death == .exited(0) { swap(&end, &other) }
        end = try await context.settled(
            end, by: traces, wasKilled: [end, other].contains { context.wasEnded($0.seen) })
        other.memoryKills = end.memoryKills
        return (end, other)
    }

    private func instance(
        _ monitor: WorkerMonitor, endsLast: @escaping @Sendable () -> Bool, traces: ProcessReaper
    ) async throws -> Launch {
        let (death, seen) = try await context.start(
            confined(worker.command), in: folder, variables: variables, traces: traces,
            // While the other one runs, its files change, and they are not an orphan's.
            looksBehind: { endsLast() && !context.wasEnded($0) }
        ) { monitor.attend($0) }
        return Launch(death: death, seen: seen, complaint: WorkerLog.tail(folder.log))
    }
}

extension Death {
    /// True for a death by a signal other than SIGINT, SIGKILL and SIGTERM.
    fileprivate var isCrash: Bool {
        switch self {
        case .exited: false
        case .signaled(let signal): ![2, 9, 15].contains(signal)
        }
    }
}
