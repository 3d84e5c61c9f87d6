import Foundation
import RigModel
import RigReport
import RigProfiles
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The built programs, run as a user runs them.
///
/// Only a few run in parallel (`harness/test` says how many): most of them mostly wait, and a rig
/// must work on a machine that is busy with other work.
struct Programs {
    /// The folder of the programs under test: `RIG_BINARIES`, or that of the test bundle.
    static let folder = ProcessInfo.processInfo.environment["RIG_BINARIES"] ?? BuiltPrograms.folder

    static var rig: String { "\(folder)/rig" }
    static var downloader: String { "\(folder)/downloader" }
    static var downloaderWithBugs: String { "\(folder)/downloader-with-bugs" }

    /// The reference worker, for a test's own laboratory; `withBugs` if one is planted.
    static func worker(withBugs: Bool = false) throws -> WorkerProfile {
        let worker = try Workers.named(WorkerProfile.referenceName)
        return (withBugs ? worker.withPlantedBugs : worker).changingPrograms { "\(folder)/\($0)" }
    }

    /// How long a program may take on any machine; after that, it is killed.
    private static let limit = Duration.seconds(1200)

    /// What a program printed, and how it ended.
    struct Outcome {
        /// Nil if a signal ended it.
        let exitCode: Int32?
        /// Nil if it exited.
        let signal: Int32?
        let output: String
        let complaint: String

        @discardableResult
        func exits(_ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
            #expect(exitCode == code, "\(output)\(complaint)", sourceLocation: sourceLocation)
            return self
        }

        /// Expects words in what it printed.
        @discardableResult
        func prints(
            _ words: some StringProtocol, sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            #expect(output.contains(words), "\(output)", sourceLocation: sourceLocation)
            return self
        }

        /// Expects words in what it wrote to standard error.
        @discardableResult
        func complains(
            _ words: some StringProtocol, sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            #expect(complaint.contains(words), "\(complaint)", sourceLocation: sourceLocation)
            return self
        }

        /// Expects an exit code, and a single line with these words on standard error.
        @discardableResult
        func exits(
            _ code: Int32, inOneLine words: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            let lines = complaint.split(separator: "\n")
            #expect(lines.count == 1, "\(lines)", sourceLocation: sourceLocation)
            return exits(code, sourceLocation: sourceLocation)
                .complains(words, sourceLocation: sourceLocation)
        }
    }

    /// Runs a program to its end; `meanwhile` may observe it and send it signals.
    ///
    /// With `exits` and `complains` it must end with that exit code, and write these words to
    /// standard error.
    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], in folder: URL,
        environment: [String: String] = [:], exits code: Int32? = nil,
        complains words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        let output = folder.appendingPathComponent("stdout-\(UUID())").path
        let complaint = folder.appendingPathComponent("stderr-\(UUID())").path
        let streams = try [output, complaint].map {
            try FileDescriptor.open(
                FilePath($0), .writeOnly, options: [.create, .append, .closeOnExec],
                permissions: .ownerReadWrite)
        }
        defer { for stream in streams { try? stream.close() } }
        let changes = Dictionary(
            uniqueKeysWithValues: environment.map {
                (Environment.Key(stringLiteral: $0), $1 as String?)
            })
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments),
            environment: .inherit.updating(changes), workingDirectory: FilePath(folder.path),
            input: .none, output: .fileDescriptor(streams[0], closeAfterSpawningProcess: false),
            error: .fileDescriptor(streams[1], closeAfterSpawningProcess: false)
        ) { execution in
            let alarm = Alarm(after: Self.limit) { try? execution.send(signal: .kill) }
            try await meanwhile(execution.processIdentifier.value)
            return alarm
        }
        try result.closureResult.cancel("the end of \(program) \(arguments)")
        var exitCode: Int32?
        var signal: Int32?
        switch result.terminationStatus {
        case .exited(let code): exitCode = code
        case .signaled(let number): signal = number
        }
        let outcome = Outcome(
            exitCode: exitCode, signal: signal,
            output: try String(contentsOfFile: output, encoding: .utf8),
            complaint: try String(contentsOfFile: complaint, encoding: .utf8))
        if let code { outcome.exits(code, sourceLocation: sourceLocation) }
        if let words { outcome.complains(words, sourceLocation: sourceLocation) }
        return outcome
    }
}

/// A folder for one test, removed at its end.
final class Workplace: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("rig-e2e-\(UUID())")
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            Issue.record(error)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: url.appendingPathComponent(name))
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// Replaces the text of a file by what is made of it.
    func change(_ name: String, _ change: (String) throws -> String) throws {
        try change(text(name)).save(as: name, in: self)
    }

    /// Whether a file has these bytes; a failure's message must not contain millions of them.
    func file(_ name: String, is bytes: Data?) -> Bool {
        FileManager.default.contents(atPath: path(name)) == bytes
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// The names of what is in a folder, sorted.
    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Puts some of the programs into the folder `bin`, and no others.
    ///
    /// They are links, as copies of them would be hundreds of megabytes.
    func install(_ programs: [String]) throws {
        try makeFolder("bin")
        for program in programs {
            let file = URL(fileURLWithPath: "\(Programs.folder)/\(program)")
                .resolvingSymlinksInPath().path
            do {
                try FileManager.default.linkItem(atPath: file, toPath: path("bin/\(program)"))
            } catch {
                // On another file system.
                try FileManager.default.copyItem(atPath: file, toPath: path("bin/\(program)"))
            }
        }
    }

    /// Runs the body with a small disk at a folder, which needs root.
    func withDisk(
        _ options: String, at folder: String, _ body: () async throws -> Void
    ) async throws {
        try makeFolder(folder)
        try await mount("-t", "tmpfs", "-o", options, "tmpfs", path(folder))
        try await ending(body) {
            try await Programs.run("/bin/umount", [path(folder)], in: url, exits: 0)
        }
    }

    func mount(_ arguments: String...) async throws {
        try await Programs.run("/bin/mount", arguments, in: url, exits: 0)
    }

    /// The gate of runs with few iterations, which allows half of their kills to be inconclusive.
    ///
    /// Of four kills a single inconclusive one is already a quarter.
    static let gateOfFewRows = ["--gate", "inconclusive_percent <= 50"]

    /// Runs `rig kill-test` into the folder `run`, by default with ``gateOfFewRows``.
    ///
    /// That gate is left out if the arguments set their own on inconclusive kills.
    @discardableResult
    func killTest(
        _ arguments: String..., environment: [String: String] = [:], exits code: Int32? = nil,
        complains words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Outcome {
        try await killTest(
            arguments, environment: environment, exits: code, complains: words,
            sourceLocation: sourceLocation)
    }

    @discardableResult
    func killTest(
        _ arguments: [String], _ more: String..., environment: [String: String] = [:],
        exits code: Int32? = nil, complains words: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Outcome {
        let all = arguments + more
        let speaksOfIt = all.contains { $0.contains("inconclusive_percent") }
        return try await Programs.run(
            Programs.rig,
            ["kill-test", "--out", "run"] + (speaksOfIt ? [] : Self.gateOfFewRows) + all, in: url,
            environment: environment, exits: code, complains: words, sourceLocation: sourceLocation)
    }

    /// Kills a command; it has no rows where the run was refused.
    func kill(
        _ command: [String], _ options: [String], exits code: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (outcome: Programs.Outcome, rows: [IterationRow]) {
        let outcome = try await killTest(
            options + ["--"] + command, exits: code, sourceLocation: sourceLocation)
        return (outcome, [64, 69].contains(outcome.exitCode) ? [] : try rows())
    }

    /// Writes the profile of a program that may write to this folder as well; its path is for
    /// `--worker`.
    func profile(_ command: [String], writable: [String]? = nil) throws -> String {
        let profile: [String: Any] = [
            "name": "own", "command": command, "writable": writable ?? [url.path],
        ]
        // JSON is valid YAML.
        let text = try JSONSerialization.data(withJSONObject: profile)
        try text.write(to: url.appendingPathComponent("own.yml"))
        return "./own.yml"
    }

    /// What `downloader status` says of the folder `cache`; 0 while there is no cache.
    func cachedBytes() async throws -> Int64 {
        struct Status: Decodable { let cached_bytes: Int64 }
        let outcome = try await Programs.run(
            Programs.downloader, ["status", "--cache", "cache", "--json"], in: url)
        guard outcome.exitCode == 0 else { return 0 }
        return try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8)).cached_bytes
    }

    func manifest(in folder: String = "run") throws -> Manifest {
        try ManifestJSON.read(text("\(folder)/manifest.json"))
    }

    /// The rows of a run, which must be so many.
    func rows(
        _ count: Int? = nil, in folder: String = "run",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [IterationRow] {
        let rows = try IterationsCSV.read(data("\(folder)/iterations.csv")).rows
        if let count { #expect(rows.count == count, sourceLocation: sourceLocation) }
        return rows
    }
}

extension [IterationRow] {
    /// Expects that something holds for all rows.
    func all(
        sourceLocation: SourceLocation = #_sourceLocation, _ holds: (IterationRow) throws -> Bool
    ) rethrows {
        let isTrue = try allSatisfy(holds)
        #expect(isTrue, "\(map(\.reason))", sourceLocation: sourceLocation)
    }
}

extension StringProtocol {
    /// Writes the text to a file in a folder.
    func save(as name: String, in place: Workplace) throws {
        try write(toFile: place.path(name), atomically: true, encoding: .utf8)
    }
}

extension Data {
    func save(as name: String, in place: Workplace) throws {
        try write(to: place.url.appendingPathComponent(name))
    }
}

/// The rig, and the reference downloader, with any command.
let rig = CalledProgram(path: Programs.rig)
let downloader = CalledProgram(path: Programs.downloader)
let curl = CalledProgram(path: "/usr/bin/curl")

/// The environment in which the reference worker has a planted bug.
func planted(_ bug: String) -> [String: String] { ["DOWNLOADER_PLANTED_BUG": bug] }

/// A program that is called with its words and the folder it works in.
struct CalledProgram: Sendable {
    let path: String

    @discardableResult
    func callAsFunction(
        _ arguments: String..., in place: Workplace, environment: [String: String] = [:],
        exits code: Int32? = nil, complains words: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Outcome {
        try await self(
            arguments, in: place, environment: environment, exits: code, complains: words,
            sourceLocation: sourceLocation)
    }

    @discardableResult
    func callAsFunction(
        _ arguments: [String], _ more: String..., in place: Workplace,
        environment: [String: String] = [:], exits code: Int32? = nil,
        complains words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Outcome {
        try await Programs.run(
            path, arguments + more, in: place.url, environment: environment, exits: code,
            complains: words, sourceLocation: sourceLocation)
    }

    /// Runs the program until something is so, and sends it a signal then.
    ///
    /// It must end with the exit code, or by the signal where there is none to expect.
    @discardableResult
    func end(
        _ arguments: [String], in place: Workplace, environment: [String: String] = [:],
        by signal: Int32 = SIGINT, exits code: Int32?, once what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: @Sendable () async throws -> Bool
    ) async throws -> Programs.Outcome {
        let outcome = try await Programs.run(
            path, arguments, in: place.url, environment: environment, exits: code,
            sourceLocation: sourceLocation
        ) { process in
            try await eventually(what, isSo)
            #expect(kill(process, signal) == 0, sourceLocation: sourceLocation)
        }
        if code == nil { #expect(outcome.signal == signal, sourceLocation: sourceLocation) }
        return outcome
    }
}
