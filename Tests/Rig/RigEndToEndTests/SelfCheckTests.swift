import Foundation
import RigModel
import RigReport
import Testing

/// `rig self-check`, and its table of bugs.
@Suite struct SelfCheckTests {
    private let place = Workplace()

    private func selfCheck(
        _ arguments: [String], in place: Workplace, environment: [String: String] = [:]
    ) async throws -> Programs.Outcome {
        try await rig(
            ["self-check", "--out", "run"] + arguments, in: place, environment: environment)
    }

    /// A bug of the worker that no self-check plants is not shown to be caught.
    @Test func everyBugOfTheWorkerIsInTheTable() async throws {
        let outcome = try await Programs.run(
            Programs.downloaderWithBugs,
            ["fetch", "--url", "http://127.0.0.1:9/", "--cache", "cache"],
            in: place.url, environment: planted("no-such-bug"), exits: 64)
        outcome.complains("no bug 'no-such-bug'")
        let list = try #require(
            outcome.complaint.split(separator: "use one of ").last?.split(separator: ".").first)
        let known = list.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let bugs = try #require(try Programs.worker().plantedBugs).bugs
        #expect(Set(known) == Set(bugs.map(\.name)))
        #expect(known.count == bugs.count)
    }

    /// A run that believes to test a bug would test the correct program.
    @Test func theDownloaderRefusesToBeGivenABug() async throws {
        try await downloader(
            "status", "--cache", "cache", in: place, environment: planted("restart"), exits: 64,
            complains: "start downloader-with-bugs")
    }

    /// An installed rig has no program with bugs: it says so before its iterations.
    @Test func withoutTheProgramThatHasTheBugsNothingIsStarted() async throws {
        try place.install(["rig", "rig-confine", "downloader"])
        for (arguments, environment) in [
            (["self-check"], [:]),
            (["kill-test", "--iterations", "1"], ["DOWNLOADER_PLANTED_BUG": "restart"]),
        ] {
            let outcome = try await Programs.run(
                place.path("bin/rig"), arguments + ["--out", "run"], in: place.url,
                environment: environment, exits: 69)
            #expect(
                outcome.complaint.contains("in 'downloader-with-bugs'")
                    && outcome.complaint.contains("use harness/rig in a checkout"),
                "\(outcome.complaint)")
            #expect(!place.has("run"))
        }
    }

    /// Each part has the settings of `--set`, unless its bug needs others.
    ///
    /// `harness/ci/self-check` plants all bugs, and checks the storage of the usual settings.
    @Test func aPlantedBugIsCaughtAndNothingElseIsReported() async throws {
        try await selfCheck(
            [
                "--bugs", "shifted-chunk,evict-row-only", "--iterations", "6", "--seed", "21",
                "--set", "storage=rows",
            ], in: place
        ).exits(0).prints("2 of 2 planted bugs caught; 0 reported in ")
        #expect(try place.text("run/self-check.json").contains("\"outcome\": \"caught\""))
        // The folder of a self-check is not a run; commands that expect one name its runs.
        for command in [["judge", "run"], ["replay", "run", "--iteration", "1"]] {
            try await rig(command, in: place, exits: 65)
                .complains("a run of its own").complains("such as run/clean-1")
        }
        try await rig("judge", "run/no-kill", in: place, exits: 0)
        for part in ["no-kill", "clean-1", "null-control", "shifted-chunk", "evict-row-only"] {
            #expect(try !place.rows(in: "run/\(part)").isEmpty, "\(part)")
            let own = part == "evict-row-only" ? ["capacity": "4MB"] : [:]
            let settings = try place.manifest(in: "run/\(part)").settings
            #expect(settings == own.merging(["storage": "rows"]) { $1 }, "\(part)")
        }
    }

    /// Here the worker of the clean arms has a bug, to show that they raise an alarm.
    @Test func aBugInTheArmsWithoutOneIsReported() async throws {
        try await selfCheck(
            ["--bugs", "flipped-byte", "--iterations", "6", "--seed", "21"], in: place,
            environment: planted("restart")
        ).exits(99).prints("any moment: iteration 1: resumption: ")
    }

    @Test func aSparedWorkerPassesUnharmed() async throws {
        let outcome = try await place.killTest(
            "--trigger", "time", "--at", "never", "--iterations", "3", "--json", exits: 0)
        outcome.prints("no worker was killed: this says nothing about kills")
        #expect(
            !outcome.output.contains("the true rate") && !outcome.output.contains("bound under")
        )
        outcome.complains("3 iterations without a kill in")
        for row in try place.rows() {
            #expect(row.verdict == .pass && row.planned == "never")
            #expect(row.receivedBytes == 10 << 20 && row.recoveredBytes == 10 << 20)
            #expect(row.commits == 20 || row.commits == 21, "B8")
            #expect(row.killSeconds == nil)
        }
    }
}
