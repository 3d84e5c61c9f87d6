import Foundation
import StorageModel
import Subprocess
import SyscallTracer
import SystemPackage
import TestSupport

/// Runs `FileCaller` under `rig trace`, in separate processes.
///
/// A tracer waits for all children of its process.
struct TracedProgram {
    /// How the tracer ended, and its report and messages.
    struct Outcome {
        /// Nil if a signal ended it.
        var exitCode: Int32?
        /// Nil if it exited.
        var signal: Int32?
        let report: TraceReport?
        let complaint: String
    }

    static let folder = ProcessInfo.processInfo.environment["RIG_BINARIES"] ?? BuiltPrograms.folder
    static var rig: String { "\(folder)/rig" }
    static var fileCaller: String { BuiltPrograms.path("FileCaller") }

    /// The test's folder; the program changes only `work` in it.
    let place: Place

    init() throws {
        place = try Place()
        try FileManager.default.createDirectory(
            at: place.url("work"), withIntermediateDirectories: true)
    }

    var work: String { place.path("work") }

    /// Traces `FileCaller`, with `{work}` in its arguments as the folder.
    func trace(
        _ arguments: [String], _ options: [String] = [], command: String = fileCaller,
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        let report = place.path("report")
        try? FileManager.default.removeItem(atPath: report)
        let result = try await run(
            Self.rig,
            ["trace", "--report", report] + options + ["--", command]
                + arguments.map { $0 == "{work}" ? work : $0 }, meanwhile: meanwhile)
        return Outcome(
            exitCode: result.exitCode, signal: result.signal,
            report: try TraceReport.read(path: report), complaint: result.complaint)
    }

    /// Traces `FileCaller`, and records what it does.
    func record(
        _ arguments: [String], _ options: [String] = [],
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await trace(
            arguments, ["--under", work, "--record", place.path("log")] + options,
            meanwhile: meanwhile)
    }

    /// What was recorded.
    var log: StorageLog { get throws { try StorageLog(path: place.path("log")) } }

    /// Runs a program to its end.
    func run(
        _ program: String, _ arguments: [String],
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> (exitCode: Int32?, signal: Int32?, complaint: String) {
        let complaint = place.path("complaint")
        let stream = try FileDescriptor.open(
            FilePath(complaint), .writeOnly, options: [.create, .truncate, .closeOnExec],
            permissions: .ownerReadWrite)
        defer { try? stream.close() }
        var options = PlatformOptions()
        options.processGroupID = 0
        let result = try await Subprocess.run(
            program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(arguments), platformOptions: options, input: .none,
            output: .discarded, error: .fileDescriptor(stream, closeAfterSpawningProcess: false)
        ) { execution in
            let alarm = Alarm(after: .seconds(300)) { try? execution.send(signal: .kill) }
            try await meanwhile(execution.processIdentifier.value)
            return alarm
        }
        try result.closureResult.cancel("the end of \(program) \(arguments)")
        let text = try String(contentsOfFile: complaint, encoding: .utf8)
        switch result.terminationStatus {
        case .exited(let code): return (code, nil, text)
        case .signaled(let number): return (nil, number, text)
        }
    }

    /// The sizes of the files that the program made, by name.
    func sizes() throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: work)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, try Data(contentsOf: place.url("work").appendingPathComponent(name)).count)
            })
    }

    /// Empties the work folder.
    func clear() throws {
        try FileManager.default.removeItem(atPath: work)
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    }
}
