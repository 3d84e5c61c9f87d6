import Foundation
import RigModel
import Testing

extension EndToEndTests {
    /// `rig compare` and gates `vs baseline` with real runs.
    @Suite struct CompareTests {
        private static let options = [
            "--iterations", "30", "--thresholds", "64KB", "--video-size", "1MB", "--trigger",
            "bytes", "--seed", "71",
        ]

        private func run(
            _ name: String, in place: Workplace, _ more: [String] = [],
            environment: [String: String] = [:]
        ) async throws -> Programs.Outcome {
            try await Programs.run(
                Programs.rig, ["kill-test", "--out", name] + Self.options + more, in: place.url,
                environment: environment)
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
            let place = try Workplace()
            for name in ["old", "new", "newer"] {
                let outcome = try await run(name, in: place)
                #expect(outcome.exitCode == 0, "\(outcome.complaint)")
            }
            var equal: [[String: String]] = []
            for name in ["new", "newer"] {
                let outcome = try await Programs.run(
                    Programs.rig, ["compare", "old", name, "--csv"], in: place.url)
                #expect(outcome.exitCode == 0, "\(outcome.complaint)")
                equal.append(verdicts(outcome.output))
            }
            for metric in ["refetched_bytes", "lost_bytes"] {
                #expect(equal.contains { $0[metric] == "same" }, "\(equal)")
                #expect(equal.allSatisfy { $0[metric] != nil })
            }
            let rows = try String(contentsOfFile: place.path("new/iterations.csv"), encoding: .utf8)
            try tenthMoreRefetched(rows).write(
                toFile: place.path("planted.csv"), atomically: true, encoding: .utf8)
            let planted = try await Programs.run(
                Programs.rig, ["compare", "old/iterations.csv", "planted.csv", "--csv"],
                in: place.url)
            #expect(planted.exitCode == 0, "\(planted.complaint)")
            #expect(verdicts(planted.output)["refetched_bytes"] == "worse", "\(planted.output)")
            #expect(planted.output.contains(",true,"), "rows of one seed are pairs")
        }

        /// A worker that never commits loses everything it has.
        ///
        /// `compare` reports it, and so does a gate against the previous run. A stored run can be
        /// judged again.
        @Test func aWorseWorkerIsSeenBesideItsBaseline() async throws {
            let place = try Workplace()
            let old = try await run("old", in: place)
            #expect(old.exitCode == 0, "\(old.complaint)")
            let gates = [
                "--baseline", "old", "--gate", "refetched_bytes.mean < +50% vs baseline", "--gate",
                "violations >= 0", "-v",
            ]
            let again = try await run("again", in: place, gates)
            #expect(again.exitCode == 0, "\(again.output)")
            let worse = try await run(
                "worse", in: place, gates, environment: ["DOWNLOADER_PLANTED_BUG": "never-commit"])
            #expect(worse.exitCode == 99, "\(worse.output)")
            #expect(worse.output.contains("gate failed: refetched_bytes.mean < +50% vs baseline"))
            let judged = try await Programs.run(Programs.rig, ["judge", "worse"], in: place.url)
            #expect(judged.exitCode == 99, "\(judged.complaint)")
            let compared = try await Programs.run(
                Programs.rig, ["compare", "old", "worse", "--csv"], in: place.url)
            #expect(verdicts(compared.output)["lost_bytes"] == "worse", "\(compared.output)")
            #expect(verdicts(compared.output)["refetched_bytes"] == "worse")
            let table = try await Programs.run(
                Programs.rig, ["compare", "old", "worse"], in: place.url)
            #expect(table.output.contains("violations differ: 0 in 30 rows of 64KB of old"))
            try await theBaselineMoves(in: place)
        }

        /// If a baseline has moved, the rig asks for it, and it can be named.
        private func theBaselineMoves(in place: Workplace) async throws {
            try FileManager.default.moveItem(atPath: place.path("old"), toPath: place.path("moved"))
            for command in ["report", "judge"] {
                let gone = try await Programs.run(Programs.rig, [command, "worse"], in: place.url)
                #expect(gone.exitCode == 65, "\(command): \(gone.complaint)")
                #expect(gone.complaint.contains("with --baseline RUN"), "\(gone.complaint)")
            }
            let named = try await Programs.run(
                Programs.rig, ["report", "worse", "--baseline", "moved", "--out", "page.html"],
                in: place.url)
            #expect(named.exitCode == 0, "\(named.complaint)")
            let page = try String(contentsOfFile: place.path("page.html"), encoding: .utf8)
            #expect(page.contains("refetched_bytes.mean &lt; +50% vs baseline"))
            let idle = try await Programs.run(
                Programs.rig, ["report", "moved", "--baseline", "worse"], in: place.url)
            #expect(idle.exitCode == 64, "\(idle.complaint)")
            #expect(idle.complaint.contains("no gate compares with it"), "\(idle.complaint)")
        }

        @Test func whatCannotBeComparedEndsWithItsExitCode() async throws {
            let place = try Workplace()
            _ = try await run("old", in: place, ["--quiet"])
            try Data("no rows\n".utf8).write(to: place.url.appendingPathComponent("rows.csv"))
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
                let outcome = try await Programs.run(Programs.rig, arguments, in: place.url)
                #expect(outcome.exitCode == code, "\(arguments): \(outcome.complaint)")
                #expect(outcome.complaint.contains(word), "\(arguments): \(outcome.complaint)")
            }
            // The table stood behind the page.
            let page = try await rig(["compare", "old", "old", "--html", "-"], in: place)
            #expect(page.exitCode == 0, "\(page.complaint)")
            #expect(page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
        }
    }
}
