import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// What is left of a file whose sync has failed, after a sync that succeeds and a power cut: the
/// pages are clean then (Rebello et al., "Can Applications Recover from fsync Failures?", ATC
/// 2020).
@Suite struct FailedSyncTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let log: LogByHand
        let disk: DiskModel
        /// All that a power cut may leave.
        let left: Set<String>
        /// What a reader saw before it.
        let seen: String

        init(_ what: String, _ log: LogByHand, _ disk: DiskModel, _ left: [String], seen: String) {
            testDescription = "\(what): \(disk.rawValue)"
            (self.log, self.disk, self.left, self.seen) = (log, disk, Set(left), seen)
        }
    }

    private static let old = LogByHand().fileOf("f", "A", 8192)
    private static let short = LogByHand().fileOf("f", "A", 100)
    private static let over = old.fill("f", "B", 0, 4096)
    private static let longer = short.fill("f", "B", 100, 5000)
    private static let new = LogByHand().create("f").fill("f", "B", 0, 4096)

    static let rows = [
        Row("overwritten", over.fail(.seen), .ext4, ["f=A8192"], seen: "f=B4096+A4096"),
        Row("overwritten", over.fail(.seen), .xfs, ["f=A8192"], seen: "f=B4096+A4096"),
        Row("overwritten", over.fail(.reverted), .btrfs, ["f=A8192"], seen: "f=A8192"),
        Row("synced again", over.fail(.seen).sync("f"), .ext4, ["f=A8192"], seen: "f=B4096+A4096"),
        Row("synced again", over.fail(.seen).sync("f"), .xfs, ["f=A8192"], seen: "f=B4096+A4096"),
        Row("synced again", over.fail(.reverted).sync("f"), .btrfs, ["f=A8192"], seen: "f=A8192"),
        // The length is set when the writing begins, or when it is done.
        Row(
            "appended", longer.fail(.seen).sync("f"), .ext4, ["f=A100+05000"], seen: "f=A100+B5000"),
        Row("appended", longer.fail(.seen).sync("f"), .xfs, ["f=A100"], seen: "f=A100+B5000"),
        Row("appended", longer.fail(.reverted).sync("f"), .btrfs, ["f=A100"], seen: "f=A100"),
        Row("a new file", new.fail(.seen).sync("f"), .ext4, ["f=04096"], seen: "f=B4096"),
        Row("a new file", new.fail(.seen).sync("f"), .xfs, ["f=empty"], seen: "f=B4096"),
        Row("a new file", new.fail(.reverted).sync("f"), .btrfs, ["f=empty"], seen: "f=empty"),
        // A page that is written again is written as a whole, as it is in memory.
        Row(
            "its page written again", over.fail(.seen).fill("f", "C", 10, 1).sync("f"), .ext4,
            ["f=B10+C1+B4085+A4096"], seen: "f=B10+C1+B4085+A4096"),
        Row(
            "its page written again", over.fail(.reverted).fill("f", "C", 10, 1).sync("f"), .btrfs,
            ["f=A10+C1+A8181"], seen: "f=A10+C1+A8181"),
        Row(
            "another page written", over.fail(.seen).fill("f", "C", 4096, 4096).sync("f"), .ext4,
            ["f=A4096+C4096"], seen: "f=B4096+C4096"),
        Row(
            "cut off", old.fill("f", "B", 0, 8192).fail(.seen).truncate("f", to: 8).sync("f"), .xfs,
            ["f=A4096"], seen: "f=B4096"),
        // The sync of a part says nothing of the rest.
        Row(
            "a part", old.fill("f", "B", 0, 8192).fail(.seen, of: 0..<100).sync("f"), .ext4,
            ["f=A4096+B4096"], seen: "f=B8192"),
        // The journal has it until its place should have it.
        Row(
            "in the journal", over.fail(.journalled), .ext4, ["f=B4096+A4096"],
            seen: "f=B4096+A4096"),
        Row(
            "reported late", over.fail(.journalled).fill("f", "C", 4096, 4096).fail(.late), .ext4,
            ["f=A4096+C4096"], seen: "f=B4096+C4096"),
        Row(
            "reported late, its page written before",
            over.fail(.journalled).fill("f", "C", 0, 1).fail(.late), .ext4, ["f=C1+B4095+A4096"],
            seen: "f=C1+B4095+A4096"),
        Row(
            "reported late, its page written afterwards",
            over.fail(.journalled).fail(.late).fill("f", "C", 0, 1).sync("f"), .ext4,
            ["f=C1+B4095+A4096"], seen: "f=C1+B4095+A4096"),
        Row(
            "reported late, a new file", new.fail(.journalled).fail(.late), .ext4, ["f=04096"],
            seen: "f=B4096"),
    ]

    @Test(arguments: rows) func onlyWhatIsWrittenAgainIsThere(_ row: Row) throws {
        let states = try #require(try AllCrashStates.images(of: row.log.log, on: row.disk))
        #expect(Set(states.map(\.text)) == row.left)
        let replay = try StorageReplay(of: row.log.log, on: row.disk)
        let file = row.log.file("f")
        let seen = CrashImage(
            names: replay.names, contents: [file: try #require(replay.seen(of: file))],
            attributes: [:], folderAttributes: [:])
        #expect(seen.text == row.seen)
    }

    /// On a disk that promises nothing but syncs, it is lost as well.
    @Test(arguments: [DiskModel.posix, .garbage]) func noDiskGetsIt(disk: DiskModel) throws {
        let log = Self.over.fail(.seen).then(.syncAll).log
        for seed in UInt64(0)..<50 {
            #expect(try CrashImage(of: log, on: disk, seed: seed).text == "f=A8192")
        }
    }

    /// A call that had not returned has told nothing.
    @Test func aSyncUnderWayHasNotFailed() throws {
        let log = Self.over.fail(.seen).inFlight().log
        let states = try #require(try AllCrashStates.images(of: log, on: .ext4))
        #expect(Set(states.map(\.text)) == ["f=A8192", "f=B4096+A4096"])
    }

    @Test func whatIsNotSyncedIsKnownByItsParts() throws {
        let log = Self.old.fill("f", "B", 0, 100).fill("f", "C", 50, 100).fill("f", "D", 5000, 10)
        let replay = try StorageReplay(of: log.log, on: .btrfs)
        let file = log.file("f")
        #expect(replay.unsynced(of: file, in: 0..<Int64.max) == [0..<50, 50..<150, 5000..<5010])
        #expect(replay.unsynced(of: file, in: 4096..<8192) == [5000..<5010])
        let synced = try StorageReplay(of: log.sync("f").log, on: .btrfs)
        #expect(synced.unsynced(of: file, in: 0..<Int64.max).isEmpty)
    }
}

extension LogByHand {
    /// A sync of the file `f` that fails.
    fileprivate func fail(_ failure: FailedSync, of range: Range<Int64> = 0..<Int64.max) -> Self {
        then(
            .syncFailed(
                file: file("f"), offset: range.lowerBound,
                length: range.upperBound == .max ? .max : range.upperBound - range.lowerBound,
                failure))
    }
}
