import Foundation
import RigModel
import RigVerdict
import TestSupport
import Testing

/// Programs that do something after the last byte.
///
/// Kills by the clock stopped at 0.85 of the time, so a program that joined its parts straight
/// into its file, and took any such file for its finished work, passed a hundred kills.
@Suite struct EndOfWorkTests {
    private let place = Workplace()

    private static func mistake(_ name: String) -> [String] {
        ["--", "sh", Checkout.path("harness/examples/mistakes/\(name)")]
            + ["{url}", "{output}", "{dir}"]
    }

    /// Each of these kills comes after the last byte, most of them while the parts are joined.
    @Test func aJoinThatIsKilledIsFound() async throws {
        try await place.killTest(
            ["--trigger", "time", "--at", "end", "--iterations", "12", "--seed", "1"]
                + Self.mistake("joins-parts.sh"), exits: 99)
        let rows = try place.rows()
        rows.all { $0.planned.hasPrefix(Trigger.endingPrefix) }
        #expect(rows.contains { $0.checkers == [.completion] }, "\(rows.map(\.reason))")
        let conclusive = rows.filter(\.isConclusive)
        #expect(conclusive.count * 2 > rows.count, "\(rows.map(\.reason))")
        #expect(conclusive.allSatisfy { $0.receivedBytes == 10 << 20 })
    }

    /// The kinds of its calls are tried equally often, so the few that matter are not missed.
    @Test func aJoinThatIsKilledAtItsCallsIsFound() async throws {
        try await place.killTest(
            ["--trigger", "syscall", "--stratify", "--iterations", "24", "--seed", "1"]
                + ["--video-size", "4MB"] + Self.mistake("joins-parts.sh"), exits: 99)
        let kinds = Set(try place.rows().map { $0.planned.prefix { $0 != ":" } })
        #expect(kinds.contains("openat") && kinds.contains("write"), "\(kinds)")
    }

    /// A program that makes its file in one step loses nothing at its end.
    @Test func aRightProgramPasses() async throws {
        try await place.killTest(
            "--trigger", "time", "--at", "end", "--iterations", "6", "--seed", "1", "--video-size",
            "4MB", "--", "curl", "-q", "-sS", "-C", "-", "-o", "{output}", "{url}", exits: 0)
    }
}
