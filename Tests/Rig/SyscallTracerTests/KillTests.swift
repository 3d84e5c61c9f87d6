import Foundation
import RigModel
import SyscallTracer
import Testing

/// The k-th call, and no other, was the last.
@Suite struct KillTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    /// Four threads, each of which makes a file, and five times writes a byte and syncs.
    static let threads = ["threads", "{work}", "4", "5"]
    static let count = 4 * (1 + 2 * 5)

    /// Kills at a call; the report of a program of which nothing happened later.
    private func killed(
        _ arguments: [String] = Self.threads, at point: Int, _ edge: CallMoment.Edge,
        _ options: [String] = []
    ) async throws -> (report: TraceReport, kill: TraceReport.Kill) {
        try program.clear()
        let outcome = try await program.trace(
            arguments,
            ["--under", program.work, "--kill-at", "\(point)", "--edge", edge.rawValue] + options)
        #expect(outcome.signal == 9)
        let report = try #require(outcome.report)
        let kill = try #require(report.kill)
        try expectNothingLater(report, kill, sizes: program.sizes())
        return (report, kill)
    }

    @Test(arguments: CallMoment.Edge.allCases)
    func everyCallCanBeTheLast(edge: CallMoment.Edge) async throws {
        for point in 1...Self.count {
            let (report, kill) = try await killed(at: point, edge)
            #expect(report.signal == 9 && report.counted == point)
            #expect(kill.call.ordinal == point && kill.edge == edge)
        }
    }

    /// Each byte on disk is a write that happened, and each file a creation.
    private func expectNothingLater(
        _ report: TraceReport, _ kill: TraceReport.Kill, sizes: [String: Int]
    ) throws {
        var happened = report.countedByName
        if kill.edge == .before { happened[kill.call.name, default: 0] -= 1 }
        #expect(sizes.values.reduce(0, +) == happened["pwrite64", default: 0])
        #expect(sizes.count == happened["openat", default: 0])
        let name = URL(fileURLWithPath: kill.call.path).lastPathComponent
        switch (kill.call.name, kill.edge) {
        case ("openat", .before): #expect(sizes[name] == nil)
        case ("openat", .after): #expect(sizes[name] == 0)
        case ("pwrite64", _):
            #expect(kill.call.length == 1)
            let written = Int(try #require(kill.call.offset))
            #expect(sizes[name] == (kill.edge == .before ? written : written + 1))
        case ("fdatasync", _):
            #expect(kill.call.callClass == .sync)
            // A thread syncs each byte it wrote, so a sync is never the first.
            #expect(sizes[name, default: 0] > 0)
        default: Issue.record("an unexpected call: \(kill.call)")
        }
    }

    @Test(arguments: CallMoment.Edge.allCases, ["openat", "pwrite64", "fdatasync"])
    func theCallCanBeCountedAmongThoseOfItsName(edge: CallMoment.Edge, name: String) async throws {
        for point in [1, 3] {
            let (report, kill) = try await killed(at: point, edge, ["--of", name])
            #expect(kill.call.name == name && kill.edge == edge)
            #expect(report.countedByName[name] == point)
        }
    }

    @Test func aPointBeyondTheLastCallKillsNothing() async throws {
        let outcome = try await program.trace(
            Self.threads, ["--under", program.work, "--kill-at", "\(Self.count + 1)"])
        #expect(outcome.exitCode == 0 && outcome.signal == nil)
        let report = try #require(outcome.report)
        #expect(report.kill == nil && report.counted == Self.count && report.exitCode == 0)
    }

    @Test(arguments: CallMoment.Edge.allCases)
    func aKillReachesEveryProcess(edge: CallMoment.Edge) async throws {
        // Each of four processes makes 1 + 2 × 3 calls, in files of their own.
        for point in stride(from: 1, through: 28, by: 3) {
            _ = try await killed(["processes", "{work}", "4", "3"], at: point, edge)
        }
    }

    @Test func whereTheKernelHasNoFilterEachCallIsStopped() async throws {
        for point in [1, 7, 20, Self.count] {
            for edge in CallMoment.Edge.allCases {
                let (report, _) = try await killed(at: point, edge, ["--unfiltered"])
                #expect(!report.isFiltered)
            }
        }
    }
}
