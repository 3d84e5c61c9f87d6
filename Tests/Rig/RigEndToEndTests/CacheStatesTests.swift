import Foundation
import TestSupport
import Testing

/// The reference cache, cut at each moment of a life (harness/conformance/cache-states).
@Suite struct CacheStatesTests {
    private func look(_ arguments: [String]) async throws -> Programs.Outcome {
        let place = Workplace()
        return try await Programs.run(
            "/usr/bin/env",
            [
                "RIG=\(Programs.rig)", "CACHE_FILLER=\(BuiltPrograms.path("CacheFiller"))",
                Checkout.path("harness/conformance/cache-states"),
            ] + arguments, in: place.url)
    }

    private static let states = ["--states", "\(Nightly.rounds(60, nightly: 2000))"]

    @Test(arguments: Nightly.cases(["ext4", "posix", "xfs", "btrfs", "garbage"], usual: 2))
    func whatWasToldIsThere(disk: String) async throws {
        let outcome = try await look(["--disk", disk] + Self.states).exits(0)
        for storage in ["file", "rows"] { outcome.prints("\n| \(disk) | \(storage) | ") }
    }

    /// With `process` bytes are lost, and what is left is right.
    @Test func withoutSyncsBytesAreLostAndNoneIsWrong() async throws {
        let outcome = try await look(["--disk", "ext4", "--durability", "process"] + Self.states)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
        #expect(!outcome.output.contains("| 0 | 0 | 0 bytes |"), "\(outcome.output)")
    }

    /// A planted bug: the cache syncs as for `process`, and is held to `power`.
    @Test(arguments: ["file", "rows"])
    func aMissingSyncIsFound(storage: String) async throws {
        try await look(["--disk", "ext4", "--storage", storage, "--states", "60", "--planted-bug"])
            .exits(1).complains("bytes that were told are lost")
    }
}
