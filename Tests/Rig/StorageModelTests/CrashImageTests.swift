import HandmadeLogs
import RigModel
import StorageModel
import Testing

/// Which outcomes of a power cut the model allows: all of them occur, and no others.
@Suite struct CrashImageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let what: String
        let log: LogByHand
        var paths = ["f"]
        let disk: DiskModel
        let outcomes: Set<String>

        init(
            _ what: String, _ log: LogByHand, paths: [String] = ["f"],
            on disk: DiskModel = .posix, _ outcomes: Set<String>
        ) {
            (self.what, self.disk, self.log) = (what, disk, log)
            (self.paths, self.outcomes) = (paths, outcomes)
        }

        var testDescription: String { what }
    }

    private static let empty = LogByHand()
    private static let block = String(repeating: "A", count: 8)
    private static let hole = String(repeating: "0", count: 8)

    static let data = [
        Case(
            "synced, and its name too", empty.create("f").write("f", "A").sync("f").syncFolder(),
            ["A"]),
        Case("everything synced", empty.create("f").write("f", "A").then(.syncAll), ["A"]),
        Case(
            "not synced: the length may be there without the data",
            empty.create("f").syncFolder().write("f", "A"), ["", "0", "A"]),
        Case(
            "torn by sectors", empty.existing("f", "AA").write("f", "BB"), ["AA", "AB", "BA", "BB"]),
        Case(
            "a later write survives an earlier one",
            empty.existing("f", "AA").write("f", "B").write("f", "C", at: 1),
            ["AA", "BA", "AC", "BC"]),
        Case(
            "an earlier write of a place survives, the later one does not",
            empty.existing("f", "A").write("f", "B").write("f", "C"), ["A", "B", "C"]),
        Case(
            "what was synced stays below what was not",
            empty.existing("f", "A").write("f", "B").sync("f").write("f", "C"), ["B", "C"]),
        Case(
            "a sync that had not returned makes nothing certain",
            empty.existing("f", "A").write("f", "B").sync("f").inFlight(), ["A", "B"]),
        Case(
            "a write that had not returned is not made certain by another thread's sync",
            empty.existing("f", "A").write("f", "B").inFlight().sync("f"), ["A", "B"]),
        Case(
            "the sync of another file says nothing",
            empty.existing("f", "A").existing("g", "A").write("f", "B").sync("g"), ["A", "B"]),
        Case(
            "reserved space reads as zeros",
            empty.existing("f", "A").then(
                .allocate(file: FileID(1), offset: 0, length: 1024, keepsSize: false)), ["A", "A0"]),
        Case(
            "reserved space that keeps the length changes nothing",
            empty.existing("f", "A").then(
                .allocate(file: FileID(1), offset: 0, length: 1024, keepsSize: true)), ["A"]),
        Case(
            "a hole",
            empty.existing("f", block + block + "B").then(
                .punchHole(file: FileID(1), offset: 0, length: 8192)),
            [block + block + "B", hole + hole + "B"]),
        Case(
            "what was written into a hole is lost with it",
            empty.existing("f", block + block).then(
                .punchHole(file: FileID(1), offset: 0, length: 4096)
            ).write("f", "B").sync("f").inFlight(),
            [block + block, hole + block, "B" + hole.dropFirst() + block]),
        Case(
            "written through memory: as any other write",
            empty.existing("f", "A").then(.mapped(file: FileID(1), inode: 1)).write("f", "B"),
            ["A", "B"]),
        Case(
            "it is not known what became of it: absent",
            empty.existing("f", "A").then(.unrecorded(file: FileID(1))), ["-"]),
        Case(
            "a part synced, of one write and of another",
            empty.existing("f", "AAAA").write("f", "BBB").write("f", "C", at: 3).then(
                .syncRange(file: FileID(1), offset: 512, length: 512)),
            ["ABAA", "BBAA", "ABBA", "BBBA", "ABAC", "BBAC", "ABBC", "BBBC"]),
        Case(
            "a part synced: a length that was set is certain, and takes what lay beyond it",
            empty.existing("f", "AAA").write("f", "B", at: 2).truncate("f", to: 2).truncate(
                "f", to: 3
            ).then(.syncRange(file: FileID(1), offset: 0, length: 512)), ["AA0"]),
        Case(
            "a part synced: a write that had not returned does not come over it",
            empty.existing("f", "AA").write("f", "BB").inFlight().write("f", "C").then(
                .syncRange(file: FileID(1), offset: 0, length: 512)), ["CA", "CB"]),
        Case(
            "a part synced, on ext4: by whole pages, and the rename is not data",
            empty.existing("f", "AA").create("t").write("t", "BB").rename("t", to: "f").then(
                .write(file: FileID(2), offset: 0, bytes: LogByHand.sectors("C"))
            ).then(.syncRange(file: FileID(2), offset: 0, length: 512)), on: .ext4, ["AA", "CB"]),
    ]

    static let names = [
        Case(
            "a synced file whose folder was not synced",
            empty.create("f").write("f", "A").sync("f"), ["-", "A"]),
        Case(
            "truncated: the zeros may be there before the length",
            empty.existing("f", "AB").truncate("f", to: 1), ["AB", "A0", "A"]),
        Case(
            "truncated and synced", empty.existing("f", "AB").truncate("f", to: 1).sync("f"), ["A"]),
        Case(
            "truncated and written anew: never new data with the old rest",
            empty.existing("f", "AB").then(.openTruncate(file: FileID(1))).write("f", "C"),
            ["AB", "", "0", "C"]),
        Case(
            "renamed over another, data synced: the old one or the new one",
            empty.existing("f", "A").create("t").write("t", "B").sync("t").rename("t", to: "f"),
            ["A", "B"]),
        Case(
            "renamed over another, data not synced: it may be empty",
            empty.existing("f", "A").create("t").write("t", "B").rename("t", to: "f"),
            ["A", "", "0", "B"]),
        Case(
            "renamed back and forth: one of the two names",
            empty.existing("f", "A").rename("f", to: "g"), paths: ["f", "g"], on: .ext4,
            ["A -", "- A"]), Case("removed", empty.existing("f", "A").remove("f"), ["A", "-"]),
        Case(
            "removed, and the folder synced", empty.existing("f", "A").remove("f").syncFolder(),
            ["-"]),
        Case(
            "removed by a call that had not returned",
            empty.existing("f", "A").remove("f").inFlight(), ["A", "-"]),
        Case(
            "the journal keeps its order", empty.create("f").create("g"), paths: ["f", "g"],
            on: .ext4, ["- -", " -", " "]),
        Case(
            "a folder's sync makes certain what the journal carried before",
            empty.create("f").makeFolder("d").create("d/g").syncFolder("d"), paths: ["f", "d/g"],
            on: .xfs, [" "]),
        Case(
            "another folder's sync makes nothing of later names certain",
            empty.then(.existingDirectory(path: "d")).create("d/g").create("f").syncFolder("d"),
            paths: ["d/g", "f"], on: .xfs, [" -", " "]),
        Case(
            "on ext4 it commits everything",
            empty.then(.existingDirectory(path: "d")).create("d/g").create("f").syncFolder("d"),
            paths: ["d/g", "f"], on: .ext4, [" "]),
        Case(
            "a renamed folder takes along what is in it",
            empty.makeFolder("d").create("d/f").rename("d", to: "e").then(.syncAll),
            paths: ["d/f", "e/f"], ["- "]),
        Case(
            "exchanged", empty.existing("f", "A").existing("g", "B").then(.exchange("f", "g")),
            paths: ["f", "g"], ["A B", "B A"]),
        Case(
            "a file without a name gets one",
            empty.create("").then(.link(file: FileID(1), path: "f")), ["-", ""]),
    ]

    static let otherDisks = [
        Case(
            "ext4: a length comes before its data, and reads as zeros",
            empty.create("f").syncFolder().write("f", "A"), on: .ext4, ["", "0", "A"]),
        Case(
            "xfs: a length comes with its data", empty.create("f").syncFolder().write("f", "A"),
            on: .xfs, ["", "A"]),
        Case(
            "ext4: a length comes by whole pages, from the start",
            empty.create("f").syncFolder().write("f", block).write("f", "B", at: 8), on: .ext4,
            // The first page may have been written before the second one was.
            ["", block, hole, hole + "0", block + "0", block + "B"]),
        Case(
            "ext4: a length comes after all earlier changes of names and lengths",
            empty.create("f").syncFolder().then(
                .allocate(file: FileID(1), offset: 0, length: 8192, keepsSize: false)
            ).write("f", "A", at: 16), on: .ext4,
            ["", hole + hole, hole + hole + "0", hole + hole + "A"]),
        Case(
            "ext4: what a file has is torn by sectors", empty.existing("f", "AA").write("f", "BBB"),
            on: .ext4, Set(["AA", "AB", "BA", "BB"].flatMap { [$0, $0 + "0", $0 + "B"] })),
        Case(
            "ext4: a file's sync makes its name durable, and all earlier ones",
            empty.create("g").create("f").write("f", "A").sync("f"), paths: ["g", "f"], on: .ext4,
            [" A"]),
        Case(
            "ext4: a rename over a file comes with the length of the new one",
            empty.existing("g", "B").create("f").write("f", "A").rename("f", to: "g"),
            paths: ["g", "f"], on: .ext4, ["B -", "B ", "B 0", "B A", "A -", "0 -"]),
        Case(
            "posix: a rename may leave both names or neither",
            empty.existing("f", "A").rename("f", to: "g"), paths: ["f", "g"], on: .posix,
            ["A -", "A A", "- A", "- -"]),
        Case(
            "posix: one name may be there without an earlier one", empty.create("f").create("g"),
            paths: ["f", "g"], on: .posix, ["- -", " -", "- ", " "]),
        Case(
            "posix: a folder's sync is about its own names",
            empty.makeFolder("d").syncFolder().create("f").create("d/g").syncFolder("d"),
            paths: ["f", "d/g"], on: .posix, ["- ", " "]),
        Case(
            "posix: a file is lost with its folder", empty.makeFolder("d").create("d/f"),
            paths: ["d/f"], on: .posix, ["-", ""]),
        Case(
            "posix: a length is there or not by itself",
            empty.existing("f", "AB").create("g").truncate("f", to: 1), paths: ["f", "g"],
            on: .posix, ["AB -", "A0 -", "A -", "AB ", "A0 ", "A "]),
        Case(
            "garbage: an append may spoil what is in its physical sector",
            empty.existing("f", "A").write("f", "B", at: 1), on: .garbage,
            ["A", "A0", "AB", "?", "??"]),
        Case(
            "garbage: what was synced is certain",
            empty.create("f").write("f", "A").sync("f").syncFolder(), on: .garbage, ["A"]),
    ]

    /// A disk that was writing a sector of 4096 bytes when the power failed spoils that sector, with
    /// what lies beside the write, and no other.
    @Test func garbageIsOnlyInThePhysicalSector() throws {
        let log = LogByHand().existing("f", Self.block + "E").write("f", "C", at: 1).log
        let seen = try (UInt64(0)..<400).map {
            try CrashImage(of: log, on: .garbage, seed: $0).letters("f")
        }
        #expect(Set(seen) == [Self.block + "E", "ACAAAAAAE", "????????E"])
    }

    @Test(arguments: data + names + otherDisks) func exactlyTheseOutcomes(_ one: Case) throws {
        let seen = try (UInt64(0)..<400).map { seed in
            let image = try CrashImage(of: one.log.log, on: one.disk, seed: seed)
            return one.paths.map(image.letters).joined(separator: " ")
        }
        #expect(Set(seen) == one.outcomes)
    }

    /// Bytes beside a write are safe, and a sector holds what the cache held at some moment.
    @Test func aSectorIsNeverAMixture() throws {
        let log = LogByHand().existing("f", "A")
            .bytes("f", [1, 1], at: 10).bytes("f", [2, 2], at: 100).log
        let seen = try (UInt64(0)..<300).map {
            try #require(CrashImage(of: log, on: .posix, seed: $0).bytes(of: "f"))
        }
        let found = Set(seen.map { [$0[10], $0[11], $0[100], $0[101]] })
        let old = UInt8(ascii: "A")
        #expect(found == [[old, old, old, old], [1, 1, old, old], [1, 1, 2, 2]])
        #expect(seen.allSatisfy { $0.count == 512 && $0.count(where: { $0 == old }) >= 508 })
    }

    @Test func aFileOfWhichNothingWasSaidIsRefused() {
        let log = StorageLog(operations: [
            StorageOperation(ordinal: 5, kind: .truncate(file: FileID(3), length: 1))
        ])
        #expect(throws: CrashImageError.unknownFile(FileID(3), ordinal: 5)) {
            try CrashImage(of: log, seed: 1)
        }
    }

    @Test func eachSyncMakesItsOwnPartCertain() throws {
        let log = LogByHand().create("f").write("f", "A").sync("f").syncFolder().write("f", "B").log
        let frozen = try (UInt64(0)..<100).map {
            try CrashImage(of: log, cut: 3, on: .posix, seed: $0).letters("f")
        }
        #expect(Set(frozen) == ["-", "A"])
        let named = try (UInt64(0)..<100).map {
            try CrashImage(of: log, cut: 4, on: .posix, seed: $0).letters("f")
        }
        #expect(Set(named) == ["A"])
    }
}
