import Foundation
import Glibc
import RigModel
import RigReport
import TestSupport
import Testing

/// However the rig ends, the rows so far are kept, and no worker is left.
@Suite struct InterruptionTests {
    private let place = Workplace()

    /// The processes with the mark of the run in `place`, except for its rig.
    private func workers(of place: Workplace) throws -> [pid_t] {
        let manifest = try place.manifest()
        let mark = Data("RIG_RUN=\(manifest.runID)".utf8)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init)
            .filter { process in
                let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
                return environment?.split(separator: 0).contains(mark) ?? false
            }
    }

    /// `JobsTests` interrupts by SIGINT, and kills the rig.
    @Test func aRunThatIsInterruptedKeepsItsRowsAndLeavesNoWorker() async throws {
        try await rig.end(
            [
                "kill-test", "--out", "run", "--iterations", "50", "--bandwidth", "20MB/s",
                "--trigger", "bytes",
            ], in: place, by: SIGTERM, exits: 130, once: "rows are there, and a worker is at work"
        ) { try ((try? place.rows()) ?? []).count >= 2 && !workers(of: place).isEmpty }
        #expect(try workers(of: place).isEmpty)
        let rows = try place.rows()
        #expect((2..<50).contains(rows.count))
        let summary = try place.text("run/summary.json")
        #expect(summary.contains("\"exit_code\": 130"))
        #expect(summary.contains("\"interrupted: \(rows.count) of 50 rows are there\""))
        try await rig("judge", "run", in: place, exits: 97)
    }

    /// Ctrl-C used to do nothing during a fetch of a video from a very slow origin.
    @Test func aFetchThatHangsCanBeInterrupted() async throws {
        let slow = Workplace()
        try await serving(["--video-size", "2MB", "--bandwidth", "1/s"], in: slow) { url in
            let outcome = try await rig.end(
                ["kill-test", "--out", "run", "--video", url], in: place, exits: 130,
                once: "the fetch has begun"
            ) { place.has("run") }
            outcome.complains("interrupted while the video was fetched")
            #expect(!place.has("run"))
        }
    }
}
