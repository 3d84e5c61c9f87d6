import Foundation
import RigModel
import Testing
import TestSupport

/// `harness/examples/videos`, an app that uses the cache in tasks, as a worker.
@Suite struct ExampleAppTests {
    private let place = Workplace()

    /// Built beside the tests, from the sources of the example's own package.
    private static let program = BuiltPrograms.path("videos")

    /// The profile of the example, with the program where it was built.
    private func profile() throws -> String {
        let text = try Checkout.text(of: "harness/examples/videos/worker.yml")
        let built = "harness/examples/videos/.build/release/videos"
        #expect(text.contains(built))
        try text.replacing(built, with: Self.program).save(as: "worker.yml", in: place)
        return "./worker.yml"
    }

    @Test func anAppThatIsKilledLosesAtMostAThreshold() async throws {
        try await place.killTest(
            "--worker", try profile(), "--video-size", "4MB", "--seed", "91",
            "--iterations", "6", "--trigger", "bytes", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict != .fail }
        let passed = rows.filter { $0.verdict == .pass }
        #expect(passed.allSatisfy { $0.boundOK == true }, "\(rows.map(\.boundOK))")
        // What it saved was read from a copy of its folder.
        #expect(passed.contains { ($0.recoveredBytes ?? 0) > 1 << 20 })
    }

    /// Its proxy, and with it the cache's tasks, under a player that reads and seeks.
    @Test(arguments: Nightly.cases(["playback", "switching"], usual: 1))
    func whatAPlayerHasCausedToBeSavedSurvives(workload: String) async throws {
        try await place.killTest(
            "--worker", try profile(), "--workload", workload, "--video-size", "4MB",
            "--seed", "92", "--iterations", "8", "--trigger", "bytes", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict != .fail }
        // The app keeps the witness page: what it called safe is judged, too.
        rows.all { ($0.acknowledgedBytes ?? -1) >= 0 }
        #expect(rows.contains { ($0.recoveredBytes ?? 0) > 0 })
    }

    /// Held in each phase by the page, it is killed there.
    @Test func itIsKilledInThePhaseThatItSaysItIsIn() async throws {
        try await place.killTest(
            "--worker", try profile(), "--video-size", "4MB", "--seed", "93",
            "--trigger", "phase", "--stratify", "--iterations", "9", exits: 0)
        let phases = try place.rows().filter { $0.verdict == .pass }.map(\.phase)
        #expect(Set(phases).count >= 5, "\(phases)")
    }

    @Test func itSaysHowItIsUsed() async throws {
        try await Programs.run(
            Self.program, ["fetch"], in: place.url, exits: 64, complains: "videos fetch URL FOLDER")
    }
}
