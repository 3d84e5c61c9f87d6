import Foundation
import RigModel
import Testing
import TestSupport

/// Everything that a run can plan can be replayed.
@Suite struct ReplayKindTests {
    private let place = Workplace()

    /// Options of a run, and what its replay reports as fixed.
    struct Kind: CustomTestStringConvertible {
        let options: [String]
        let fixed: String

        var testDescription: String { options.joined(separator: " ") }

        init(_ options: [String], _ fixed: String) { (self.options, self.fixed) = (options, fixed) }
    }

    /// A kill by the clock of a launch of 12 ms lands anywhere on a busy machine.
    private static let slowly = ["--bandwidth", "8MB"]

    private static let kinds = [
        Kind(["--trigger", "time"] + slowly, "the fraction of an uninterrupted run"),
        Kind(["--trigger", "phase", "--at", "committing"], "the phase, committing"),
        Kind(
            ["--trigger", "syscall", "--at", "60:after"],
            "the ordinal and the side of the call, 60:after"),
        Kind(["--trigger", "bytes", "--fault", "abort"], "the signal, 6"),
        Kind(
            ["--trigger", "syscall", "--at", "20", "--fault", "call-error", "--error", "eio"],
            "which of the calls that can fail so does"),
        Kind(["--trigger", "bytes", "--workload", "playback"], "the requests of the player"),
        Kind(["--workload", "offline-library"], "the plan, from seed"),
        Kind(["--trigger", "bytes", "--set", "storage=file"], "the byte at"),
    ]

    private func expectRepeated(_ kind: Kind) async throws {
        let place = Workplace()
        let run = try await place.killTest(
            ["--iterations", "1", "--seed", "61", "--video-size", "2MB"] + kind.options)
        // A single kill may prove nothing: what matters is that the replay is of the same kind.
        #expect([0, 98].contains(run.exitCode), "\(run.output)\(run.complaint)")
        let outcome = try await rig("replay", "run", "--iteration", "1", "--times", "1", in: place)
        #expect([0, 98].contains(outcome.exitCode), "\(outcome.output)\(outcome.complaint)")
        outcome.prints(kind.fixed).prints("failed 0 of 1")
    }

    @Test(arguments: kinds)
    func aKillOfAnyKindIsRepeated(_ kind: Kind) async throws { try await expectRepeated(kind) }

    @Test(.enabled(if: isPowerCutPossible, "needs root, loop devices and mkfs.ext4"))
    func aPowerCutIsRepeated() async throws {
        try await expectRepeated(
            Kind(
                ["--fault", "power-cut", "--durability", "power"] + Self.slowly,
                "that nothing is synced any more"))
    }

    /// An interrupted replay reports what it has, and leaves nothing behind.
    ///
    /// The test once interrupted at the second launch. On a busy machine that was one of the
    /// uninterrupted runs before the first repetition, or that repetition started again.
    @Test func anInterruptedReplayKeepsWhatItHas() async throws {
        try await place.killTest("--iterations", "1", "--seed", "63")
        @Sendable func scratch() throws -> [String] {
            try place.names(in: "run").filter { $0.hasPrefix("scratch") }
        }
        // More than the runs measured before, and the times a repetition is started.
        let launchesBefore = 20
        let outcome = try await rig.end(
            ["replay", "run", "--iteration", "1", "--times", "10000"], in: place, exits: 130,
            once: "a repetition is over"
        ) {
            try scratch().contains { name in
                let folders = try? place.names(in: "run/\(name)/replay")
                return (folders ?? []).compactMap { Int($0) }.contains { $0 > launchesBefore }
            }
        }
        #expect(outcome.output.hasPrefix("INTERRUPTED  "), "\(outcome.output)")
        #expect(!outcome.output.contains(" of 0"), "\(outcome.output)")
        #expect(try scratch().isEmpty)
    }
}
