import Foundation
import RigModel
import Testing
import TestSupport

/// Kills in a row, some of them while the worker recovers (B6, T4).
@Suite struct ChainTests {
    private let place = Workplace()

    /// A worker and its options in a chain of three kills.
    struct Chained: CustomTestStringConvertible {
        let workload: String
        let storage: String
        let more: [String]

        var testDescription: String { "\(workload) \(storage)" }
    }

    static let chained = [
        Chained(workload: "download", storage: "rows", more: []),
        Chained(workload: "playback", storage: "file", more: []),
        Chained(
            workload: "switching", storage: "file",
            more: ["--video-size", "2MB", "--set", "capacity=8MB"]),
        Chained(workload: "download", storage: "file", more: ["--durability", "power"]),
        Chained(workload: "switching", storage: "rows", more: ["--video-size", "2MB"]),
    ]

    @Test(arguments: Nightly.cases(chained, usual: 3))
    func eachKillCostsAtMostAThresholdPerRequest(_ chained: Chained) async throws {
        try await place.killTest(
            [
                "--kills", "3", "--iterations", "3", "--seed", "70", "--workload",
                chained.workload, "--set", "storage=\(chained.storage)",
                // If the work of a chain is done early, its later kills prove nothing.
                "--gate", "inconclusive_percent <= 34",
            ] + chained.more, exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.kill) == (0..<3).flatMap { _ in [1, 2, 3] })
        rows.all { $0.verdict != .fail }
        let passed = rows.filter { $0.verdict == .pass }
        #expect(passed.count >= 6, "\(rows.map(\.reason))")
        for row in passed {
            let bound = (row.thresholdBytes ?? 0) * Int64(max(1, row.activeRequests ?? 1))
            #expect(try #require(row.lostBytes) <= bound)
        }
        let recovering = passed.filter { $0.trigger == "phase" }
        #expect(!recovering.isEmpty)
        #expect(recovering.allSatisfy { $0.planned.hasPrefix("recovering:") })
        #expect(recovering.allSatisfy { ($0.realised ?? -1) >= 0 })
        #expect(recovering.allSatisfy { $0.phase == .recovering && $0.lostBytes == 0 })
        // A life starts with what the previous kill left, and adds to it.
        for (earlier, later) in zip(rows, rows.dropFirst()) where later.kill > 1 {
            guard chained.more.contains("capacity=8MB") == false else { continue }
            #expect(try #require(later.recoveredBytes) >= (earlier.recoveredBytes ?? 0))
        }
    }

    /// Of a program whose state is not read, later launches show what each kill cost.
    ///
    /// A program that starts over loses everything with each kill.
    @Test(arguments: [true, false])
    func aChainOfAProgramWithoutInspection(resumes: Bool) async throws {
        try """
        name: own
        command: [curl, -sS,\(resumes ? " -C, -," : "") -o, "{output}", "{url}"]
        bound: {sigkill: 106496}
        """.save(as: "own.yml", in: place)
        let outcome = try await place.killTest(
            "--worker", "./own.yml", "--kills", "3", "--iterations", resumes ? "4" : "1",
            "--seed", "1", "--video-size", "8MB", "--bandwidth", "8MB/s")
        #expect(outcome.exitCode == (resumes ? 0 : 99), "\(outcome.output)\(outcome.complaint)")
        let rows = try place.rows(resumes ? 12 : 3)
        guard resumes else { return }
        rows.all { $0.verdict == .pass }
        // What was gone after a kill in a recovery can have been lost by the kill before it.
        let chains = Dictionary(grouping: rows, by: \.iteration).values
        let plain = chains.filter { $0.allSatisfy { $0.trigger != "phase" } }
        #expect(plain.count >= 2 && plain.count < chains.count, "\(rows.map(\.planned))")
        #expect(plain.joined().allSatisfy { $0.lostBytes != nil }, "\(rows.map(\.reason))")
    }

    /// A program without phases that moves its file away when it starts, and puts it back.
    ///
    /// Only a kill before its first new byte shows it, and there was none. On a busy machine 8
    /// of 9 chains with such a kill show it, and the file is away for most of a recovery: with this
    /// seed all of them have such a kill.
    @Test func aProgramThatLosesItsFileInItsRecoveryIsCaught() async throws {
        try #"""
        name: own
        command:
          - sh
          - -c
          - |
            if [ -s "$1" ]; then mv "$1" "$1.old"; sleep 0.3; mv "$1.old" "$1"; fi
            curl -sS -C - -o "$1" "$0"
          - "{url}"
          - "{output}"
        bound: {sigkill: 106496}
        """#.save(as: "own.yml", in: place)
        try await place.killTest(
            "--worker", "./own.yml", "--kills", "4", "--iterations", "7", "--seed", "4",
            "--video-size", "8MB", "--bandwidth", "8MB/s", exits: 99)
        let rows = try place.rows()
        let recovering = rows.filter { $0.planned.hasPrefix("recovering:") }
        #expect(Set(recovering.map(\.iteration)).count == 7)
        #expect(rows.contains { $0.checkers.contains(.bound) })
    }

    /// Programs that show no phases got no kill before the first new byte of a relaunch (B6).
    ///
    /// The origin withholds that byte, so such kills come before it on any machine.
    @Test(
        arguments: Nightly.cases(
            [
                #"[curl, -sS, -C, -, -o, "{output}", "{url}"]"#,
                // It asks for the rest a tenth of a second after its launch, in two requests.
                #"[sh, -c, 'sleep 0.1; n=$(stat -c %s "$1" || echo 0); curl -sSI "$0" >/dev/null"#
                    + #" && curl -sS -r "$n-" "$0" >>"$1"', "{url}", "{output}"]"#,
                #"[wget, -q, -c, -O, "{output}", "{url}"]"#,
            ], usual: 2))
    func aProgramWithoutPhasesIsKilledBeforeItsFirstNewByte(command: String) async throws {
        try "name: own\ncommand: \(command)\nbound: {sigkill: 106496}\n".save(
            as: "own.yml", in: place)
        let outcome = try await place.killTest(
            "--worker", "./own.yml", "--kills", "4", "--iterations", "2", "--seed", "4",
            "--video-size", "8MB", "--bandwidth", "8MB/s", "--trigger", "bytes")
        let rows = try place.rows()
        let inRecovery = rows.filter { $0.planned.hasPrefix("recovering:") }
        #expect(inRecovery.count >= 3, "\(rows.map(\.planned))")
        for row in inRecovery {
            #expect(row.kill > 1 && row.trigger == "phase" && row.phase == nil)
            #expect(row.servedBytes == 0 && row.verdict == .pass, "\(row.reason)")
            #expect((0...2).contains(row.realised ?? -1), "\(row)")
        }
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
    }

    @Test func aChainIsJudgedAgainAsItWas() async throws {
        let outcome = try await place.killTest(
            "--kills", "2", "--iterations", "3", "--video-size", "3MB", "--seed", "62", "--json")
        let again = try await rig("judge", "run", "--json", in: place)
        #expect(outcome.exitCode == again.exitCode)
        #expect(try place.text("run/summary.json") == again.output)

        // A missing row is noticed, whichever kill of an iteration it was.
        let file = "run/iterations.csv"
        let lines = try place.text(file).split(separator: "\n")
        #expect(lines.count == 7)
        try (lines.dropLast().joined(separator: "\n") + "\n").save(as: file, in: place)
        try await rig("judge", "run", in: place, exits: 97)

        // A row of another kill is not in the plan.
        let other = lines[1].replacing(",1,1,512KB", with: ",1,3,512KB")
        try ([lines[0], Substring(other)].joined(separator: "\n") + "\n").save(as: file, in: place)
        try await rig("judge", "run", in: place, exits: 65, complains: "column kill")
    }

    /// Iterations are kept whole: one that is cut short leaves no row.
    @Test func anInterruptedChainLeavesWholeIterations() async throws {
        try await rig.end(
            [
                "kill-test", "--out", "run", "--kills", "3", "--iterations", "500", "--video-size",
                "3MB",
            ], in: place, exits: 130, once: "two iterations are there"
        ) { (try? place.rows().count) ?? 0 >= 6 }
        let rows = try place.rows()
        #expect(rows.count.isMultiple(of: 3))
        rows.all { $0.verdict != .fail }
    }
}
