import Foundation
import RigModel
import Testing

/// `rig plan` shows what a kill-test with the same options would do, and starts nothing.
@Suite struct PlanTests {
    private func plan(_ arguments: [String]) async throws -> (Programs.Outcome, Workplace) {
        let place = Workplace()
        // No worker is needed, so there is none. Another process makes the copy: a child that a
        // parallel test starts would inherit the open file, and the system refuses to execute a
        // file that is open for writing.
        try await Programs.run(
            "/bin/cp", [Programs.rig, place.path("rig")], in: place.url, exits: 0)
        let outcome = try await Programs.run(place.path("rig"), ["plan"] + arguments, in: place.url)
        return (outcome, place)
    }

    @Test func nothingIsStartedAndNothingIsWritten() async throws {
        let (outcome, place) = try await plan(["--seed", "1"])
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        outcome.prints("the true rate is below 2.95 % (95 % confidence)")
        let left = try place.names(in: ".")
        #expect(left.filter { $0 != "rig" && !$0.hasPrefix("std") }.sorted() == [])
    }

    @Test(arguments: [
        (["--gate", "violation_rate.ucb95 < 1%"], "needs >= 299 iterations"),
        (["--gate", "recovery_seconds.p99 < 1"], "needs >= 368 iterations"),
        (["--gate", "phases_hit >= 11"], "8 phases are in reach of this workload"),
        (["--gate", "2MB:violations == 0"], "the run has no policy 2MB"),
        (["--gate", "nonsense < 1"], "unknown metric"), (["--iterations", "0"], "--iterations"),
        (["--at", "1MB"], "--trigger"), (["--rows", "--json"], "give one of them"),
        (["--video", "http://127.0.0.1:1/video"], "fetches nothing"),
        (["--set", "nonsense=1"], "nonsense"),
        (["--trigger", "syscall", "--rows"], "counted when the run starts"),
    ])
    func whatARunWouldRefuseIsRefused(arguments: [String], word: String) async throws {
        let (outcome, _) = try await plan(arguments)
        #expect(outcome.exitCode == 64, "\(outcome.output)")
        outcome.complains(word)
    }

    /// Without a promise, the plan shows no rate.
    @Test(arguments: [
        (["--fault", "power-cut"], "durability process promises nothing under a power cut"),
        (["--trigger", "time", "--at", "never"], "this says nothing about kills"),
    ])
    func aPlanWithoutAPromiseHasNoRate(arguments: [String], word: String) async throws {
        let (outcome, _) = try await plan(arguments)
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        outcome.prints(word)
        #expect(!outcome.output.contains(" %"), "\(outcome.output)")
    }

    /// The documents' names are those of sizes, by which rows, gates and summaries go.
    @Test func thresholdsHaveTheDocumentsNames() async throws {
        let (outcome, _) = try await plan([
            "--thresholds", "conservative,default,aggressive,disabled", "--seed", "1",
            "--gate", "conservative:lost_bytes.max <= 256KB",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").first }
        for policy in ["256KB", "512KB", "1MB", "disabled"] {
            #expect(rows.contains(policy[...]), "\(outcome.output)")
        }
        let (twice, _) = try await plan(["--thresholds", "512KB,default"])
        #expect(twice.exitCode == 64 && twice.complaint.contains("names a policy twice"))
    }

    /// The rows of the plan are those of the run, in the same order.
    @Test func theRunDoesWhatThePlanSays() async throws {
        let options = ["--seed", "5", "--iterations", "3", "--thresholds", "256KB,512KB"]
        let (outcome, _) = try await plan(options + ["--rows"])
        #expect(outcome.exitCode == 0)
        let place = Workplace()
        try await place.killTest(options, exits: 0)
        let planned = outcome.output.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",")
            return [fields[0], fields[1], fields[2], fields[3], fields[4], fields[6]].map(
                String.init)
        }
        let rows = try place.rows().map { row in
            [
                "\(row.iteration)", "\(row.kill)", row.policy, row.trigger, row.planned,
                "\(row.seed)",
            ]
        }
        #expect(planned == rows)
    }
}
