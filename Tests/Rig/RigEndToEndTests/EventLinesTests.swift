import Foundation
import RigModel
import RigReport
import Testing
import TestSupport

/// The output of a run for other programs, during the run and at its end.
@Suite struct EventLinesTests {
    private let place = Workplace()

    private func events(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    @Test func everyKillIsALineAndTheSummaryIsTheLast() async throws {
        let outcome = try await place.killTest(
            "--iterations", "4", "--seed", "71", "--thresholds", "512KB,disabled",
            "--video-size", "1MB", "--trigger", "bytes", "--json", "--quiet", exits: 0)
        #expect(outcome.complaint.isEmpty)
        let events = try events(outcome.output)
        let names = events.compactMap { $0["event"] as? String }
        #expect(names.first == "run" && names.last == "summary")
        #expect(names.suffix(3).dropLast() == ["gate", "gate"])
        let rows = events.filter { $0["event"] as? String == "row" }
        let written = try place.rows()
        #expect(rows.count == 8)
        #expect(rows.map { $0["iteration"] as? Int } == written.map(\.iteration))
        #expect(rows.map { $0["policy"] as? String } == written.map(\.policy))
        #expect(rows.map { $0["lost_bytes"] as? Int64 } == written.map(\.lostBytes))
        let progress = events.filter { $0["event"] as? String == "progress" }
        #expect(progress.last?["done"] as? Int == 8)
        let times = progress.dropLast().compactMap { $0["elapsed_seconds"] as? Double }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.99 })
    }

    /// A reader gets each line when its row is written, not at the end of the run.
    @Test func linesComeWhileTheRunGoesOn() async throws {
        let outcome = try await rig.end(
            [
                "kill-test", "--out", "run", "--iterations", "5000", "--trigger", "bytes", "--seed",
                "72", "--json",
            ], in: place, exits: 130, once: "a row is printed"
        ) { try place.printed().contains("{\"event\":\"row\"") }
        let last = try #require(try events(outcome.output).last)
        #expect(last["event"] as? String == "summary")
        #expect(last["result"] as? String == "interrupted")
    }

    /// Two runs of one job share its page, and their printed output is unchanged.
    @Test func aWorkflowHasAnnotationsAndAPage() async throws {
        let page = place.url.appendingPathComponent("page.md")
        try Data("before\n".utf8).write(to: page)
        let workflow = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": page.path]
        let outcome = try await place.killTest(
            "--iterations", "4", "--seed", "74", "--video-size", "1MB", "--trigger", "bytes",
            "--max-loss-percent", "0.001", "--json", "--quiet", environment: workflow, exits: 99
        )
        #expect(try events(outcome.output).last?["event"] as? String == "summary")
        let commands = outcome.complaint.split(separator: "\n")
        #expect(commands.count == 1)
        #expect(
            commands[0].hasPrefix("::error title=Gate failed::loss_percent <= 0.001 [512KB]: is "))
        let judged = try await rig(
            "judge", "run", "--gate", "violations == 0", in: place, environment: workflow, exits: 0)
        #expect(!judged.complaint.contains("::error"))
        let text = try place.text("page.md")
        #expect(text.hasPrefix("before\n## Kill test: fail (exit 99)\n"))
        #expect(text.contains("\n## Kill test: pass (exit 0)\n"))
    }

    /// A full page takes no more text, and the verdict is unchanged.
    @Test func aPageWithoutRoomCostsNothing() async throws {
        let page = place.url.appendingPathComponent("page.md")
        try Data(repeating: UInt8(ascii: "x"), count: (1 << 20) - 400).write(to: page)
        try await place.killTest(
            "--iterations", "1", "--trigger", "bytes", "--seed", "75", "--video-size", "1MB",
            environment: ["GITHUB_STEP_SUMMARY": page.path], exits: 0)
        let size = try Data(contentsOf: page).count
        #expect(size <= 1 << 20 && size > (1 << 20) - 400)
        try await rig(
            "judge", "run", in: place,
            environment: ["GITHUB_STEP_SUMMARY": place.path("no/such/file")], exits: 0,
            complains: "cannot add to the job's summary")
    }
}
