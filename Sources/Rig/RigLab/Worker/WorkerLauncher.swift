internal import RigModel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

struct WorkerLauncher: Sendable {
    let environment: [String: String]
    /// The fault for a worker that is to be killed.
    var fault = Fault.sigkill
    /// True where a request to end goes to all processes of a worker, and all of them are waited for.
    var asksGroup = false

    func run<Observed: Sendable>(
        _ command: [String], log: String, output: String? = nil, in directory: String? = nil,
        variables: [String: String] = [:], watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        guard let program = command.first else {
            throw RigError(.usage, "the worker's command is empty; give a program to run")
        }
        let errors = try Self.appending(to: log)
        defer { try? errors.close() }
        let lines = try output.map(Self.appending)
        defer { try? lines?.close() }
        var options = PlatformOptions()
        options.processGroupID = 0
        let merged = environment.merging(variables) { $1 }
        let updates = Dictionary(
            uniqueKeysWithValues: merged.map { (Environment.Key(stringLiteral: $0), $1 as String?) }
        )
        let launch = OwnChildren.launch()
        defer { launch.end() }
        // Taken before the launch: the worker may run for a while before this process is scheduled
        // again. On a busy machine it had received its first byte 8 ms before its recorded launch.
        let launched = ContinuousClock.now
        let wasAsked = Mutex(false)
        do {
            let result = try await Subprocess.run(
                program.contains("/") ? .path(FilePath(program)) : .name(program),
                arguments: Arguments(Array(command.dropFirst())),
                environment: .inherit.updating(updates),
                workingDirectory: directory.map { FilePath($0) }, platformOptions: options,
                input: .none,
                output: .fileDescriptor(lines ?? errors, closeAfterSpawningProcess: false),
                error: .fileDescriptor(errors, closeAfterSpawningProcess: false)
            ) { execution in
                launch.note(execution.processIdentifier.value)
                let group = execution.processIdentifier.value
                let worker = LivingWorker(
                    launched: launched, processID: group,
                    kill: {
                        try? execution.send(signal: .kill)
                        try? execution.send(signal: .kill, toProcessGroup: true)
                    },
                    end: {
                        try? execution.send(signal: .terminate, toProcessGroup: asksGroup)
                        wasAsked.withLock { $0 = asksGroup }
                    },
                    askGroup: { try? execution.send(signal: .terminate, toProcessGroup: true) },
                    send: { try? execution.send(signal: Signal(rawValue: $0)) }, fault: fault,
                    environment: merged,
                    hasGroup: {
                        wasAsked.withLock(\.self) && ProcessFacts.isAnyAlive(inGroup: group)
                    })
                let observed = await onOwnThread { watch(worker) }
                // The group outlives its leader where a worker started others: kill the rest.
                try? execution.send(signal: .kill, toProcessGroup: true)
                return observed
            }
            return (Self.death(result.terminationStatus), result.closureResult)
        } catch let error as SubprocessError {
            let remedy =
                SystemFailure.remedy(forStart: error.underlyingError?.rawValue)
                ?? "build it, or check its path"
            throw RigError(.unavailable, "cannot start the worker \(program): \(error); \(remedy)")
        }
    }

    private static func appending(to path: String) throws -> FileDescriptor {
        try path.opened(.writeOnly, [.create, .append])
    }

    private static func death(_ status: TerminationStatus) -> Death {
        switch status {
        case .exited(let code): .exited(code)
        case .signaled(let signal): .signaled(signal)
        }
    }
}
