import Foundation
import RigModel
import TestSupport
import Testing

/// `--workload offline-library`: real refreshes of a list and its images, really killed.
@Suite struct WorkloadLibraryTests {
    private let place = Workplace()

    private let plan = LibraryPlan(largest: 512 << 10)

    @Test func killsLeaveTheOldListOrTheNewOneAndWholeImages() async throws {
        let iterations = Nightly.rounds(20, nightly: 100)
        try await place.killTest(
            "--workload", "offline-library", "--iterations", "\(iterations)", "--seed", "71",
            exits: 0)
        let rows = try place.rows(iterations)
        rows.all { $0.verdict != .fail && $0.workload == "offline-library" }
        // As the gate of every run has it; of twenty kills, two may prove nothing.
        let passed = rows.filter { $0.verdict == .pass }
        #expect(
            passed.count * 10 >= iterations * 9,
            "\(rows.filter { $0.verdict != .pass }.map(\.reason))")
        // Only what is in flight at the kill is lost.
        #expect(passed.contains { ($0.lostBytes ?? 0) > 0 })
        #expect(passed.allSatisfy { ($0.lostBytes ?? .max) <= 512 << 10 })
    }

    @Test func aPlannedByteIsCountedOverTheListAndItsImages() async throws {
        try await place.killTest(
            "--workload", "offline-library", "--iterations", "10", "--seed", "72", "--trigger",
            "bytes", "--thresholds", "256KB", exits: 0)
        let rows = try place.rows()
        let exact = rows.count { $0.receivedBytes.map(String.init) == $0.planned }
        #expect(exact >= 9)
    }

    /// `harness/ci/self-check` kills right after the last byte of the second list, and of the
    /// largest image, where the documents' own designs lose a list and tear an image.
    @Test func theSelfCheckKillsWhereTheDocumentsDesignsBreak() throws {
        let secondList =
            2 * LibraryPlan.listBytes
            + plan.images(1).map { plan.imageBytes[$0] }.reduce(0, +)
        let images = plan.list(1).compactMap(\.image).prefix(2)
        #expect(images.last.map { plan.imageBytes[$0] } == 512 << 10)
        let greatest = LibraryPlan.listBytes + images.map { plan.imageBytes[$0] }.reduce(0, +)
        let planted = try #require(try Programs.worker().plantedBugs).bugs
        for (name, position) in [("delete-then-insert", secondList), ("image-in-place", greatest)] {
            let bug = try #require(planted.first { $0.name == name })
            #expect(bug.options.last == "\(position)")
        }
    }
}
