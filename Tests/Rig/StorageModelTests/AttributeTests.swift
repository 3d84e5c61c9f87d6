import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// Modes, owners, times and extended attributes after a power cut (B6).
///
/// They were not recorded: after each cut files had mode 644, the present time and no extended
/// attributes, so executables did not start, keys were readable for all, and everything was fetched
/// again.
@Suite struct AttributeTests {
    private static let before = LogByHand().existing("f", bytes: [65])
    private static let all = DiskModel.allCases

    private static func set(_ attributes: FileAttributes, in log: LogByHand = before) -> LogByHand {
        log.then(.attributes(file: log.file("f"), attributes, isInitial: false))
    }

    private static let mode = set(FileAttributes(mode: 0o600))
    private static let time = set(
        FileAttributes(mode: 0o644, modified: FileAttributes.Time(seconds: 1000)))
    private static let tag = set(FileAttributes(mode: 0o644, extended: ["user.tag": [88]]))

    /// A log, the disks, and all states of the file that the cut can leave.
    private static let rows: [(log: LogByHand, disks: [DiskModel], states: Set<String>)] = [
        (mode, all, ["f=A1", "f=A1{600}"]), (mode.fsync("f"), all, ["f=A1{600}"]),
        (time.fsync("f"), all, ["f=A1{t1000}"]), (tag.fsync("f"), all, ["f=A1{user.tag=X}"]),
        // fdatasync leaves them to the journal, XFS only the times; btrfs writes the whole inode.
        (mode.sync("f"), [.ext4, .posix], ["f=A1", "f=A1{600}"]),
        (mode.sync("f"), [.xfs, .btrfs], ["f=A1{600}"]),
        (tag.sync("f"), [.xfs, .btrfs], ["f=A1{user.tag=X}"]),
        (time.sync("f"), [.ext4, .xfs, .posix], ["f=A1", "f=A1{t1000}"]),
        (time.sync("f"), [.btrfs], ["f=A1{t1000}"]),
        // Another file's fsync commits what came before that file's own last change.
        (mode.create("g").fsync("g"), [.ext4, .xfs], ["f=A1{600} g=empty"]),
        (mode.syncFolder(), [.ext4], ["f=A1{600}"]),
        (mode.syncFolder(), [.xfs, .btrfs, .posix], ["f=A1", "f=A1{600}"]),
        (mode.then(.syncAll), all, ["f=A1{600}"]),
        // A file has those of its creation since it is there.
        (
            LogByHand().create("f").then(
                .attributes(file: FileID(1), FileAttributes(mode: 0o600), isInitial: true)),
            [.ext4, .xfs, .btrfs], ["", "f=empty{600}"]
        ),
        // A time that was set is gone once the file is written again.
        (time.bytes("f", [66], at: 0).fsync("f"), all, ["f=B1"]),
        (
            LogByHand().makeFolder("d").then(
                .folderAttributes(path: "d", FileAttributes(mode: 0o700))
            ).rename("d", to: "e"), [.ext4], ["", "d/{700}", "e/{700}"]
        ),
    ]

    @Test(arguments: rows.indices) func whatACutLeaves(_ index: Int) throws {
        let row = Self.rows[index]
        for disk in row.disks {
            let states = try #require(try AllCrashStates.images(of: row.log.log, on: disk))
            #expect(Set(states.map(\.text)) == row.states, "\(index) on \(disk)")
        }
    }
}
