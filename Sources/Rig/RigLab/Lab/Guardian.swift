internal import CFileSystem
internal import Glibc
internal import RigModel
internal import Subprocess
internal import SystemPackage

/// A separate process that outlives the rig by a moment, so that no worker outlives the rig.
///
/// It reads from a pipe that only the rig can write to. When the rig dies, even by SIGKILL, it
/// kills what carries the run's mark in its environment, what has overwritten that and holds a file
/// of the run's folder open, and what was the rig's descendant a twentieth of a second before: this
/// run has started each of them. Then it unmounts what the run has mounted.
package struct Guardian: Sendable {
    package static let markVariable = RunMark.runVariable

    private let lifeline: FileDescriptor
    private let process: Task<Void, any Error>

    /// Starts the guardian and waits until it is ready; mark and folder are those of ``RunMark``.
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
            var (reason, code) = ("", Int32?.none)
            if case .failure(let error as SubprocessError) = await process.result {
                (reason, code) = (": \(error)", error.underlyingError?.rawValue)
            }
            throw RigError.failure(
                "the rig cannot start its guardian process \(executable)\(reason); "
                    + (SystemFailure.remedy(forStart: code) ?? "reinstall rig"))
        }
        return Guardian(lifeline: lifeline.writeEnd, process: process)
    }

    /// The hidden command of `rig` that runs ``standGuard(mark:folder:)``.
    package static let commandName = "guard-workers"

    package func dismiss() async {
        try? lifeline.close()
        _ = await process.result
    }

    /// Runs the guardian: waits for the rig's end, then kills and unmounts what is left.
    package static func standGuard(mark: String, folder: String? = nil) {
        let rig = getppid()
        let run = RunMark(entry: "\(markVariable)=\(mark)", folder: folder.map { RealPath.of($0) })
        _ = try? FileDescriptor.standardOutput.writeAll([UInt8(ascii: "r")])
        let seen = waitForEnd(of: rig)
        RunProcesses.killEveryone(run)
        // A rig that has dismissed its guardian has cleaned up the rest itself.
        if getppid() != rig { killAll(seen) }
        MemoryGroups.sweep(ofRig: rig)
        _ = PowerCutLeftovers.ofRun(mark).remove()
    }

    /// Blocks until the rig has ended or dismissed this guardian; returns its descendants at the
    /// last look: one that has dropped the mark cannot be told from any other later.
    static func waitForEnd(of rig: pid_t) -> [ProcessFacts] {
        // Processes older than this guardian existed before the run.
        let began = ProcessFacts(of: getpid())?.started ?? .max
        var seen: [ProcessFacts] = []
        var byte: UInt8 = 0
        while true {
            if descriptor_wait(STDIN_FILENO, 50_000_000) > 0, read(STDIN_FILENO, &byte, 1) < 1 {
                return seen
            }
            seen = ProcessFacts.descendants(of: rig, besides: isGuardian)
                .compactMap(ProcessFacts.init(of:)).filter { $0.started >= began }
        }
    }

    static func killAll(_ seen: [ProcessFacts]) {
        for _ in 0..<500 {
            let there = seen.filter { facts in
                ProcessFacts(of: facts.id).map { $0.started == facts.started && !$0.hasEnded }
                    ?? false
            }
            if there.isEmpty { return }
            for facts in there {
                let below = ProcessFacts.descendants(of: facts.id, besides: isGuardian)
                for process in below { kill(process, SIGKILL) }
                kill(facts.id, SIGKILL)
            }
            Pause.seconds(0.02)
        }
    }

    /// True for a guardian, also that of a run inside this one: each cleans up its own run.
    private static func isGuardian(_ process: pid_t) -> Bool {
        let words = (ProcessFacts.read("/proc/\(process)/cmdline") ?? []).split(separator: 0)
        return words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
            == commandName && "/proc/\(process)/exe".linkTarget == "/proc/self/exe".linkTarget
    }
}
