internal import Subprocess
internal import SystemPackage
internal import RigModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A separate process that outlives the rig by a moment, so that no worker outlives the rig.
///
/// It holds the read end of a pipe whose only write end is the rig's. When the rig dies, even by
/// SIGKILL, the pipe ends, and the guardian kills every process that carries the run's mark in its
/// environment, that has overwritten its environment and holds a file of the run's folder open, or
/// that was the rig's descendant when the guardian last looked, at most a twentieth of a second
/// before. Each of these proves that this run started the process. Then it unmounts what the run
/// has mounted.
package struct Guardian: Sendable {
    /// The environment variable that marks a run's workers.
    package static let markVariable = "RIG_RUN"

    private let lifeline: FileDescriptor
    private let process: Task<Void, any Error>

    /// Starts the guardian and waits until it is ready.
    ///
    /// - Parameters:
    ///   - executable: the `rig` program itself.
    ///   - mark: the value of ``markVariable`` in this run's workers.
    ///   - folder: the run's own folder: processes that overwrite their environment are recognised
    ///     by its files that they hold open.
    /// - Returns: the guardian, until it is dismissed.
    /// - Throws: ``RigError`` with exit code 70 when it cannot be started.
    package static func start(
        executable: String, mark: String, folder: String? = nil
    ) async throws -> Guardian {
        let lifeline = try FileDescriptor.pipe(options: .closeOnExec)
        let ready = try FileDescriptor.pipe(options: .closeOnExec)
        var options = PlatformOptions()
        // Its own session: Ctrl-C at the terminal ends the rig, not its guardian.
        options.createSession = true
        let settled = options
        let launch = OwnChildren.launch()
        let process = Task {
            defer { launch.end() }
            _ = try await Subprocess.run(
                .path(FilePath(executable)),
                arguments: Arguments([commandName, mark] + (folder.map { [$0] } ?? [])),
                // The mark would make the outer run's guardian kill that of a run inside it.
                environment: .inherit.updating([Environment.Key(stringLiteral: markVariable): nil]),
                platformOptions: settled,
                input: .fileDescriptor(lifeline.readEnd, closeAfterSpawningProcess: true),
                output: .fileDescriptor(ready.writeEnd, closeAfterSpawningProcess: true),
                error: .discarded
            ) { execution in launch.note(execution.processIdentifier.value) }
        }
        let isOnGuard = await onOwnThread {
            var byte: UInt8 = 0
            let count = try? withUnsafeMutableBytes(of: &byte) { try ready.readEnd.read(into: $0) }
            try? ready.readEnd.close()
            return count == 1
        }
        guard isOnGuard else {
            throw RigError(
                .failure, "the rig cannot start its guardian process \(executable); reinstall rig")
        }
        return Guardian(lifeline: lifeline.writeEnd, process: process)
    }

    /// The hidden command of `rig` that runs ``standGuard(mark:folder:)``.
    package static let commandName = "guard-workers"

    /// Ends the guardian; workers that are left are killed.
    package func dismiss() async {
        try? lifeline.close()
        _ = await process.result
    }

    /// Runs the guardian: reports that it is ready, waits for the rig's end, kills and unmounts
    /// what is left.
    ///
    /// - Parameters:
    ///   - mark: the value of ``markVariable`` in the workers to kill, which is the run's name.
    ///   - folder: the run's own folder; nil without one.
    package static func standGuard(mark: String, folder: String? = nil) {
        let rig = getppid()
        let run = RunMark(
            entry: "\(markVariable)=\(mark)", folder: folder.map { RealPath.of($0) })
        _ = try? FileDescriptor.standardOutput.writeAll([UInt8(ascii: "r")])
        let seen = waitForEnd(of: rig)
        killEveryone(run)
        // A rig that has dismissed its guardian has cleaned up the rest itself.
        if getppid() != rig { killAll(seen) }
        MemoryGroups.sweep(ofRig: rig)
        _ = PowerCutLeftovers.ofRun(mark).remove()
    }
}
