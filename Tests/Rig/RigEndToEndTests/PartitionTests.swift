import Foundation
import RigModel
import RigReport
import Testing

/// Parts of a plan, carried out separately and merged, equal the whole run.
@Suite struct PartitionTests {
    private let place = Workplace()

    /// The columns that the plan determines.
    static let plannedColumns = [
        "schema", "iteration", "kill", "policy", "threshold_bytes", "worker", "workload",
        "fault", "trigger", "planned", "seed",
    ]

    static let options = [
        "--iterations", "5", "--video-size", "1MB", "--thresholds", "64KB,disabled", "--seed",
        "11", "--trigger", "bytes", "--gate", "lost_bytes.max <= 1MB",
    ]

    /// Three parts of a worker that never saves, in the folder `parts`.
    ///
    /// Each iteration has two rows, of which one fails.
    private static let three = Task { () throws -> Workplace in
        let place = Workplace()
        for index in 1...3 {
            let outcome = try await part(
                "slice:\(index)/3", in: place, environment: planted("never-commit")
            ).exits(0)
            #expect(outcome.output.hasSuffix("that comes from rig judge parts --expect 3\n"))
        }
        return place
    }

    @discardableResult
    private static func part(
        _ slice: String, _ more: [String] = [], in place: Workplace, out: String = "parts",
        environment: [String: String] = [:]
    ) async throws -> Programs.Outcome {
        try await rig(
            ["kill-test", "--partition", slice, "--out", out] + options + more, in: place,
            environment: environment)
    }

    /// A copy of the three parts that a test may damage.
    private func copy() async throws -> Workplace {
        let place = Workplace()
        try FileManager.default.copyItem(
            at: try await Self.three.value.url.appendingPathComponent("parts"),
            to: place.url.appendingPathComponent("parts"))
        return place
    }

    /// The cells of the columns that the plan determines.
    static func planned(_ file: String) throws -> [[String]] {
        let records = try CSVReader.read(Data(contentsOf: URL(fileURLWithPath: file))).records
        let header = try #require(records.first?.fields)
        let columns = try plannedColumns.map { try #require(header.firstIndex(of: $0)) }
        return records.map { record in columns.map { record.fields[$0] } }
    }

    /// And merged again it has the same bytes.
    @Test func theMergedRunIsTheWholeOne() async throws {
        let place = try await copy()
        #expect(try place.names(in: "parts") == ["part-1-of-3", "part-2-of-3", "part-3-of-3"])
        let merged = try await rig("judge", "parts", "--expect", "3", "-v", in: place)
        #expect(merged.exitCode == 99, "the gate on violations was kept: \(merged.complaint)")
        merged.prints("gate holds    lost_bytes.max <= 1MB")
        let folder = place.path("parts")
        func contents() throws -> [String: Data] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
            return Dictionary(
                uniqueKeysWithValues: paths.compactMap { path in
                    FileManager.default.contents(atPath: "\(folder)/\(path)").map { (path, $0) }
                })
        }
        let first = try contents()
        let again = try await rig("judge", "parts", "--quiet", in: place, exits: 99)
        #expect(again.complaint.isEmpty, "\(again.complaint)")
        #expect(try contents() == first)
        try await rig(
            ["kill-test", "--out", "whole"] + Self.options, in: place,
            environment: planted("never-commit"), exits: 99)
        let cells = try Self.planned(place.path("parts/iterations.csv"))
        #expect(cells.count == 11)
        #expect(try cells == Self.planned(place.path("whole/iterations.csv")))
        // The merged run has every file of a run folder.
        let expected = try place.names(in: "whole")
        #expect(try place.names(in: "parts").filter { !$0.hasPrefix("part-") } == expected)
        #expect(try place.names(in: "parts/evidence") == place.names(in: "whole/evidence"))
    }

    @Test func theMergedRunIsJudgedAndReplayedLikeAnyOther() async throws {
        let place = try await copy()
        try await rig("judge", "parts", in: place, exits: 99)
        try await rig("judge", "parts", "--gate", "violations <= 5", "--json", in: place, exits: 0)
        let failed = try #require(try place.rows(in: "parts").first { $0.verdict == .fail })
        let evidence = "parts/evidence/\(failed.policy)-\(failed.iteration)-1"
        #expect(
            try place.text("\(evidence)/replay.txt")
                == "rig replay parts --iteration \(failed.iteration) --policy 64KB\n")
        for folder in ["part-1-of-3", "part-2-of-3", "part-3-of-3"] {
            try place.remove("parts/\(folder)")
        }
        try await rig(
            "replay", "parts", "--iteration", "\(failed.iteration)", "--policy", "64KB",
            "--times", "1", in: place, exits: 99)
        try await rig("replay", evidence, "--times", "1", in: place, exits: 99)
    }

    @Test func aPartThatIsThereIsNotRunAgain() async throws {
        let place = try await copy()
        let before = try place.data("parts/part-2-of-3/iterations.csv")
        let again = try await Self.part(
            "slice:2/3", ["--json"], in: place, environment: planted("never-commit")
        ).exits(0)
        #expect(
            again.output.hasPrefix("{\"event\":\"part\",")
                && again.output.contains("\"already_there\":true"))
        #expect(try place.data("parts/part-2-of-3/iterations.csv") == before)
        // Without the bug it is another run, of another program.
        let other = try await Self.part("slice:2/3", in: place).exits(65)
        other.complains("is a part of another run: profile is downloader-with-bugs")
        #expect(try place.names(in: "parts").count == 3)
    }

    // MARK: What is missing, and what contradicts

    @Test func aMissingPartIs97AndWhatIsThereIsMergedAllTheSame() async throws {
        let place = try await copy()
        try place.remove("parts/part-2-of-3")
        try place.makeFolder("parts/.part-2-of-3.x.partial")
        let merged = try await rig("judge", "parts", "-v", in: place, exits: 97)
        merged.prints(
            "4 of 10 rows are missing: part 2 of 3 is missing: run --partition slice:2/3, "
                + "then merge again")
        merged.complains("parts/.part-2-of-3.x.partial is unfinished")
        try await rig("judge", "parts", in: place, exits: 97).prints("part 2 of 3 is missing")
        try await rig("resume", "parts", in: place, exits: 64, complains: "was merged from parts")
    }

    @Test func copiesCountOnceAndTwoRunsOfAPartAre65() async throws {
        let place = try await copy()
        let files = FileManager.default
        try place.makeFolder("uploads/job")
        try files.copyItem(
            atPath: place.path("parts/part-3-of-3"), toPath: place.path("uploads/job/part-3-of-3"))
        try await rig(
            "judge", "parts", "uploads", "--expect", "3", "--out", "whole", in: place, exits: 99
        ).prints("part 3 of 3 was there 2 times, every byte the same")
        try files.removeItem(atPath: place.path("uploads/job"))
        try await Self.part(
            "slice:3/3", in: place, out: "uploads", environment: planted("never-commit"))
        try await rig(
            "judge", "parts", "uploads", "--out", "other", in: place, exits: 65,
            complains: "parts/part-3-of-3 and uploads/part-3-of-3 are two runs of part 3 of 3")
        #expect(!files.fileExists(atPath: place.path("other/manifest.json")))
    }

    // MARK: What cannot be taken apart

    @Test func thereMayBeMorePartsThanIterations() async throws {
        let outcome = try await Self.part("slice:7/7", in: place).exits(0)
        #expect(outcome.output.hasPrefix("part 7 of 7 is complete, 0 of 0 rows"))
    }

    @Test func thePlanOfAPartIsShown() async throws {
        let options = ["--iterations", "5", "--seed", "1", "--partition", "slice:2/3"]
        try await rig(["plan"] + options, in: place).prints("\npart 2 of 3: 2 of 5 iterations;")
        let rows = try await rig(["plan", "--rows"] + options, in: place)
        #expect(rows.output.split(separator: "\n").count == 3, "\(rows.output)")
        try await rig(["plan", "--json"] + options, in: place).prints("\"slice\": \"slice:2/3\"")
    }

    @Test func aPartHasNoVerdictOfItsOwn() async throws {
        let place = try await copy()
        try await rig(
            "judge", "parts/part-1-of-3", in: place, exits: 64,
            complains: "the folder of all parts")
        try await rig(
            "judge", "parts/part-1-of-3", "--gate", "corrupt_bytes == 0", in: place, exits: 99)
        try await rig("report", "parts", in: place, exits: 65, complains: "rig judge parts")
        try await rig(
            "judge", "parts/part-1-of-3", "--expect", "3", in: place, exits: 64, complains: "--out")
    }
}
