internal import Foundation
package import RigModel
internal import SyscallTracer

extension Laboratory {
    private static let mostLives = 20

    /// Counts the system calls of unharmed launches by name, the kill points of `syscall`: the
    /// largest count, so that none is left out, as how bytes arrive decides where commits end.
    package func countCalls(
        _ policy: Policy, lives: Int = 5, failing failure: CallFailure? = nil
    ) async throws -> [String: Int] {
        var most = CallCount()
        for _ in 0..<lives {
            let counted = try await withoutKill {
                try await scenario.unharmed(Self.unharmed(policy), followed: .state) {
                    try $2?.counted ?? CallCount()
                }
            }
            if counted.all > most.all || most.all == 0 { most = counted }
        }
        guard most.all > 0 else {
            if !most.unseen.isEmpty {
                throw RigError(
                    .inconclusive,
                    "the worker changes files by \(most.unseen.joined(separator: ", ")), which is not "
                        + "counted, and by no call that is; switch that off in the worker, or use "
                        + "another trigger")
            }
            if let failure {
                throw RigError.unavailable(
                    "the worker makes no call that could fail by --error \(failure.error.rawValue); "
                        + "use another one, or leave out --on")
            }
            throw RigError.unavailable(
                "the worker makes no call that changes a file below its state folder, so there is "
                    + "nothing to kill it at; use another trigger")
        }
        return most.byName
    }

    /// Counts the lines that unharmed launches of a program say, the kill points of the `said`
    /// trigger: the least count, so that each comes; 0 for a program that says nothing.
    package func countLines() async throws -> Int {
        var least = Int.max
        for _ in 1...3 { least = min(least, try await unharmedRun(.program).lines) }
        return least
    }

    /// Tries what judges the work, before the first kill; returns what the user should know of it.
    package func tryOut(_ plan: PlannedIteration) async throws -> [String] {
        try await withoutKill { try await scenario.trial(plan) }
    }

    /// Carries out an iteration, again when the worker ended before its planned call: it has made
    /// fewer calls than the one that was counted, and proves nothing about kills.
    func untilItsCall(
        _ plan: PlannedIteration, pace: UninterruptedPace, stopwatch: IterationStopwatch,
        lives: inout Int
    ) async throws -> IterationOutcome {
        for _ in 1..<Self.mostLives {
            lives += 1
            let outcome = try await scenario.perform(plan, pace: pace, stopwatch: stopwatch)
            guard let first = outcome.kills.first, first.calls != nil, !first.killSent,
                first.isUneventful, isSound(first)
            else { return outcome }
            discard(outcome)
        }
        lives += 1
        return try await scenario.perform(plan, pace: pace, stopwatch: stopwatch)
    }

    private static let mostNamed = 10

    /// The files that the relaunch after a kill read first, of those that an unharmed launch leaves
    /// otherwise, in words; nil where it is not known what was read.
    package func readFirst(
        in outcome: IterationOutcome, _ plan: PlannedIteration
    ) async throws -> [String]? {
        let report = try? TraceReport.read(path: outcome.folder.traceReport)
        guard let read = report?.read else { return nil }
        let killed = outcome.folder.stateCopy(ofKill: 1)
        return try await withoutKill {
            try await scenario.unharmed(plan, followed: nil) { _, unharmed, _ in
                Array(
                    read.compactMap { Self.difference(of: $0, in: killed, from: unharmed.state) }
                        .prefix(Self.mostNamed))
            }
        }
    }

    private static func difference(
        of path: String, in killed: String, from unharmed: String
    ) -> String? {
        let (one, other) = ("\(killed)/\(path)", "\(unharmed)/\(path)")
        let sizes = [one.fileSize, other.fileSize]
        // What SQLite shares between processes is not kept of a kill.
        guard sizes != [nil, nil], !path.hasSuffix("-shm") else { return nil }
        guard sizes[0] == sizes[1] else {
            let words = sizes.map { $0.map { "\($0) bytes" } ?? "missing" }
            return "\(path): \(words[0]), and \(words[1]) after an unharmed launch"
        }
        return FileManager.default.contentsEqual(atPath: one, andPath: other)
            ? nil : "\(path): other bytes than after an unharmed launch"
    }
}
