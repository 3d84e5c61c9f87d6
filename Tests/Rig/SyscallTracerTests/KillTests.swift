import Foundation
import RigModel
import SyscallTracer
import Testing

/// The k-th call, and no other, was the last.
@Suite struct KillTests {
    /// Four threads, each of which makes a file, and five times writes a byte and syncs.
    static let threads = ["threads", "{work}", "4", "5"]
    static let count = 4 * (1 + 2 * 5)

    @Test(arguments: CallMoment.Edge.allCases)
    func everyCallCanBeTheLast(edge: CallMoment.Edge) async throws {
        let program = try TracedProgram(in: Place())
        for point in 1...Self.count {
            try program.clear()
            let outcome = try await program.trace(
                Self.threads,
                ["--under", program.work, "--kill-at", "\(point)", "--edge", edge.rawValue])
            #expect(outcome.signal == 9)
            let report = try #require(outcome.report)
            let kill = try #require(report.kill)
            #expect(report.signal == 9 && report.counted == point)
            #expect(kill.call.ordinal == point && kill.edge == edge)
            try expectNothingLater(report, kill, sizes: program.sizes())
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
        let program = try TracedProgram(in: Place())
        for point in [1, 3] {
            try program.clear()
            let outcome = try await program.trace(
                Self.threads,
                [
                    "--under", program.work, "--kill-at", "\(point)", "--of", name, "--edge",
                    edge.rawValue,
                ])
            let report = try #require(outcome.report)
            let kill = try #require(report.kill)
            #expect(kill.call.name == name && kill.edge == edge)
            #expect(report.countedByName[name] == point)
            try expectNothingLater(report, kill, sizes: program.sizes())
        }
    }

    @Test func aPointBeyondTheLastCallKillsNothing() async throws {
        let program = try TracedProgram(in: Place())
        let outcome = try await program.trace(
            Self.threads, ["--under", program.work, "--kill-at", "\(Self.count + 1)"])
        #expect(outcome.exitCode == 0 && outcome.signal == nil)
        let report = try #require(outcome.report)
        #expect(report.kill == nil && report.counted == Self.count && report.exitCode == 0)
    }

    @Test(arguments: CallMoment.Edge.allCases)
    func aKillReachesEveryProcess(edge: CallMoment.Edge) async throws {
        let program = try TracedProgram(in: Place())
        // Each of four processes makes 1 + 2 × 3 calls, in files of their own.
        for point in 1...28 {
            try program.clear()
            let outcome = try await program.trace(
                ["processes", "{work}", "4", "3"],
                ["--under", program.work, "--kill-at", "\(point)", "--edge", edge.rawValue])
            #expect(outcome.signal == 9)
            let report = try #require(outcome.report)
            try expectNothingLater(report, #require(report.kill), sizes: program.sizes())
        }
    }

    @Test func whereTheKernelHasNoFilterEachCallIsStopped() async throws {
        let program = try TracedProgram(in: Place())
        for point in [1, 7, 20, Self.count] {
            for edge in CallMoment.Edge.allCases {
                try program.clear()
                let outcome = try await program.trace(
                    Self.threads,
                    [
                        "--under", program.work, "--unfiltered", "--kill-at", "\(point)",
                        "--edge", edge.rawValue,
                    ])
                let report = try #require(outcome.report)
                #expect(outcome.signal == 9 && !report.isFiltered)
                try expectNothingLater(report, #require(report.kill), sizes: program.sizes())
            }
        }
    }
}
