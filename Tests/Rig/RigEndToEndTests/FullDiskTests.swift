import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

/// The disk below the results is the rig's, so a full one proves nothing about the worker.
///
/// On a disk of 6 MB nine rows said "relaunched worker ended with exit code 74: no room
/// left", and the run was a failure for good.
@Suite(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
struct FullDiskTests {
    private static let options = [
        "--iterations", "8", "--video-size", "2MB", "--trigger", "bytes", "--seed", "3",
    ]

    /// Mounts a disk at `run`, the results' folder, for the test.
    private func withDisk(_ size: String, _ test: (Workplace) async throws -> Void) async throws {
        let place = Workplace()
        try await place.withDisk("size=\(size)", at: "run") { try await test(place) }
    }

    private func expectToGoOn(in place: Workplace) async throws {
        try await rig("resume", "run", in: place, exits: 0)
        let rows = try place.rows()
        #expect(rows.count == 8 && rows.allSatisfy { $0.verdict != .fail }, "\(rows)")
    }

    @Test func aDiskWithoutRoomIsSaidBeforeTheFirstLife() async throws {
        try await withDisk("6m") { place in
            try await place.killTest(
                Self.options, exits: RigModel.ExitStatus.failure.rawValue
            ).complains("MB free, and what").complains("rig resume")
            try await place.mount("-o", "remount,size=64m", place.path("run"))
            try await expectToGoOn(in: place)
        }
    }

    /// The worker could make no file, and was to be made to work on its own.
    @Test func aDiskWithoutInodesIsSaidAsWell() async throws {
        try await withDisk("64m,nr_inodes=40") { place in
            try await place.killTest(
                Self.options, exits: RigModel.ExitStatus.failure.rawValue,
                complains: "more files (inodes)")
        }
    }

    /// The advice was to use a file system with shared mappings.
    @Test func aReplayWithoutRoomSaysSo() async throws {
        try await withDisk("64m") { place in
            try await place.killTest(Self.options, exits: 0)
            try await Programs.run(
                "/bin/sh", ["-c", "cat /dev/zero >run/filler"], in: place.url, exits: 1)
            try await rig(
                "replay", "run", "--iteration", "1", "--times", "1", in: place,
                exits: RigModel.ExitStatus.failure.rawValue, complains: "free some space")
        }
    }

    /// The check of a worker blamed it (99), and the audit ended with an empty message.
    @Test(arguments: [
        ["workers", "check", "curl"], ["audit", "--", "curl", "-o", "{output}", "{url}"],
    ])
    func noTrialBlamesAProgramForThat(words: [String]) async throws {
        try await withDisk("1m") { place in
            let run = place.url.appendingPathComponent("run")
            try await Programs.run("/bin/sh", ["-c", "cat /dev/zero >run/filler"], in: place.url)
            try await Programs.run(
                "/usr/bin/env", ["--chdir=\(run.path)", Programs.rig] + words, in: place.url,
                exits: RigModel.ExitStatus.failure.rawValue, complains: " room")
        }
    }

    /// Fills the disk once two rows are there, and then downloads.
    ///
    /// The worker fills it, because the test once came too late: on a busy machine all
    /// eight iterations were over before the test had seen the second row.
    private static func fillingDownloader(in place: Workplace) -> String {
        """
        if [ -e '\(place.path("fills"))' ] &&
            [ "$(wc -l <'\(place.path("run/iterations.csv"))')" -gt 2 ]
        then dd if=/dev/zero bs=64k of='\(place.path("run/filler"))' 2>/dev/null
        fi
        '\(Programs.downloader)' fetch --url "$1" --cache "$2" &&
            exec '\(Programs.downloader)' export --url "$1" --cache "$2" --output "$3"
        """
    }

    @Test func aDiskThatFillsUpMeanwhileMakesNoRow() async throws {
        try await withDisk("64m") { place in
            let worker = try place.profile(
                ["/bin/sh", "-c", Self.fillingDownloader(in: place), "sh"]
                    + ["{url}", "{dir}", "{output}"])
            _ = FileManager.default.createFile(atPath: place.path("fills"), contents: nil)
            try await place.killTest(
                Self.options, "--worker", worker, exits: RigModel.ExitStatus.failure.rawValue,
                complains: "rig resume")
            let rows = try place.rows()
            #expect(rows.count > 1 && rows.allSatisfy { $0.verdict != .fail }, "\(rows)")
            for name in ["fills", "run/filler"] { try place.remove(name) }
            try await expectToGoOn(in: place)
        }
    }
}
