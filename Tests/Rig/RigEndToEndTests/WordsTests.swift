import Foundation
import RigModel
import RigReport
import TestSupport
import Testing

/// What a run says of a program that is seen from outside, in the words of its conclusion.
@Suite struct WordsTests {
    private let place = Workplace()

    /// Loses everything at each kill, and changes files by half a dozen calls.
    private static let startsOver = [
        "--video-size", "4MB", "--", "/bin/sh", "-c",
        "curl -q -sS \"$0\" | dd of=\"$1.part\" bs=1M iflag=fullblock status=none"
            + " && mv \"$1.part\" \"$1\"", "{url}", "{output}",
    ]

    @Test func aProgramOfFewCallsThatStartsOver() async throws {
        let outcome = try await place.killTest(
            ["--iterations", "4", "--seed", "1"] + Self.startsOver, exits: 0)
        let words = outcome.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("starts over after every kill"), "\(outcome.output)")
        #expect(words.contains("seen from outside only"), "\(outcome.output)")
        let advice = try #require(
            words.firstMatch(
                of: /by ([0-9]+) calls → --trigger syscall --exhaustive: ([0-9]+) kills/),
            "\(outcome.output)")
        let calls = try #require(Int(advice.output.1))
        #expect((4...16).contains(calls))
        #expect(Int(advice.output.2) == 2 * calls)
        // The advice is true.
        try place.remove("run")
        try await place.killTest(
            ["--trigger", "syscall", "--exhaustive"] + Self.startsOver, exits: 0)
        #expect(try abs(place.rows().count - 2 * calls) <= 4)
    }

    /// Nearly every kill shows the same mistake, and the state is as large as the video.
    @Test func theStatesOfTheFirstKillsAreKept() async throws {
        let outcome = try await place.killTest(
            "--iterations", "10", "--video-size", "4MB", "--seed", "1", "--",
            Checkout.path("harness/examples/mistakes/preallocated.py"), "{url}", "{output}",
            "{dir}", exits: 99)
        let failed = try place.rows().filter { $0.verdict == .fail }
        let kinds = Dictionary(grouping: failed) { ReasonKind.of($0.reason) }
        #expect(kinds.contains { $0.value.count > 3 }, "\(failed.map(\.reason))")
        func isThere(_ path: String) -> Bool { place.has("run/\(path)") }
        for (kind, rows) in kinds {
            let folders = rows.map { RowIdentity($0).evidencePath }
            #expect(folders.allSatisfy { isThere("\($0)/plan.json") }, "\(kind)")
            let states = folders.count { isThere("\($0)/state") }
            #expect(states == min(rows.count, 3), "\(kind)")
        }
        outcome.prints("→ --evidence all")
    }
}
