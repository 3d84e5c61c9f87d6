import Foundation
import RigModel
import Testing

/// Power cuts of which the states are gone through one by one.
@Suite struct SweptCutTests {
    private let place = Workplace()

    private static let examples = "\(OwnWorker.repository)/harness/examples/any-program"

    /// How many calls a program makes that change or sync its files.
    private func calls(of program: String, in place: Workplace) async throws -> Int {
        struct Report: Decodable { let counted: Int }
        let folder = place.path("unharmed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let outcome = try await rig(
            "trace", "--under", folder, "--report", place.path("report"), "--", "python3",
            program, folder, in: place)
        try #require(outcome.exitCode == 0, "\(outcome.complaint)")
        let report = try place.data("report")
        return try JSONDecoder().decode(Report.self, from: report).counted
    }

    private func sweep(
        _ program: String, at call: Int? = nil, _ states: String = "sweep", kills: Int = 1,
        in place: Workplace
    ) async throws -> (outcome: Programs.Outcome, rows: [IterationRow]) {
        let outcome = try await place.killTest(
            [
                "--seed", "4", "--iterations", "\(kills)", "--trigger", "syscall",
                "--fault", "power-cut-torn", "--states", states, "--no-relaunch", "--check",
                "\(Self.examples)/check-notes.py {dir} {said}",
            ] + (call.map { ["--at", "\($0):after"] } ?? []), "--", "python3", program, "{dir}")
        return (outcome, try place.rows())
    }

    /// One kill finds it, after the last call and before: an empty file, or an earlier save.
    ///
    /// Drawn states find it now and then.
    @Test func aFileSavedInPlaceIsAlwaysCaught() async throws {
        let program = "\(Self.examples)/notes-in-place.py"
        let calls = try await calls(of: program, in: place)
        for call in [calls, calls / 2] {
            let place = Workplace()
            let (outcome, rows) = try await sweep(program, at: call, in: place)
            #expect(outcome.exitCode == 99, "\(call): \(outcome.output)\(outcome.complaint)")
            #expect(rows.map(\.checkers) == [[.check]], "\(rows.map(\.reason))")
            let row = try #require(rows.first)
            #expect((row.sweepTried ?? 0) < (row.sweepCases ?? 0))
        }
    }

    /// Its cure stands every case, at the last call and at others, and the pass says how many.
    @Test func itsCureStandsEveryCase() async throws {
        let program = "\(Self.examples)/notes-beside.py"
        let calls = try await calls(of: program, in: place)
        let last = try await sweep(program, at: calls, in: Workplace())
        #expect(last.outcome.exitCode == 0, "\(last.outcome.output)\(last.outcome.complaint)")
        // The folder is synced by the last call: there is nothing to lose.
        #expect(last.rows.map(\.crashStates) == [1])
        #expect(last.rows.map(\.sweepCases) == [1])

        let (outcome, rows) = try await sweep(program, kills: 6, in: place)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
        #expect(rows.count == 6 && rows.allSatisfy { $0.verdict == .pass })
        rows.all { $0.sweepTried == $0.sweepCases }
        #expect(rows.contains { ($0.crashStates ?? 0) > 1 })
        let cases = rows.compactMap(\.sweepCases).reduce(0, +)
        #expect(
            Self.onOneLine(outcome.output).contains("all \(cases) cases of the sweep"),
            "\(outcome.output)")
        for name in ["summary.md", "report.html", "summary.json"] {
            let text = try place.text("run/\(name)")
            #expect(text.contains("all \(cases) cases of the sweep"), "\(name)")
        }
    }

    /// With a limit a pass says how much it covers.
    @Test func aLimitIsSaid() async throws {
        let program = "\(Self.examples)/notes-beside.py"
        let call = try await calls(of: program, in: Workplace()) / 2
        // Of two calls in a row, one leaves something to lose.
        var isLimited = false
        for at in [call, call + 1] {
            let (outcome, rows) = try await sweep(program, at: at, "sweep:1", in: Workplace())
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            let row = try #require(rows.first)
            #expect(row.crashStates == 1 && row.sweepTried == 1)
            let cases = try #require(row.sweepCases)
            let words = "\(cases == 1 ? "all" : "1 of") \(cases) cases of the sweep"
            #expect(Self.onOneLine(outcome.output).contains(words), "\(outcome.output)")
            isLimited = isLimited || cases > 1
        }
        #expect(isLimited)
    }

    private static func onOneLine(_ output: String) -> String { output.replacing(/\s+/, with: " ") }
}
