import Foundation
import Glibc
import RigModel
import RigReport
import TestSupport
import Testing

/// A run that was cut short is finished, and then equals an uninterrupted one.
@Suite struct ResumeTests {
    private static let options =
        [
            "--iterations", "4", "--video-size", "1MB", "--thresholds", "64KB,disabled", "--seed",
            "21", "--trigger", "bytes", "--kills", "2", "--bandwidth", "4MB/s",
        ] + Workplace.gateOfFewRows

    private func lines(_ file: String, in place: Workplace) -> [Substring] {
        ((try? place.text(file)) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// A run that was cut short by its rig's death, after at least this many rows.
    private func cutShort(
        _ arguments: [String], folder: @escaping @Sendable (Workplace) -> String?,
        rows: Int = 3
    ) async throws -> Workplace {
        let place = Workplace()
        try await rig.end(
            ["kill-test"] + arguments + Self.options, in: place, by: SIGKILL, exits: nil,
            once: "some rows are there"
        ) {
            folder(place).map { lines("\($0)/iterations.csv", in: place).count > rows + 1 } ?? false
        }
        return place
    }

    private func cutShort() async throws -> Workplace {
        try await cutShort(["--out", "run"], folder: { _ in "run" })
    }

    /// Simulates a power cut while a line was written.
    ///
    /// A rig killed at that moment leaves evidence of a chain without a row.
    private func spoil(_ place: Workplace) throws -> [Substring] {
        let whole = lines("run/iterations.csv", in: place).dropLast()
        let rows = Array(whole.prefix(1 + (whole.count - 1) / 2 * 2))
        let next = try place.manifest().plan.schedule[(rows.count - 1) / 2]
        let torn = Data(rows.joined(separator: "\n").utf8) + Data("\n1,torn,\"ü".utf8.dropLast())
        try torn.save(as: "run/iterations.csv", in: place)
        let evidence = "run/evidence/\(next.policy.name)-\(next.iteration)-1"
        for name in [evidence, "run/scratch/7/state"] { try place.makeFolder(name) }
        try "half".save(as: "\(evidence)/half", in: place)
        return rows
    }

    @Test func aRunWhoseRigWasKilledIsFinished() async throws {
        let place = try await cutShort()
        let kept = try spoil(place)
        try await rig("resume", "run", in: place, exits: 0)
            .complains("is torn").complains("\(kept.count - 1) rows are kept")
        let after = lines("run/iterations.csv", in: place)
        #expect(Array(after.prefix(kept.count)) == kept, "what was kept is there byte for byte")
        try await rig(["kill-test", "--out", "whole"] + Self.options, in: place, exits: 0)
        #expect(
            try PartitionTests.planned(place.path("run/iterations.csv"))
                == PartitionTests.planned(place.path("whole/iterations.csv")))
        func names(_ folder: String) throws -> [String] { try place.names(in: folder) }
        #expect(
            try names("run").filter { $0 != "evidence" }
                == names("whole").filter { $0 != "evidence" })
        // There is no evidence of missing rows, and none of the interrupted chain.
        let rows = try place.rows().filter { $0.verdict != .pass }
        let evidence = (try? names("run/evidence")) ?? []
        #expect(evidence == rows.map { "\($0.policy)-\($0.iteration)-\($0.kill)" }.sorted())
        for name in evidence { #expect(place.has("run/evidence/\(name)/plan.json")) }
        #expect(try place.manifest().resumed?.count == 1)
        try await rig("judge", "run", in: place, exits: 0)
        let before = try place.text("run/manifest.json")
        try await rig(
            "resume", "run", in: place, exits: 0, complains: "there is nothing to go on with")
        #expect(try place.text("run/manifest.json") == before)
    }

    @Test func anUnfinishedPartGetsItsName() async throws {
        @Sendable func unfinished(_ place: Workplace) -> String? {
            let names = try? place.names(in: "parts")
            return names?.first { $0.hasSuffix(".partial") }.map { "parts/\($0)" }
        }
        let place = try await cutShort(
            ["--out", "parts", "--partition", "slice:1/2"], folder: unfinished, rows: 1)
        let name = try #require(unfinished(place))
        try await rig(
            "judge", "parts", in: place, exits: 97, complains: "finish it with rig resume \(name)")
        let resumed = try await rig("resume", name, in: place, exits: 0)
        #expect(resumed.output.hasPrefix("part 1 of 2 is complete, 8 of 8 rows"))
        #expect(try place.names(in: "parts") == ["part-1-of-2"])
        try await rig("resume", "parts/part-1-of-2", in: place, exits: 0).prints("nothing to do")
    }

    /// The baseline of the gates was moved while the run was unfinished.
    ///
    /// That was noticed only when the rest had been carried out, so no report was written, and
    /// the message named an option that the command did not have.
    @Test func aBaselineThatHasMovedIsAskedForBeforeAnythingIsDone() async throws {
        let old = Workplace()
        #expect(try await old.killTest(Self.options).exitCode == 0)
        let place = try await cutShort(
            [
                "--out", "run", "--baseline", old.path("run"), "--gate",
                "lost_bytes.mean < +10MB vs baseline",
            ], folder: { _ in "run" })
        try FileManager.default.moveItem(atPath: old.path("run"), toPath: old.path("moved"))
        let before = try place.manifest()
        let rows = lines("run/iterations.csv", in: place)
        try await rig(
            "resume", "run", in: place, exits: 65,
            complains: "name where it lies now with --baseline RUN")
        #expect(try place.manifest() == before)
        #expect(lines("run/iterations.csv", in: place) == rows)
        try await rig(
            "resume", "run", "--baseline", old.path("moved"), "--json", in: place, exits: 0
        ).prints("\"rows\": 16")
        #expect(try place.rows().count == 16)
        #expect(place.has("run/summary.json"))
    }

    // MARK: What cannot be resumed

    @Test func aRunThatIsUnderWayIsLeftAlone() async throws {
        let place = Workplace()
        let outcome = try await Programs.run(
            Programs.rig, ["kill-test", "--out", "run"] + Self.options, in: place.url
        ) { process in
            try await eventually("some rows are there") {
                lines("run/iterations.csv", in: place).count > 3
            }
            try await rig("resume", "run", in: place, exits: 64, complains: "still under way")
            #expect(kill(process, SIGINT) == 0)
        }
        #expect(outcome.exitCode == 130)
    }

    @Test func whatHasChangedIsRefused() async throws {
        let place = try await cutShort()
        try await rig(
            "resume", "run", in: place, environment: planted("never-commit"), exits: 64
        ).complains("DOWNLOADER_PLANTED_BUG is set")
        let file = "run/manifest.json"
        let text = try place.text(file)
        let changes = [
            ("\"rig\" : \"0", "\"rig\" : \"9", "was begun by rig 9"),
            ("\"rig\" : \"xxh128:", "\"rig\" : \"xxh128:0", "was begun with another rig"),
            (
                "\"downloader\" : \"xxh128:", "\"downloader\" : \"xxh128:0",
                "was begun with another downloader"
            ),
            ("fixture2-1-", "fixture-1-", "is not the one of the run any more"),
        ]
        for (old, new, complaint) in changes {
            #expect(text.contains(old))
            try text.replacing(old, with: new).save(as: file, in: place)
            try await rig("resume", "run", in: place, exits: 65, complains: complaint)
        }
        try text.save(as: file, in: place)
        let rows = lines("run/iterations.csv", in: place)
        try (rows.prefix(1) + rows.dropFirst(2)).joined(separator: "\n").save(
            as: "run/iterations.csv", in: place)
        try await rig("resume", "run", in: place, exits: 65, complains: "row 1 is kill 2")
        // A refused command has changed nothing.
        #expect(try place.text(file) == text)
    }
}
