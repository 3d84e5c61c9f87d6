import Foundation
import RigModel
import Testing

/// `rig compare` and gates `vs baseline` with real runs.
@Suite struct CompareTests {
    private let place = Workplace()

    private static let options = [
        "--iterations", "20", "--thresholds", "64KB", "--video-size", "1MB", "--trigger",
        "bytes", "--seed", "71",
    ]

    /// Equal runs, for all tests: `old`, `new` and `newer`.
    private static let runs = Task { () throws -> Workplace in
        let place = Workplace()
        for name in ["old", "new", "newer"] {
            try await rig(["kill-test", "--out", name] + options, in: place, exits: 0)
        }
        return place
    }

    init() async throws {
        for name in ["old", "new", "newer"] {
            try FileManager.default.copyItem(
                atPath: try await Self.runs.value.path(name), toPath: place.path(name))
        }
    }

    /// The verdicts by metric of a comparison printed as CSV.
    private func verdicts(_ csv: String) -> [String: String] {
        let lines = csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let header = lines.first, let metric = header.firstIndex(of: "metric"),
            let verdict = header.firstIndex(of: "verdict")
        else { return [:] }
        return Dictionary(
            lines.dropFirst().map { ($0[metric], $0[verdict]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The planted difference: a tenth more refetched bytes, in rows of a real run.
    private func tenthMoreRefetched(_ csv: String) throws -> String {
        var lines = csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let column = try #require(lines.first?.firstIndex(of: "refetched_bytes"))
        for index in lines.indices.dropFirst() {
            let bytes = try #require(Int64(lines[index][column]))
            lines[index][column] = "\(bytes * 11 / 10)"
        }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    /// At its level of 5 %, a comparison sometimes reports that equal runs differ.
    ///
    /// Of two runs compared with the same third one, it does not do so both times.
    @Test func aPlantedTenthIsFoundAndEqualRunsAreEqual() async throws {
        var equal: [[String: String]] = []
        for name in ["new", "newer"] {
            let outcome = try await rig("compare", "old", name, "--csv", in: place, exits: 0)
            equal.append(verdicts(outcome.output))
        }
        for metric in ["refetched_bytes", "lost_bytes"] {
            #expect(equal.contains { $0[metric] == "same" }, "\(equal)")
            #expect(equal.allSatisfy { $0[metric] != nil })
        }
        let rows = try place.text("new/iterations.csv")
        try tenthMoreRefetched(rows).save(as: "planted.csv", in: place)
        let planted = try await rig(
            "compare", "old/iterations.csv", "planted.csv", "--csv", in: place, exits: 0)
        #expect(verdicts(planted.output)["refetched_bytes"] == "worse", "\(planted.output)")
        #expect(planted.output.contains(",true,"), "rows of one seed are pairs")
    }

    /// A worker that never commits loses everything it has.
    ///
    /// `compare` reports it, and so does a gate against the previous run. A stored run can be
    /// judged again.
    @Test func aWorseWorkerIsSeenBesideItsBaseline() async throws {
        let gates = [
            "--baseline", "old", "--gate", "refetched_bytes.mean < +50% vs baseline", "--gate",
            "violations >= 0", "-v",
        ]
        try await rig(["judge", "new"] + gates, in: place, exits: 0)
        try await rig(
            ["kill-test", "--out", "worse"] + Self.options + gates, in: place,
            environment: planted("never-commit"), exits: 99
        ).prints("gate failed: refetched_bytes.mean < +50% vs baseline")
        try await rig("judge", "worse", in: place, exits: 99)
        let compared = try await rig("compare", "old", "worse", "--csv", in: place)
        #expect(verdicts(compared.output)["lost_bytes"] == "worse", "\(compared.output)")
        #expect(verdicts(compared.output)["refetched_bytes"] == "worse")
        let table = try await rig("compare", "old", "worse", in: place)
        table.prints("violations differ: 0 in 20 rows of 64KB of old")
        try await theBaselineMoves(in: place)
    }

    /// If a baseline has moved, the rig asks for it, and it can be named.
    private func theBaselineMoves(in place: Workplace) async throws {
        try FileManager.default.moveItem(atPath: place.path("old"), toPath: place.path("moved"))
        for command in ["report", "judge"] {
            let gone = try await rig(command, "worse", in: place)
            #expect(gone.exitCode == 65, "\(command): \(gone.complaint)")
            gone.complains("with --baseline RUN")
        }
        try await rig(
            "report", "worse", "--baseline", "moved", "--out", "page.html", in: place, exits: 0)
        #expect(try place.text("page.html").contains("refetched_bytes.mean &lt; +50% vs baseline"))
        try await rig(
            "report", "moved", "--baseline", "worse", in: place, exits: 64,
            complains: "no gate compares with it")
    }

    @Test func whatCannotBeComparedEndsWithItsExitCode() async throws {
        try Data("no rows\n".utf8).save(as: "rows.csv", in: place)
        let wrong: [([String], Int32, String)] = [
            (["compare"], 64, "<runs>"),
            (["compare", "old"], 64, "name a second run"),
            (["compare", "old", "old", "--csv", "--json"], 64, "give one of them"),
            (["compare", "old", "nowhere"], 65, "there is no run folder nowhere"),
            (["compare", "old", "rows.csv"], 65, "rows.csv"),
            (
                ["compare", "old", "old", "--html", "old/iterations.csv"], 64,
                "name another file with --html"
            ),
            (["compare", "old", "old", "--html", "page/"], 64, "name one with --html"),
            (["compare", "old", "old", "--html", ""], 64, "name one with --html"),
            (
                ["compare", "old", "old", "--html", "/dev/full"], 70,
                "No space left on device; free some space"
            ),
            (["judge", "old", "--baseline", "old"], 64, "no gate compares with it"),
            (
                ["judge", "old", "--gate", "lost_bytes.mean < +5% vs baseline"], 64,
                "give --baseline RUN"
            ),
            (
                [
                    "judge", "old", "--gate", "lost_bytes.mean < +5% vs baseline",
                    "--baseline", "nowhere",
                ], 65, "--baseline: there is no run folder nowhere"
            ),
        ]
        for (arguments, code, word) in wrong {
            let outcome = try await rig(arguments, in: place)
            #expect(outcome.exitCode == code, "\(arguments): \(outcome.complaint)")
            #expect(outcome.complaint.contains(word), "\(arguments): \(outcome.complaint)")
        }
        // The table stood behind the page.
        let page = try await rig("compare", "old", "old", "--html", "-", in: place, exits: 0)
        #expect(page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
    }
}
