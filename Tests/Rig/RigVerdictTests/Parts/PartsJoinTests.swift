import OriginFaults
import RigModel
import RigVerdict
import Testing

/// Parts in any order form the run that they are parts of, and others are refused.
struct PartsJoinTests {
    private let maker = PartMaker()

    private func identities(_ rows: [IterationRow]) -> [RowIdentity] { rows.map(RowIdentity.init) }

    @Test(arguments: [1, 2, 3, 4, 6])
    func theRowsComeInTheOrderOfThePlan(count: Int) throws {
        var maker = maker
        maker.kills = 2
        let parts = try (1...count).map { try maker.part($0, of: count) }
        let join = try PartsJoin(parts.reversed(), expected: count)
        let whole = try maker.manifest(1, of: 1)
        #expect(identities(join.rows) == identities(PartMaker.rows(of: whole)))
        #expect(join.manifest.plan == whole.plan && join.manifest.partition == nil)
        #expect(join.manifest.parts?.map(\.partition.index) == Array(1...count))
        #expect(throws: Never.self) { try PlanCheck.check(join.rows, against: join.manifest) }
    }

    /// Merging again gives the same bytes, independent of the order and the time.
    @Test func theManifestFollowsFromThePartsAlone() throws {
        let parts = try (1...3).map { try maker.part($0, of: 3) }
        let one = try PartsJoin(parts, expected: nil).manifest
        #expect(try PartsJoin(parts.reversed(), expected: 3).manifest == one)
        #expect(one.runID == "run-1-merged")
        #expect(one.command == ["rig", "kill-test", "--seed", "7", "--", "w", "--partition", "x"])
    }

    @Test func machinesAreNamedWhereTheyDiffer() throws {
        var other = maker
        other.host = "b"
        other.processor = "another"
        let join = try PartsJoin([maker.part(1, of: 2), other.part(2, of: 2)], expected: nil)
        #expect(join.manifest.machine.host == nil)
        #expect(join.manifest.machine.processor == "another | some")
        #expect(join.manifest.machine.system == "Debian")
        #expect(join.manifest.parts?.map(\.host) == ["a", "b"])
    }

    /// A part resumed with more jobs used to be merged as one of a single job: its times were then
    /// compared with those of runs that had the machine to themselves.
    @Test func theMostJobsThatAnyPartEverHadAreKept() throws {
        var busy = maker
        busy.jobs = 2
        busy.resumed = [
            Manifest.Resumed(startedAt: "2026-01-01T01:00:00Z", host: "a", jobs: 4),
            Manifest.Resumed(startedAt: "2026-01-01T02:00:00Z", host: "a", jobs: nil),
        ]
        let join = try PartsJoin([maker.part(1, of: 2), busy.part(2, of: 2)], expected: nil)
        #expect(join.manifest.jobs == 4)
        let alone = try PartsJoin([maker.part(1, of: 1)], expected: nil)
        #expect(alone.manifest.jobs == nil)
    }

    // MARK: What contradicts

    static let changes: [(key: String, change: @Sendable (inout PartMaker) -> Void)] = [
        ("versions.rig", { $0.versions["rig"] = "1.0.1" }),
        ("versions.judge", { $0.versions["judge"] = "3" }),
        ("plan.seed", { $0.seed = 8 }),
        ("plan.iterations", { $0.iterations = 5 }),
        ("plan.policies", { $0.policies.reverse() }),
        ("plan.policies", { $0.policies = [Policy(threshold: nil, durability: .power)] }),
        ("plan.trigger", { $0.trigger = .bytes }),
        ("plan.pinned", { $0.pinned = .bytes(5) }),
        ("plan_digest", { $0.kills = 2 }),
        ("worker", { $0.worker = "curl" }),
        ("profile", { $0.profile = WorkerProfile(name: "downloader", command: ["w"]) }),
        ("fault", { $0.fault = .abort }),
        ("workload", { $0.workload = .playback }),
        ("settings", { $0.settings = ["storage": "file"] }),
        ("environment", { $0.environment = ["DOWNLOADER_PLANTED_BUG": "x"] }),
        (
            "video.length",
            { $0.video = Manifest.Video(source: "fixture", length: 10_485_761, etag: "\"a\"") }
        ),
        (
            "video.etag",
            { $0.video = Manifest.Video(source: "fixture", length: 10_485_760, etag: "\"b\"") }
        ),
        ("bandwidth", { $0.bandwidth = 1_000 }),
        (
            "origin_faults",
            { $0.originFaults = [try? OriginFault("latency:10ms")].compactMap { $0 } }
        ),
        ("time_limit", { $0.timeLimit = 5 }),
        ("gates", { $0.gates = ["loss_percent <= 5"] }),
    ]

    @Test(arguments: changes.indices)
    func partsOfDifferentRunsAreRefusedByTheKey(index: Int) throws {
        let (key, change) = Self.changes[index]
        var other = maker
        change(&other)
        let text = objection(to: [try maker.part(1, of: 2), try other.part(2, of: 2)])
        #expect(
            text?.hasPrefix(
                "parts/part-1-of-2 and parts/part-2-of-2 are parts of different runs: \(key) ")
                ?? false, "\(text ?? "-")")
    }

    /// Parts come from different machines, so paths and hardware may differ.
    @Test func whatMayDifferFromMachineToMachineDoesNotMatter() throws {
        var other = maker
        other.host = nil
        other.processor = "another"
        other.versions["sqlite"] = "3.50.0"
        other.startedAt = "2026-01-02T00:00:00Z"
        other.video = Manifest.Video(
            source: "/elsewhere/fixture", length: 10_485_760, etag: "\"a\"")
        #expect(objection(to: [try maker.part(1, of: 2), try other.part(2, of: 2)]) == nil)
    }

    @Test func anotherNumberOfPartsIsRefused() throws {
        let mixed = objection(to: [try maker.part(1, of: 2), try maker.part(3, of: 3)])
        #expect(mixed?.contains("is one of 2 parts and parts/part-3-of-3 one of 3") ?? false)
        let fewer = objection(to: [try maker.part(1, of: 2)], expected: 3)
        #expect(fewer?.contains("is one of 2 parts, and --expect says 3") ?? false)
    }

    @Test func noPartAtAllIsIncomplete() { #expect(objection(to: [], status: .incomplete) != nil) }

    @Test func rowsOfAnotherPartAreRefused() throws {
        let foreign = try maker.part(2, of: 2).rows
        let text = objection(
            to: [
                try maker.part(1, of: 2) {
                    $0[0] = foreign[0]
                    $0[0].runID = "run-1"
                }
            ])
        #expect(
            text?.contains("part-1-of-2/iterations.csv: row 1, column iteration: 2 is not in")
                ?? false, "\(text ?? "-")")
    }

    // MARK: Duplicates

    @Test func copiesOfAPartCountOnce() throws {
        let parts = [
            try maker.part(1, of: 2), try maker.part(2, of: 2),
            try maker.part(2, of: 2, name: "again/part-2-of-2"),
            try maker.part(2, of: 2, name: "once-more/part-2-of-2"),
        ]
        let join = try PartsJoin(parts, expected: 2)
        #expect(join.rows.count == 8)
        #expect(join.manifest.parts?.map(\.copies) == [nil, 2])
        #expect(
            MergeSentences.copies(join.manifest) == [
                "part 2 of 2 was there 3 times, every byte the same: it counts once"
            ])
    }

    /// Two runs of one part are refused, because choosing one silently could hide the worse.
    @Test func twoRunsOfAPartAreRefused() throws {
        let text = objection(
            to: [
                try maker.part(1, of: 2), try maker.part(2, of: 2),
                try maker.part(2, of: 2, name: "again/part-2-of-2", runID: "another"),
            ])
        #expect(
            text == "again/part-2-of-2 and parts/part-2-of-2 are two runs of part 2 of 2 that "
                + "differ; remove one of them")
    }

    @Test func oneRunOfAPartWithOtherRowsIsRefused() throws {
        let shorter = try maker.part(2, of: 2, name: "again/part-2-of-2") { $0.removeLast() }
        let text = objection(to: [try maker.part(2, of: 2), shorter])
        #expect(text?.contains("are two runs of part 2 of 2") ?? false)
    }
}
