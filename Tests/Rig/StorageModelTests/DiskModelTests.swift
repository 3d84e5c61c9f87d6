import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// What each file system may leave, by every state of short programs: the rows of docs/kills.md.
///
/// harness/conformance shows that real disks leave these states; the model of ext4 once called
/// those of A0 to A5 impossible, and had those of B1 to B7, which no file system leaves.
@Suite struct DiskModelTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let log: LogByHand
        let disks: [DiskModel]
        var may: [String] = []
        var never: [String] = []

        init(
            _ what: String, _ log: LogByHand, _ disks: [DiskModel], may: [String] = [],
            never: [String] = []
        ) {
            testDescription = "\(what): \(disks.map(\.rawValue).joined(separator: ", "))"
            (self.log, self.disks, self.may, self.never) = (log, disks, may, never)
        }
    }

    private static let empty = LogByHand()
    private static let old = empty.fileOf("f", "A", 8192)
    private static let short = empty.fileOf("f", "A", 100)
    private static let two = short.fileOf("g", "B", 4096)

    private static let replaced = old.create("t").fill("t", "B", 0, 8192)
        .rename("t", to: "f").syncFolder()
    private static let rewritten = old.then(.openTruncate(file: FileID(1))).fill("f", "B", 0, 8192)
        .then(.closed(file: FileID(1))).syncFolder()

    static let lost = [
        Row(
            "A0: renamed over another, the folder synced", replaced, [.ext4],
            may: ["f=B8192", "f=08192"], never: ["f=A8192", "f=empty"]),
        Row(
            "A0: renamed over another, the folder synced", replaced, [.xfs, .btrfs],
            may: ["f=B8192", "f=empty"], never: ["f=A8192", "f=08192"]),
        Row(
            "A0: truncated, written, closed, the folder synced", rewritten, [.ext4],
            may: ["f=B8192", "f=08192"], never: ["f=A8192", "f=empty"]),
        Row(
            "A1: appended inside a block", short.fill("f", "B", 100, 100), [.ext4],
            may: ["f=A100", "f=A100+0100", "f=A100+B100"]),
        Row(
            "A1: appended inside a block", short.fill("f", "B", 100, 100), [.xfs, .btrfs],
            may: ["f=A100", "f=A100+B100"], never: ["f=A100+0100"]),
        Row(
            "A1: appended, then another file's fsync",
            short.fileOf("g", "A", 100).fill("f", "B", 100, 100).fill("g", "B", 100, 10).fsync("g"),
            [.ext4], may: ["f=A100+0100 g=A100+B10", "f=A100+B100 g=A100+B10"],
            never: ["f=A100 g=A100+B10"]),
        Row(
            "A2: renamed, then the fsync of a file that has not changed",
            two.rename("f", to: "h").fsync("g"), [.ext4, .xfs, .btrfs],
            may: ["f=A100 g=B4096", "g=B4096 h=A100"]),
        Row(
            "A2: renamed, then its own fsync", short.rename("f", to: "h").fsync("f"),
            [.ext4, .xfs, .btrfs], may: ["h=A100"], never: ["f=A100"]),
        Row(
            "A3: removed, then fdatasync of a file overwritten in place",
            two.remove("f").fill("g", "C", 0, 4096).sync("g"), [.ext4, .xfs, .btrfs],
            may: ["f=A100 g=C4096", "g=C4096"]),
        Row(
            "A3: made shorter, then fdatasync of a file overwritten in place",
            old.fileOf("g", "B", 4096).then(.truncate(file: FileID(1), length: 100)).fill(
                "g", "C", 0, 4096
            ).sync("g"), [.ext4, .xfs, .btrfs], may: ["f=A8192 g=C4096", "f=A100 g=C4096"]),
        Row(
            "A4: reserved, written, renamed over another, the folder synced",
            old.create("t").then(
                .allocate(file: FileID(2), offset: 0, length: 8192, keepsSize: false)
            ).fill("t", "B", 0, 8192).rename("t", to: "f").syncFolder(), [.ext4, .xfs],
            may: ["f=08192", "f=B8192"], never: ["f=A8192"]),
        Row(
            "A4: set to zeros as a range, written, renamed over another, the folder synced",
            old.create("t").then(.punchHole(file: FileID(2), offset: 0, length: 8192)).then(
                .allocate(file: FileID(2), offset: 0, length: 8192, keepsSize: false)
            ).fill("t", "B", 0, 8192).rename("t", to: "f").syncFolder(), [.ext4],
            may: ["f=08192", "f=B8192"], never: ["f=A8192", "f=empty"]),
        // The disk of POSIX had the old file or the new one, and all others this.
        Row(
            "A5: made shorter inside a block", old.then(.truncate(file: FileID(1), length: 4196)),
            [.ext4, .xfs, .posix], may: ["f=A8192", "f=A4196+03996", "f=A4196"]),
        Row(
            "A5: made shorter inside a block", old.then(.truncate(file: FileID(1), length: 4196)),
            [.btrfs], may: ["f=A8192", "f=A4196"], never: ["f=A4196+03996"]),
        // The model let the kernel write the data of a file once: of one that was never synced, what
        // was written over was there whenever a later block was.
        Row(
            "written over after it was written, then a later block", overThenLater,
            [.ext4, .xfs, .btrfs], may: ["f=A4096+B4096", "f=C4096+B4096", "f=A4096", "f=empty"],
            never: ["f=04096+B4096"]),
        Row(
            "the first block written before, the next under way", overThenLater, [.ext4],
            may: ["f=A4096+04096", "f=C4096+04096"]),
        Row(
            "appended to after it was written, then a later block", appendedThenLater,
            [.ext4, .btrfs], may: ["f=A100+03996+C4096", "f=A100+B100+03896+C4096"]),
        Row(
            "appended to after it was written, then a later block", appendedThenLater, [.xfs],
            may: ["f=A100", "f=A100+B100+03896+C4096"], never: ["f=A100+03996+C4096"]),
        Row(
            "a block at the start, then a later one, which comes first where writing goes on",
            empty.create("f").syncFolder().fill("f", "A", 4096, 4096).fill("f", "C", 0, 4096)
                .fill("f", "B", 8192, 4096), [.ext4, .btrfs],
            may: ["f=04096+A4096+B4096", "f=C4096+A4096+B4096", "f=C4096+A4096"]),
    ]

    private static let overThenLater = empty.create("f").syncFolder().fill("f", "A", 0, 4096)
        .fill("f", "C", 0, 4096).fill("f", "B", 4096, 4096)
    private static let appendedThenLater = empty.create("f").syncFolder().fill("f", "A", 0, 100)
        .fill("f", "B", 100, 100).fill("f", "C", 4096, 4096)

    private static let synced = empty.create("f").fill("f", "A", 0, 100).sync("f")
    private static let fresh = empty.create("f").syncFolder().fill("f", "A", 0, 8192)

    static let kept = [
        Row(
            "B1: made, written and synced, without its folder", synced, [.ext4, .xfs, .btrfs],
            may: ["f=A100"], never: [""]),
        Row(
            "B1: made, written and synced, without its folder", synced, [.posix],
            may: ["f=A100", ""]),
        Row(
            "B1: made, and synced while it is empty", empty.create("f").sync("f"),
            [.ext4, .xfs, .btrfs], may: ["f=empty"], never: [""]),
        Row(
            "B1: written with O_DSYNC",
            empty.create("f").fill("f", "A", 0, 100).then(
                .syncRange(file: FileID(1), offset: 0, length: 100)), [.ext4, .xfs, .btrfs],
            may: ["f=A100"], never: [""]),
        Row(
            "B1: in a new folder",
            empty.makeFolder("d").create("d/f").fill("d/f", "A", 0, 100).sync("d/f"),
            [.ext4, .xfs, .btrfs], may: ["d/ d/f=A100"], never: ["", "d/"]),
        Row(
            "B2: one write to a fresh file", fresh, [.ext4],
            may: ["f=empty", "f=08192", "f=A8192"], never: ["f=04096+A4096"]),
        Row(
            "B2: one write to a fresh file", fresh, [.xfs, .btrfs], may: ["f=empty", "f=A8192"],
            never: ["f=04096+A4096", "f=08192"]),
        Row("B2: one write to a fresh file", fresh, [.posix], may: ["f=04096+A4096"]),
        // A part of the hole was a length that comes with its data, which it has none of.
        Row(
            "B2: one write behind a hole",
            empty.create("f").syncFolder().fill("f", "A", 8192, 4096), [.xfs, .btrfs],
            may: ["f=empty", "f=08192+A4096"],
            never: ["f=04096", "f=08192", "f=012288"]),
        Row(
            "B3: truncated, written, closed, the folder synced",
            old.then(.openTruncate(file: FileID(1))).fill("f", "B", 0, 100).then(
                .closed(file: FileID(1))
            ).syncFolder(), [.ext4], may: ["f=B100", "f=0100"],
            never: ["f=A8192", "f=empty", "f=B100+A8092"]),
        // What is due at the close stays so after a sync.
        Row(
            "B3: truncated, synced, written, closed, the folder synced",
            old.then(.openTruncate(file: FileID(1))).fsync("f").fill("f", "B", 0, 8192).then(
                .closed(file: FileID(1))
            ).syncFolder(), [.ext4], may: ["f=B8192", "f=08192"], never: ["f=A8192", "f=empty"]),
        Row(
            "in a folder that the last commit has under another name",
            empty.makeFolder("d").create("d/f").fill("d/f", "A", 0, 100).rename("d", to: "e").sync(
                "d/f"), [.btrfs], may: ["d/ d/f=A100", "e/ e/f=A100"],
            never: ["", "d/ e/ e/f=A100"]),
        // PostgreSQL, whose folder was made under another name, lost all that had been synced in it.
        Row(
            "a folder is renamed, and the one above it synced: what it holds comes along",
            empty.makeFolder("d").create("d/f").fill("d/f", "A", 0, 100).sync("d/f").syncFolder("d")
                .rename("d", to: "t").rename("t", to: "e").syncFolder(), [.btrfs],
            may: ["e/ e/f=A100"], never: ["e/", "d/ d/f=A100", "t/ t/f=A100"]),
        // What was in it stayed, without a folder to write it to, and the run ended with 70.
        Row(
            "a folder is moved to where nothing is recorded",
            empty.makeFolder("d").create("d/f").then(.remove(path: "d")).syncFolder(),
            [.ext4, .xfs, .btrfs, .posix], may: [""],
            never: ["d/f=empty", "d/", "d/ d/f=empty"]),
        // RocksDB renames a finished checkpoint, and then syncs it: what was made in it under the old
        // name was called uncertain, and so was the rename.
        Row(
            "a folder is synced under its new name: what was made in it before is there",
            empty.makeFolder("d").create("d/f").fill("d/f", "A", 0, 100).sync("d/f").rename(
                "d", to: "e"
            ).syncFolder("e").syncFolder(), [.posix], may: ["e/ e/f=A100"],
            never: ["e/", "d/ d/f=A100", ""]),
        Row(
            "a folder is exchanged with another, and then synced",
            empty.makeFolder("d").makeFolder("e").create("d/f").sync("d/f").then(
                .exchange("d", "e")
            ).syncFolder("e").syncFolder(), [.posix], may: ["d/ e/ e/f=empty"],
            never: ["d/ e/", "d/ d/f=empty e/"]),
        Row(
            "a folder's fsync commits its own rename on XFS",
            empty.makeFolder("d").create("d/f").rename("d", to: "e").syncFolder("e"), [.xfs],
            may: ["e/ e/f=empty"], never: ["d/ d/f=empty", "d/", ""]),
        Row(
            "a length over reserved blocks",
            short.then(.allocate(file: FileID(1), offset: 0, length: 16384, keepsSize: true)).fill(
                "f", "B", 100, 8192), [.btrfs], may: ["f=A100+B3996+04196", "f=A100+B8192"]),
        Row(
            "a folder's fsync commits everything on ext4",
            short.makeFolder("d").create("d/g").remove("f").syncFolder("d"), [.ext4],
            may: ["d/ d/g=empty"], never: ["d/ d/g=empty f=A100"]),
        Row(
            "a folder's fsync commits as far as its own change on XFS",
            short.makeFolder("d").create("d/g").remove("f").syncFolder("d"), [.xfs],
            may: ["d/ d/g=empty", "d/ d/g=empty f=A100"], never: ["d/ f=A100"]),
    ]

    @Test(arguments: lost + kept) func everyDiskLeavesWhatItsFileSystemDoes(_ row: Row) throws {
        for disk in row.disks {
            let states = try #require(try AllCrashStates.images(of: row.log.log, on: disk))
            let texts = Set(states.map(\.text))
            #expect(texts.isSuperset(of: row.may), "\(disk): \(texts.sorted())")
            #expect(texts.isDisjoint(with: row.never), "\(disk): \(texts.sorted())")
        }
    }

    /// Each of all states is drawn by some seed of a run.
    @Test(arguments: lost + kept) func seedsDrawAllOfTheseStates(_ row: Row) throws {
        // On the disk of POSIX a state of whole pages is rare among those of torn ones.
        for disk in row.disks where disk.hasJournal {
            let states = try #require(try AllCrashStates.images(of: row.log.log, on: disk))
            let all = Set(states.map(\.text))
            let drawn = try (UInt64(0)..<600).map {
                try CrashImage(of: row.log.log, on: disk, seed: $0).text
            }
            let missing = all.subtracting(drawn)
            #expect(missing.isEmpty, "\(disk): \(missing.sorted())")
        }
    }

    /// B7: what is written to a block that holds nothing yet is there as a whole block.
    @Test(arguments: [DiskModel.ext4, .xfs, .btrfs]) func aNewBlockIsNeverTorn(
        disk: DiskModel
    ) throws {
        let hole = Self.short.then(.truncate(file: FileID(1), length: 12288)).then(.syncAll)
        let reserved = hole.then(
            .allocate(file: FileID(1), offset: 4096, length: 8192, keepsSize: true))
        for log in [hole, reserved] {
            let written = log.fill("f", "B", 4096, 4096).log
            let seen = try Set(
                (UInt64(0)..<400).map { try CrashImage(of: written, on: disk, seed: $0).text })
            #expect(seen == ["f=A100+012188", "f=A100+03996+B4096+04096"])
        }
        // A block that is there is torn, unless new data goes to a new one.
        let over = Self.old.fill("f", "B", 0, 4096).log
        let seen = try Set(
            (UInt64(0)..<400).map { try CrashImage(of: over, on: disk, seed: $0).text })
        #expect((seen.count > 2) == (disk != .btrfs))
    }

    @Test func everyAnswerIsGivenOnce() {
        var seen: [[Int]] = []
        let isAll = Choices.inEveryWay(most: 100) { choices in
            let first = choices.pick(3)
            seen.append([first] + (first == 1 ? [choices.pick(2), choices.coin() ? 1 : 0] : []))
        }
        #expect(isAll)
        #expect(seen == [[0], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1], [2]])
        #expect(!Choices.inEveryWay(most: 2) { _ = $0.pick(3) })
    }
}

extension LogByHand {
    /// A file of one letter that was there before, synced.
    func fileOf(_ path: String, _ letter: Character, _ count: Int) -> Self {
        existing(path, bytes: [UInt8](repeating: letter.asciiValue ?? 0, count: count))
    }

    /// A letter written over a range.
    func fill(_ path: String, _ letter: Character, _ offset: Int64, _ count: Int) -> Self {
        bytes(path, [UInt8](repeating: letter.asciiValue ?? 0, count: count), at: offset)
    }

    func fsync(_ path: String) -> Self { then(.syncFile(file: file(path), dataOnly: false)) }
    func rename(_ from: String, to: String) -> Self { then(.rename(from: from, to: to)) }
    func makeFolder(_ path: String) -> Self { then(.makeDirectory(path: path)) }
    func remove(_ path: String) -> Self { then(.remove(path: path)) }
}
