internal import Glibc
internal import RigModel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

struct WorkerLauncher: Sendable {
    let environment: [String: String]
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

/// A running worker: what a kill controller may observe, and the means to end it.
struct LivingWorker: Sendable {
    let launched: ContinuousClock.Instant
    let processID: pid_t
    /// Sends signal 9 to the process, through its file descriptor, and then to its group; last to
    /// ``outsiders``.
    var kill: @Sendable () -> Void
    /// Asks the process to end in good order, by signal 15.
    var end: @Sendable () -> Void
    /// Takes all room of the disk that its state is on; false if that fails.
    var fillDisk: @Sendable () -> Bool = { false }
    /// Asks all processes of its group to end in good order, by signal 15.
    var askGroup: @Sendable () -> Void
    let send: @Sendable (Int32) -> Void
    let fault: Fault
    let environment: [String: String]
    /// True while processes of its group go on that were asked to end with it, where these count.
    var hasGroup: @Sendable () -> Bool = { false }
    /// Its processes that have left its group, where these end with it.
    var outsiders: @Sendable () -> [ProcessFacts] = { [] }

    /// True while processes go on that are asked to end with it, besides itself.
    var hasOthers: Bool { ProcessFacts.isAnyAlive(inGroup: processID) || !outsiders().isEmpty }

    /// True until the process, and what was asked to end with it, has ended; nothing is reaped.
    var isAlive: Bool {
        var info = siginfo_t()
        let status = waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT)
        if status == 0 && info.si_signo == 0 { return true }
        guard hasGroup() else { return false }
        // Waits for the end of the process itself return at once by now.
        Pause.seconds(0.002)
        return true
    }
}
