import Foundation
import RigModel
import Testing

/// `rig plan` shows what a kill-test with the same options would do, and starts nothing.
@Suite struct PlanTests {
    private let place = Workplace()

    @discardableResult
    private func plan(
        _ arguments: [String], exits code: Int32 = 0, complains words: String? = nil
    ) async throws -> Programs.Outcome {
        try await rig(["plan"] + arguments, in: place, exits: code, complains: words)
    }

    @Test func nothingIsStartedAndNothingIsWritten() async throws {
        // No worker is needed, so there is none.
        try place.install(["rig"])
        try await Programs.run(
            place.path("bin/rig"), ["plan", "--seed", "1"], in: place.url, exits: 0
        ).prints("the true rate is below 2.95 % (95 % confidence)")
        #expect(try place.names(in: ".").filter { $0 != "bin" && !$0.hasPrefix("std") } == [])
    }

    @Test(arguments: [
        (["--gate", "recovery_seconds.p99 < 1"], "needs >= 368 iterations"),
        (["--gate", "phases_hit >= 11"], "8 phases are in reach of this workload"),
        (["--at", "1MB"], "--trigger"), (["--rows", "--json"], "give one of them"),
        (["--video", "http://127.0.0.1:1/video"], "fetches nothing"),
        (["--trigger", "syscall", "--rows"], "counted when the run starts"),
    ])
    func whatARunWouldRefuseIsRefused(arguments: [String], word: String) async throws {
        try await plan(arguments, exits: 64, complains: word)
    }

    /// Without a promise, the plan shows no rate.
    @Test(arguments: [
        (["--fault", "power-cut"], "durability process promises nothing under a power cut"),
        (["--trigger", "time", "--at", "never"], "this says nothing about kills"),
    ])
    func aPlanWithoutAPromiseHasNoRate(arguments: [String], word: String) async throws {
        let outcome = try await plan(arguments).prints(word)
        #expect(!outcome.output.contains(" %"), "\(outcome.output)")
    }

    /// The documents' names are those of sizes, by which rows, gates and summaries go.
    @Test func thresholdsHaveTheDocumentsNames() async throws {
        let outcome = try await plan([
            "--thresholds", "conservative,default,aggressive,disabled", "--seed", "1",
            "--gate", "conservative:lost_bytes.max <= 256KB",
        ])
        let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").first }
        for policy in ["256KB", "512KB", "1MB", "disabled"] {
            #expect(rows.contains(policy[...]), "\(outcome.output)")
        }
        try await plan(
            ["--thresholds", "512KB,default"], exits: 64, complains: "names a policy twice")
    }

    /// The rows of the plan are those of the run, in the same order.
    @Test func theRunDoesWhatThePlanSays() async throws {
        let options = ["--seed", "5", "--iterations", "2", "--thresholds", "256KB,512KB"]
        let planned = try await plan(options + ["--rows"]).output
            .split(separator: "\n").dropFirst().map { line in
                let fields = line.split(separator: ",").map(String.init)
                return Array(fields[0...4]) + [fields[6]]
            }
        try await place.killTest(options, exits: 0)
        let rows = try place.rows().map { row in
            [
                "\(row.iteration)", "\(row.kill)", row.policy, row.trigger, row.planned,
                "\(row.seed)",
            ]
        }
        #expect(planned == rows)
    }
}
