import Foundation
import RigModel
import Testing

extension EndToEndTests {
    /// The folder in which a worker is started.
    @Suite struct WorkingFolderTests {
        private static let some = [
            "--iterations", "1", "--video-size", "1MB", "--bandwidth", "8MB/s", "--seed", "7",
            "--trigger", "bytes",
        ]

        /// A worker whose script is named by a relative path could be replayed only in the folder
        /// of its run.
        @Test(arguments: ["", "cwd: tools\n"])
        func aRelativeScriptIsReplayedFromElsewhere(folder: String) async throws {
            let place = try Workplace()
            let tools = place.url.appendingPathComponent("tools")
            try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "\(OwnWorker.repository)/harness/examples/downloader.py",
                toPath: tools.appendingPathComponent("get.py").path)
            let script = folder.isEmpty ? "tools/get.py" : "get.py"
            try """
            name: mine
            command: [python3, \(script), "{url}", "{dir}", "{output}"]
            \(folder)
            """.write(toFile: place.path("mine.yml"), atomically: true, encoding: .utf8)
            let run = try await place.killTest(Self.some + ["--worker", "./mine.yml"])
            #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
            let elsewhere = try Workplace()
            let replay = try await rig(
                ["replay", place.path("run"), "--iteration", "1", "--times", "1"], in: elsewhere)
            #expect(replay.exitCode == 0, "\(replay.output)\(replay.complaint)")
        }

        /// A run folder of one letter crashed the rig: Foundation cannot tell the folder of a path
        /// that is one character.
        @Test func namesMayBeOneLetter() async throws {
            let place = try Workplace()
            let run = try await rig(["kill-test", "--out", "r"] + Self.some, in: place)
            #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
            let judged = try await rig(["judge", "r"], in: place)
            #expect(judged.exitCode == 0, "\(judged.output)\(judged.complaint)")
        }

        /// Many programs write into the folder in which they are started.
        @Test func aProgramMayBeStartedInItsState() async throws {
            let place = try Workplace()
            try """
            name: mine
            command: [sh, -c, 'curl -q -sS -N -C - -o part "$0" && mv part "$1"', "{url}", "{output}"]
            cwd: "{dir}"
            """.write(toFile: place.path("mine.yml"), atomically: true, encoding: .utf8)
            let run = try await place.killTest(Self.some + ["--worker", "./mine.yml"])
            #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
            #expect(try place.rows().allSatisfy { ($0.recoveredBytes ?? 0) > 0 })
        }
    }
}
