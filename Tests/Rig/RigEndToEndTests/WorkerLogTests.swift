import Foundation
import RigModel
import TestSupport
import Testing

extension EndToEndTests {
    /// What the evidence of a failed kill has of the worker's log.
    @Suite struct WorkerLogTests {
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
            let place = try Workplace()
            let command = try String(
                decoding: JSONSerialization.data(
                    withJSONObject: ["python3", "-c", Self.program, "{url}", "{output}"]),
                as: UTF8.self)
            try "name: logger\ncommand: \(command)\nbound: {sigkill: 1000}\n\(log)\n".write(
                toFile: place.path("logger.yml"), atomically: true, encoding: .utf8)
            let outcome = try await place.killTest([
                "--worker", "./logger.yml", "--iterations", "1", "--trigger", "bytes",
                "--at", "2000000", "--video-size", "3MB", "--kills", "1",
            ])
            #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
            func lines(_ name: String) throws -> [Substring] {
                try String(
                    contentsOfFile: place.path("run/evidence/512KB-1-1/\(name)"), encoding: .utf8
                ).split(separator: "\n")
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
            let place = try Workplace()
            let outcome = try await place.killTest(
                ["--iterations", "1", "--trigger", "bytes", "--at", "2000000"],
                environment: [
                    "DOWNLOADER_LOG": "debug", "DOWNLOADER_PLANTED_BUG": "never-commit",
                ])
            #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
            let log = try String(
                contentsOfFile: place.path("run/evidence/512KB-1-1/launch-1.log"), encoding: .utf8)
            #expect(log.split(separator: "\n").count >= 3, "\(log)")
            #expect(log.contains("fixture.mp4"))
            let manifest = try String(
                contentsOfFile: place.path("run/manifest.json"), encoding: .utf8)
            #expect(manifest.contains("DOWNLOADER_LOG"), "a replay sets it again")
        }
    }
}
