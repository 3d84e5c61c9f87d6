import Foundation
import RigModel
import RigReport
import Testing

/// A failed row can be replayed: from its run, from its evidence, and as a smaller case.
@Suite struct ReplayTests {
    private let place = Workplace()

    /// One run of a worker that never saves, for all tests: replays change no rows.
    ///
    /// A replay works in the folder of its run, and so as to see no file appear and vanish, tests
    /// copy only what none changes.
    static let broken = Task { () throws -> Workplace in
        let place = Workplace()
        try await place.killTest(
            "--iterations", "4", "--trigger", "bytes", "--seed", "5", "--evidence", "all",
            environment: planted("never-commit"), exits: 99)
        return place
    }

    /// The latest failed kill: held at its byte, or sent while bytes flowed.
    private func failedIteration(_ place: Workplace, inFlow: Bool = false) throws -> Int {
        let failed = try place.rows().filter {
            $0.verdict == .fail && $0.planned.hasSuffix(Trigger.flowingSuffix) == inFlow
        }
        let latest = failed.max { ($0.receivedBytes ?? 0) < ($1.receivedBytes ?? 0) }
        return try #require(latest).iteration
    }

    /// Replays a failed kill so many times, and expects that each fails again.
    private func replay(
        _ iteration: Int, _ times: Int, in place: Workplace, begins: String, says: String
    ) async throws {
        let outcome = try await rig(
            "replay", "run", "--iteration", "\(iteration)", "--times", "\(times)", in: place,
            exits: 99)
        #expect(outcome.output.hasPrefix(begins), "\(outcome.output)")
        outcome.prints(says)
    }

    @Test func theEvidenceIsWhole() async throws {
        let place = try await Self.broken.value
        let iteration = try failedIteration(place)
        let row = try #require(try place.rows().first { $0.iteration == iteration })
        let folder = "run/evidence/\(row.policy)-\(row.iteration)-1"
        func text(_ name: String) throws -> String { try place.text("\(folder)/\(name)") }
        #expect(try place.names(in: "\(folder)/state").contains("cache.sqlite"))
        #expect(place.has("\(folder)/worker.log"))
        let kill = try StoredKillJSON.read(text("plan.json"))
        #expect(kill.checkers == [.bound] && kill.planned.iteration == row.iteration)
        #expect(kill.manifest.environment == ["DOWNLOADER_PLANTED_BUG": "never-commit"])
        #expect(
            try text("replay.txt")
                == "rig replay run --iteration \(row.iteration) --policy 512KB\n")
        // The worker received what the row says, and nothing of it was kept.
        let received = try #require(row.receivedBytes)
        let ledger = try text("ledger.csv").split(separator: "\n")
        #expect(ledger.contains { $0.hasSuffix(",\(received),0,0,true") }, "\(ledger)")
        #expect(ledger.contains { $0.hasPrefix("relaunched,0,") }, "\(ledger)")
        #expect(try text("evidence.json").contains("\"requests\""))
    }

    /// The worker's bug was set by an environment variable, which a replay in another shell lacked.
    ///
    /// The replay then reported that nothing could be reproduced.
    @Test func aFailureIsReproducedInAnotherShell() async throws {
        let place = try await Self.broken.value
        let iteration = try failedIteration(place)
        try await replay(
            iteration, 2, in: place, begins: "REPRODUCED  2 of 2, by bound\n",
            says: "the byte at which the origin holds back")
    }

    /// Where the kill finally landed is not repeated, and the report claims no more.
    @Test func aKillInTheFlowComesFromItsByteOn() async throws {
        let place = try await Self.broken.value
        let iteration = try failedIteration(place, inFlow: true)
        try await replay(
            iteration, 1, in: place, begins: "REPRODUCED  1 of 1, by bound\n",
            says: "the byte from which on the kill is sent")
    }

    @Test func evidenceThatWasTakenElsewhereIsEnough() async throws {
        let place = try await Self.broken.value
        let iteration = try failedIteration(place, inFlow: true)
        let elsewhere = Workplace()
        try FileManager.default.copyItem(
            atPath: place.path("run/evidence/512KB-\(iteration)-1"),
            toPath: elsewhere.path("taken"))
        try await rig(
            "replay", "taken", "--times", "1", "--json", in: elsewhere, exits: 99
        ).prints("\"reproduced\": 1").prints("\"checkers\": [\n    \"bound\"")
        try await rig(
            "replay", "taken", "--iteration", "\(iteration + 1)", in: elsewhere, exits: 64)
    }

    /// An extra variable that changes the worker would be taken for the run's own behaviour.
    @Test func aKillThatPassedPassesAgainAndWithoutAnotherVariable() async throws {
        try await place.killTest("--iterations", "1", "--seed", "51", exits: 0)
        let outcome = try await rig(
            "replay", "run/iterations.csv", "--iteration", "1", "--times", "2", in: place, exits: 0)
        outcome.prints("failed 0 of 2; in the run it was a pass")
        let names = try place.names(in: "run")
        #expect(!names.contains { $0.hasPrefix("scratch") }, "\(names)")
        try await rig(
            "replay", "run", "--iteration", "1", in: place, environment: planted("restart"),
            exits: 64, complains: "DOWNLOADER_PLANTED_BUG")
    }

    /// A different failure counts as a failure, but not as a reproduction.
    @Test func aFailureByOthersIsCountedApart() async throws {
        let original = try await Self.broken.value
        try place.makeFolder("run")
        try original.text("run/manifest.json").save(as: "run/manifest.json", in: place)
        try original.text("run/iterations.csv").replacing(",bound,", with: ",ranges,")
            .save(as: "run/iterations.csv", in: place)
        let iteration = try failedIteration(place)
        try await replay(
            iteration, 1, in: place, begins: "NOT REPRODUCED  in 1, but 1 failed",
            says: "failed otherwise  1 of 1, by bound")
    }

    /// The smallest case has known values.
    ///
    /// A threshold of 16 KB is the least that the worker takes, and one byte more is lost if
    /// nothing is ever saved; a fixture has at least 19 KB.
    @Test func theSmallestCaseIsFoundAndItsCommandFails() async throws {
        let place = try await Self.broken.value
        let iteration = try failedIteration(place)
        let outcome = try await rig(
            "replay", "run", "--iteration", "\(iteration)", "--times", "1", "--shrink", in: place,
            exits: 99)
        let command = try place.text("run/evidence/512KB-\(iteration)-1/shrunk.txt")
        outcome.prints(command)
        #expect(command.hasPrefix("DOWNLOADER_PLANTED_BUG=never-commit rig kill-test "))
        #expect(command.contains("--thresholds 16KB --trigger bytes --at 16385 "), "\(command)")
        let again = try await Programs.run(
            "/bin/sh", ["-c", "PATH=\"$1:$PATH\"; \(command)", "sh", Programs.folder],
            in: place.url, exits: 99)
        #expect(again.output.hasPrefix("FAIL  1 of 1 kill lost more than is allowed"))
    }

    @Test(arguments: [
        (["run", "--iteration", "1", "--times", "0"], 64, "--times"),
        (["no-such-run", "--iteration", "1"], 65, "no-such-run"),
        (["run/evidence", "--iteration", "1"], 65, "manifest.json"),
    ])
    func whatCannotBeIsRefused(arguments: [String], code: Int32, word: String) async throws {
        let place = try await Self.broken.value
        try await rig(["replay"] + arguments, in: place, exits: code, complains: word)
    }

    /// The bytes are compared with the video, so a changed one would accuse a correct worker.
    @Test func aVideoThatHasChangedOrGoneIs65() async throws {
        try Data(repeating: 7, count: 600_000).save(as: "clip.mp4", in: place)
        try await place.killTest("--iterations", "1", "--video", "clip.mp4", "--seed", "53")
        try await rig("replay", "run", "--iteration", "1", "--times", "1", in: place, exits: 0)
        try Data(repeating: 8, count: 600_000).save(as: "clip.mp4", in: place)
        let replay = ["replay", "run", "--iteration", "1"]
        try await rig(replay, in: place, exits: 65, complains: "not the one of the run")
        try place.remove("clip.mp4")
        try await rig(replay, in: place, exits: 65, complains: "is not there")
    }
}
