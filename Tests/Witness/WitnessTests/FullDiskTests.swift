import Foundation
import Glibc
import TestSupport
import Testing
@testable import Witness

/// A page on a disk without room is refused.
@Suite(.enabled(if: geteuid() == 0, "mounting a small disk needs root")) struct FullDiskTests {
    /// The rig died of SIGBUS when the disk below its results filled up.
    ///
    /// The page was a file with holes: its first access found no room for the block. Without a
    /// death the run ends with 70, and `rig resume` goes on with it.
    @Test func aPageWithoutRoomIsRefused() throws {
        let disk = FileManager.default.temporaryDirectory
            .appendingPathComponent("witness-disk-\(UUID())").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        let mounted = try Tool.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk])
        try #require(mounted.status == 0, "\(mounted.words)")
        defer { _ = try? Tool.run(["umount", disk]) }
        #expect(throws: WitnessError.self) { try WitnessWriter(path: "\(disk)/page") }
    }
}
