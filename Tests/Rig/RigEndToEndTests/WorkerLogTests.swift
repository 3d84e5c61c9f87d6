import Foundation
import RigModel
import TestSupport
import Testing

/// What the evidence of a failed kill has of the worker's log.
@Suite struct WorkerLogTests {
    private let place = Workplace()

    /// It keeps everything in memory, so that its kill loses more than it promises.
    private static let program = """
        import os, sys, urllib.request
        print("level", os.environ.get("LEVEL"), sys.argv[3:], flush=True)
        answer = urllib.request.urlopen(sys.argv[1])
        data = b""
        while piece := answer.read(65536):
            data += piece
            print("received", len(data), flush=True)
        open(sys.argv[2], "wb").write(data)
        print("complete", flush=True)
        """

    @Test(arguments: [
        ("log: {LEVEL: debug}", "level debug []"), ("log: [--debug]", "level None ['--debug']"),
    ])
    func aFailedKillHasTheLinesOfTheLaunchThatItEnded(log: String, first: String) async throws {
        let command = try String(
            decoding: JSONSerialization.data(
                withJSONObject: ["python3", "-c", Self.program, "{url}", "{output}"]),
            as: UTF8.self)
        try "name: logger\ncommand: \(command)\nbound: {sigkill: 1000}\n\(log)\n".save(
            as: "logger.yml", in: place)
        try await place.killTest(
            "--worker", "./logger.yml", "--iterations", "1", "--trigger", "bytes", "--at",
            "2000000", "--video-size", "3MB", "--kills", "1", exits: 99)
        func lines(_ name: String) throws -> [Substring] {
            try place.text("run/evidence/512KB-1-1/\(name)").split(separator: "\n")
        }
        let killed = try lines("launch-1.log")
        #expect(killed.first == Substring(first))
        #expect(killed.last?.hasPrefix("received ") == true)
        #expect(!killed.contains("complete"))
        let all = try lines("worker.log")
        #expect(all.starts(with: killed))
        #expect(all.count { $0 == Substring(first) } == 2, "the relaunch logs as well")
        #expect(all.last == "complete")
    }

    /// `worker.log` of a failed kill used to have one line.
    @Test func theDownloaderLogsWhereItIsAskedTo() async throws {
        try await place.killTest(
            "--iterations", "1", "--trigger", "bytes", "--at", "2000000",
            environment: ["DOWNLOADER_LOG": "debug", "DOWNLOADER_PLANTED_BUG": "never-commit"],
            exits: 99)
        let log = try place.text("run/evidence/512KB-1-1/launch-1.log")
        #expect(log.split(separator: "\n").count >= 3, "\(log)")
        #expect(log.contains("fixture.mp4"))
        let manifest = try place.text("run/manifest.json")
        #expect(manifest.contains("DOWNLOADER_LOG"), "a replay sets it again")
    }
}
