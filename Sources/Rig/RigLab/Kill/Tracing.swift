internal import Foundation
internal import RigModel
internal import SyscallTracer

/// A launch under the tracer, which counts calls, and may kill the worker or make one fail.
struct Tracing: Sendable {
    /// The `rig` program: the tracer is a separate process.
    let tracer: String
    let folder: IterationFolder
    var followed = Followed.state
    /// The call at which to kill, or with which failures begin; nil to let the worker run.
    var moment: CallMoment?
    var failure: CallFailure?
    var record: String?
    /// Where it is noted from which place each recorded call was made; nil for nowhere.
    var stacks: String?
    /// Syncs that the tracer makes for the program, which is recorded.
    var placedSyncs: [PlacedSync] = []
    /// Whether the report names the files that the program reads as it found them.
    var notesReads = false

    enum Followed: Sendable {
        case state
        case everything
    }

    func command(_ worker: [String]) -> [String] {
        var command = [tracer, Self.commandName, "--report", folder.traceReport]
        if followed == .state { command += ["--under", folder.state] }
        if let record { command += ["--record", record] }
        if notesReads { command.append("--notes-reads") }
        if let stacks { command += ["--stacks", stacks] }
        for sync in placedSyncs {
            let json = (try? JSONEncoder().encode(sync)) ?? Data()
            command += ["--sync", String(decoding: json, as: UTF8.self)]
        }
        if let failure {
            command += ["--error", failure.error.rawValue, "--sticky", failure.sticky.text]
            if let pattern = failure.pattern { command += ["--on", pattern] }
            if let after = failure.afterSync { command += ["--after-fsync", after.rawValue] }
            // What is not recorded has no content to go back to, and no power cut takes it.
            if failure.afterSync == nil, let output = folder.outputFolder {
                command += ["--also-under", output]
            }
        }
        if let moment {
            command += ["--kill-at", "\(moment.ordinal)", "--edge", moment.edge.rawValue]
            if let name = moment.name { command += ["--of", name] }
        }
        return command + ["--"] + worker
    }

    static let commandName = "trace"

    /// The tracer's report; nil when the tracer was killed before it could write one.
    var report: TraceReport? { get throws { try TraceReport.read(path: folder.traceReport) } }

    var counted: CallCount {
        get throws {
            let report = try report
            return CallCount(byName: report?.countedByName ?? [:], unseen: report?.unseen ?? [])
        }
    }

    var calls: CountedCalls? {
        guard let report = try? report, report.failure == nil else { return nil }
        return report.calls(failing: failure)
    }

    /// The failure of the tracer itself, which is none of the worker's; nil where it has traced.
    static func failure(in folder: IterationFolder) -> RigError? {
        guard let failure = try? TraceReport.read(path: folder.traceReport)?.failure else {
            return nil
        }
        return RigError(failure.isForbidden ? .permission : .failure, failure.reason)
    }

    /// Completes what was seen once the tracer has ended: it may be what killed the worker.
    ///
    /// The moment is that of the kill, not of the tracer's end: on a busy machine more than a second
    /// lay between them, after which the rig takes a connection for one that had long been closed.
    func complete(_ seen: inout Milestones, of worker: LivingWorker) {
        let now = ContinuousClock.now
        let first = seen.secondsSinceFirstByte.map { now - .seconds($0) }
        guard let moment, let report = try? report,
            report.isKilled(at: moment) || report.failed != nil
        else { return }
        seen.sent = true
        guard report.failed == nil else { return }
        let killed = report.kill?.moment ?? now
        seen.killSeconds = (killed - worker.launched).seconds
        // Its byte is looked for now and then, and so may be seen only after the kill.
        let byte = first.map { min($0, killed) }
        seen.firstByte = byte.map { ($0 - worker.launched).seconds }
        seen.secondsSinceFirstByte = byte.map { (killed - $0).seconds }
        seen.moment = killed
        seen.cost = LaunchCost(writes: report.writes, syncs: report.syncs)
        // The worker is dead: what is left of the kill is its power cut.
        worker.kill()
    }
}

extension TraceReport {
    func isKilled(at moment: CallMoment) -> Bool {
        guard let kill, kill.edge == moment.edge, signal == 9 else { return false }
        return moment.name.map { $0 == kill.call.name && countedByName[$0] == moment.ordinal }
            ?? (kill.call.ordinal == moment.ordinal)
    }

    func calls(failing failure: CallFailure?) -> CountedCalls {
        CountedCalls(
            counted: counted,
            last: kill.map { kill in
                let place = kill.call.offset.map { " at \($0)" } ?? ""
                let length = kill.call.length.map { ", \($0) bytes" } ?? ""
                return "\(kill.edge.rawValue) \(kill.call.name) \(kill.call.path)\(place)\(length)"
            },
            failed: failure.flatMap { failure in
                failed.map { failed in
                    FailedCall(
                        failure.error, ordinal: failed.call.ordinal, name: failed.call.name,
                        file: failed.call.path.split(separator: "/").last.map(String.init) ?? "",
                        length: failed.call.length, cutTo: failed.cutTo, later: failed.calls - 1,
                        isLate: failed.isLate, reportedBy: failed.reportedBy)
                }
            }, unseen: unseen)
    }
}

struct CallCount: Sendable {
    var byName: [String: Int] = [:]
    /// What it did to files by other means, in words.
    var unseen: [String] = []

    var all: Int { byName.values.reduce(0, +) }
}
