import Foundation
import RigModel
import Testing
import TestSupport

/// `--timings` reports where a run spent its time, by the rig's own clock.
@Suite struct TimingsTests {
    private let place = Workplace()

    private func table(_ path: String) throws -> [[String: String]] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let names = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    }

    @Test func theStagesOfEveryIterationAddUpToIt() async throws {
        let began = ContinuousClock.now
        let outcome = try await place.killTest(
            "--iterations", "4", "--seed", "5", "--thresholds", "64KB,disabled", "--video-size",
            "1MB", "--trigger", "bytes", "--timings", "--quiet")
        let elapsed = (ContinuousClock.now - began) / .seconds(1)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
        #expect(outcome.output.hasPrefix("PASS"), "the verdict is not first")
        for word in ["stage", "spawn", "recover", "total", "processor time: rig"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        let rows = try table(place.path("run/timings.csv"))
        #expect(rows.count == 8)
        var all = 0.0
        for row in rows {
            let parts = IterationStage.allCases.compactMap {
                row["\($0.rawValue)_seconds"].flatMap(Double.init)
            }
            let total = try #require(row["total_seconds"].flatMap(Double.init))
            // Each has six decimals.
            #expect(abs(parts.reduce(0, +) - total) < 1e-5)
            all += total
            for stage in ["connect", "kill", "copy", "relaunch", "complete", "compare"] {
                #expect(row["\(stage)_seconds"].flatMap(Double.init) ?? 0 > 0, "\(stage)")
            }
            #expect(row["autopsy_beside_seconds"].flatMap(Double.init) ?? 0 > 0)
            #expect(row["clean_up_beside_seconds"].flatMap(Double.init) ?? 0 > 0)
        }
        // Sequential iterations take a part of the whole command's time.
        #expect(all < elapsed && all > 0.1 * elapsed, "\(all) s of \(elapsed) s")
    }

    /// If `timings.csv` could not be written, a part was dropped with all its rows.
    ///
    /// A whole run ended without a summary.
    @Test func aFileThatCannotBeWrittenCostsNoRow() async throws {
        let some = [
            "--iterations", "4", "--seed", "8", "--video-size", "1MB", "--trigger", "bytes",
            "--timings", "--quiet",
        ]
        let outcome = try await Programs.run(
            Programs.rig,
            ["kill-test", "--out", "run", "--partition", "slice:1/2"] + some, in: place.url
        ) { _ in
            let parts = place.path("run")
            try await eventually("a part is under way, and a folder is in the way") {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []
                guard
                    let part = names.first(where: {
                        FileManager.default.fileExists(atPath: "\(parts)/\($0)/iterations.csv")
                    })
                else { return false }
                try FileManager.default.createDirectory(
                    atPath: "\(parts)/\(part)/timings.csv/in-the-way",
                    withIntermediateDirectories: true)
                return true
            }
        }
        #expect(outcome.exitCode == RigModel.ExitStatus.failure.rawValue)
        outcome.complains("timings.csv")
        let rows = try FileManager.default.subpathsOfDirectory(atPath: place.path("run"))
            .filter { $0.hasSuffix("iterations.csv") }
        #expect(rows.count == 1)
    }

    @Test(arguments: ["playback", "offline-library"])
    func everyWorkloadHasItsStages(workload: String) async throws {
        try await place.killTest(
            [
                "--iterations", "1", "--seed", "6", "--thresholds", "64KB", "--workload",
                workload, "--trigger", "bytes", "--timings", "--quiet",
            ] + (workload == "playback" ? ["--video-size", "1MB"] : []), exits: 0)
        let rows = try table(place.path("run/timings.csv"))
        #expect(rows.count == 1)
        for stage in ["spawn", "kill", "copy", "autopsy", "relaunch", "complete", "judge"] {
            #expect(rows.first?["\(stage)_seconds"].flatMap(Double.init) ?? 0 > 0, "\(stage)")
        }
    }

    @Test func programsGetAnEventAndOthersNothing() async throws {
        let some = [
            "--iterations", "1", "--seed", "7", "--video-size", "1MB", "--trigger", "bytes",
            "--json", "--quiet",
        ]
        let asked = try await place.killTest(some, "--timings", exits: 0)
        let lines = asked.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("{\"event\":\"timings\"") }.count == 1)
        #expect(lines.last?.hasPrefix("{\"event\":\"summary\"") == true)
        let other = Workplace()
        #expect(try await !other.killTest(some).output.contains("timings"))
        #expect(!FileManager.default.fileExists(atPath: other.path("run/timings.csv")))
    }
}
