import Foundation
import TestSupport
import Testing

/// Whether the system has what the comparison with real disks needs.
private let isConformancePossible =
    geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/loop-control")
    && ["mkfs.ext4", "mkfs.xfs", "mkfs.btrfs"].allSatisfy { name in
        ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

/// The states that real power cuts leave are states of the model (harness/conformance).
@Suite(
    .enabled(
        if: isConformancePossible,
        "needs root, loop devices, python3, mkfs.ext4, mkfs.xfs and mkfs.btrfs"))
struct ConformanceTests {
    private func conform(_ arguments: [String]) async throws -> Programs.Outcome {
        let place = Workplace()
        return try await Programs.run(
            "/usr/bin/env",
            ["RIG=\(Programs.rig)", Checkout.path("harness/conformance/conform")] + arguments,
            in: place.url)
    }

    /// A zero tail after another file's fsync was impossible in the model of ext4, and is what a
    /// real one leaves each time.
    @Test(arguments: ["ext4", "xfs", "btrfs"])
    func realDisksLeaveStatesOfTheModel(disk: String) async throws {
        // Each program takes seconds, as it is cut after each of its calls; `.ci/run` tries five.
        let programs = Nightly.cases(
            [
                "a1-append-other", "a3-unlink", "b1-dsync", "a0-rename", "a2-", "a3-",
                "a5-shorter", "b1-", "b3-",
            ], usual: 1)
        try await conform(
            ["--disk", disk, "--rounds", "\(Nightly.rounds(1, nightly: 20))"]
                + programs.flatMap { ["--only", $0] }
        ).exits(0).prints("| program | \(disk) |").prints("\n| a1-append-other | ")
    }

    /// The planted mistake: a model of ext4 that has a length only with its data, as that of XFS.
    @Test func aStateThatTheModelLacksIsSaid() async throws {
        try await conform([
            "--disk", "ext4", "--against", "xfs", "--only", "a1-append-other", "--rounds", "3",
        ]).exits(1).complains("f=A100+0100 g=A100+B10 is no state of the model xfs")
    }
}
