internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import SyscallTracer

extension CallMoment.Edge: ExpressibleByArgument {}

/// The process that starts and traces a worker, and ends the way the worker ended.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Run a program, count its write- and sync-like calls, and kill it at one, or "
            + "make it fail.",
        shouldDisplay: false)

    @Option(help: "The counted call at which to kill, or that fails, from 1.") var killAt: Int?
    @Option(help: "The name of the calls that --kill-at counts; all without it.") var of: String?
    @Option(help: "before or after that call.") var edge: CallMoment.Edge = .before
    @Option(help: "How that call fails; it is no kill then.") var error: CallError?

    @Option(help: "Which later calls fail: once, until-relaunch, every:N.")
    var sticky: Sticky = .once

    @Option(help: "The files whose calls fail, as a pattern.") var on: String?
    @Option(help: "What becomes of a file whose sync fails.") var afterFsync: AfterSync?
    @Option(help: "Count also what is done below this folder.") var alsoUnder: [String] = []
    @Option(help: "Count only what is done below this folder.") var under: String?
    @Option(help: "Where the report goes, as JSON.") var report: String
    @Option(help: "Where the log of what was done below the folder goes.") var record: String?
    @Option(help: "Where the text goes that says where each call was made.") var stacks: String?
    @Option(help: "A sync to make for the program, as JSON.") var sync: [String] = []
    @Flag(help: "Stop at every call, as where the kernel has no filters.") var unfiltered = false
    @Flag(help: "Name the files that the program reads as it found them.") var notesReads = false

    @Flag(help: "Look for what is stored to mapped memory only before syncs.")
    var looksBeforeSyncsOnly = false

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String]

    func validate() throws {
        try require(!command.isEmpty, "there is no program to trace; put it after --.")
        if let killAt, killAt < 1 {
            throw ValidationError("--kill-at counts from 1; give a number of at least 1.")
        }
        if record != nil, under == nil {
            throw ValidationError("--record needs the folder to record; give it as --under.")
        }
    }

    func run() throws {
        var settings = TraceSettings(command: command)
        settings.killAt = killAt
        settings.killName = of
        settings.edge = edge
        settings.failure = error.map {
            CallFailure($0, sticky: sticky, pattern: on, afterSync: afterFsync)
        }
        settings.folder = under
        settings.moreFolders = alsoUnder
        settings.record = record
        settings.stacks = stacks
        settings.placedSyncs = try sync.map {
            try JSONDecoder().decode(PlacedSync.self, from: Data($0.utf8))
        }
        settings.report = report
        settings.notesReads = notesReads
        settings.isFiltered = !unfiltered
        settings.looksOften = !looksBeforeSyncsOnly
        do {
            let seen = try Tracer.trace(settings, environment: ProcessInfo.processInfo.environment)
            try seen.write(to: report)
            Tracer.end(like: seen)
        } catch {
            FileHandle.standardError.write(Data("rig trace: \(error)\n".utf8))
            // The report tells this exit code from the program's.
            try? TraceReport(of: error)?.write(to: report)
            throw ExitCode(error.exitStatus.rawValue)
        }
    }
}

extension TraceError {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .badFolder: .usage
        case .cannotStart: .unavailable
        case .notPermitted: .permission
        case .cannotWrite: .failure
        }
    }
}
