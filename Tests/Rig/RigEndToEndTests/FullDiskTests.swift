import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

extension EndToEndTests {
    /// The disk below the results is the rig's, so a full one proves nothing about the worker.
    ///
    /// On a disk of 6 MB nine rows said "relaunched worker ended with exit code 74: no room
    /// left", and the run was a failure for good.
    @Suite(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
    struct FullDiskTests {
        private static let options = ["--iterations", "8", "--video-size", "2MB", "--seed", "3"]

        private func mount(_ arguments: [String], in place: Workplace) async throws {
            let outcome = try await Programs.run("/bin/mount", arguments, in: place.url)
            #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        }

        /// Mounts a disk at `run`, the results' folder, for the test.
        private func withDisk(
            _ size: String, _ test: (Workplace) async throws -> Void
        ) async throws {
            let place = try Workplace()
            let disk = place.path("run")
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            try await mount(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", disk], in: place)
            let result: Result<Void, any Error>
            do {
                result = .success(try await test(place))
            } catch {
                result = .failure(error)
            }
            let gone = try await Programs.run("/bin/umount", [disk], in: place.url)
            #expect(gone.exitCode == 0, "\(gone.complaint)")
            try result.get()
        }

        private func expectToGoOn(in place: Workplace) async throws {
            let resumed = try await rig(["resume", "run"], in: place)
            #expect(resumed.exitCode == 0, "\(resumed.output)\(resumed.complaint)")
            let rows = try place.rows()
            #expect(rows.count == 8 && rows.allSatisfy { $0.verdict != .fail }, "\(rows)")
        }

        @Test func aDiskWithoutRoomIsSaidBeforeTheFirstLife() async throws {
            try await withDisk("6m") { place in
                let outcome = try await place.killTest(Self.options)
                #expect(outcome.exitCode == RigModel.ExitStatus.failure.rawValue)
                #expect(outcome.complaint.contains("MB free, and what"), "\(outcome.complaint)")
                #expect(outcome.complaint.contains("rig resume"), "\(outcome.complaint)")
                try await mount(["-o", "remount,size=64m", place.path("run")], in: place)
                try await expectToGoOn(in: place)
            }
        }

        /// The worker could make no file, and was to be made to work on its own.
        @Test func aDiskWithoutInodesIsSaidAsWell() async throws {
            try await withDisk("64m,nr_inodes=40") { place in
                let outcome = try await place.killTest(Self.options)
                #expect(outcome.exitCode == RigModel.ExitStatus.failure.rawValue)
                #expect(outcome.complaint.contains("more files (inodes)"), "\(outcome.complaint)")
            }
        }

        /// The advice was to use a file system with shared mappings.
        @Test func aReplayWithoutRoomSaysSo() async throws {
            try await withDisk("64m") { place in
                let run = try await place.killTest(Self.options)
                #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
                let filled = try await Programs.run(
                    "/bin/sh", ["-c", "cat /dev/zero >run/filler"], in: place.url)
                #expect(filled.exitCode == 1)
                let replay = try await rig(
                    ["replay", "run", "--iteration", "1", "--times", "1"], in: place)
                #expect(replay.exitCode == RigModel.ExitStatus.failure.rawValue)
                #expect(replay.complaint.contains("free some space"), "\(replay.complaint)")
            }
        }

        /// The check of a worker blamed it (99), and the audit ended with an empty message.
        @Test(arguments: [
            ["workers", "check", "curl"], ["audit", "--", "curl", "-o", "{output}", "{url}"],
        ])
        func noTrialBlamesAProgramForThat(words: [String]) async throws {
            try await withDisk("1m") { place in
                let run = place.url.appendingPathComponent("run")
                _ = try await Programs.run(
                    "/bin/sh", ["-c", "cat /dev/zero >run/filler"], in: place.url)
                let outcome = try await Programs.run(
                    "/usr/bin/env", ["--chdir=\(run.path)", Programs.rig] + words, in: place.url)
                #expect(outcome.exitCode == RigModel.ExitStatus.failure.rawValue)
                #expect(outcome.complaint.contains(" room"), "\(outcome.complaint)")
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
                let outcome = try await place.killTest(Self.options + ["--worker", worker])
                #expect(outcome.exitCode == RigModel.ExitStatus.failure.rawValue)
                #expect(outcome.complaint.contains("rig resume"), "\(outcome.complaint)")
                let rows = try place.rows()
                #expect(rows.count > 1 && rows.allSatisfy { $0.verdict != .fail }, "\(rows)")
                for name in ["fills", "run/filler"] {
                    try FileManager.default.removeItem(atPath: place.path(name))
                }
                try await expectToGoOn(in: place)
            }
        }
    }
}
