import Foundation
import RigModel
import Testing

/// The folder in which a worker is started.
@Suite struct WorkingFolderTests {
    private let place = Workplace()

    private static let some = [
        "--iterations", "1", "--video-size", "1MB", "--bandwidth", "8MB/s", "--seed", "7",
        "--trigger", "bytes",
    ]

    /// A worker whose script is named by a relative path could be replayed only in the folder
    /// of its run.
    @Test(arguments: ["", "cwd: tools\n"])
    func aRelativeScriptIsReplayedFromElsewhere(folder: String) async throws {
        try place.makeFolder("tools")
        try FileManager.default.copyItem(
            atPath: "\(OwnWorker.repository)/harness/examples/downloader.py",
            toPath: place.path("tools/get.py"))
        let script = folder.isEmpty ? "tools/get.py" : "get.py"
        try """
        name: mine
        command: [python3, \(script), "{url}", "{dir}", "{output}"]
        \(folder)
        """.save(as: "mine.yml", in: place)
        try await place.killTest(Self.some, "--worker", "./mine.yml", exits: 0)
        let elsewhere = Workplace()
        try await rig(
            "replay", place.path("run"), "--iteration", "1", "--times", "1", in: elsewhere,
            exits: 0)
    }

    /// A run folder of one letter crashed the rig: Foundation cannot tell the folder of a path
    /// that is one character.
    @Test func namesMayBeOneLetter() async throws {
        try await rig(["kill-test", "--out", "r"] + Self.some, in: place, exits: 0)
        try await rig("judge", "r", in: place, exits: 0)
    }

    /// Many programs write into the folder in which they are started.
    @Test func aProgramMayBeStartedInItsState() async throws {
        try """
        name: mine
        command: [sh, -c, 'curl -q -sS -N -C - -o part "$0" && mv part "$1"', "{url}", "{output}"]
        cwd: "{dir}"
        """.save(as: "mine.yml", in: place)
        try await place.killTest(Self.some, "--worker", "./mine.yml", exits: 0)
        #expect(try place.rows().allSatisfy { ($0.recoveredBytes ?? 0) > 0 })
    }
}
