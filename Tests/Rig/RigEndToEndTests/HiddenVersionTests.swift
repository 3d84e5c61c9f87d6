import RigModel
import TestSupport
import Testing

/// Kills where no validator, or not the same one each time, names the version of an answer.
///
/// Two versions of the same length were joined, and the fetch ended with 0; an ETag per server
/// dropped what was cached.
@Suite struct HiddenVersionTests {
    private let place = Workplace()

    /// A kill after four commits of six.
    private static let midway = [
        "--trigger", "bytes", "--at", "2MB", "--video-size", "3MB", "--seed", "19",
    ]

    @Test(
        arguments: Nightly.pairs(
            [
                ["no_validators"], ["weak_etag"], ["edges"], ["edges:3", "ignore_if_range"],
                ["changed", "no_validators"], ["changed", "edges"], ["shortened", "weak_etag"],
            ], ["file", "rows"]))
    func theDownloaderLosesAndStitchesNothing(faults: [String], storage: String) async throws {
        try await place.killTest(
            Self.midway + ["--iterations", "3", "--set", "storage=\(storage)"]
                + faults.flatMap { ["--origin-fault", $0] }, exits: 0)
        try place.rows(3).all { $0.verdict == .pass }
    }

    @Test(arguments: Nightly.cases(["edges", "no_validators"], usual: 1))
    func inAChainOfKillsToo(fault: String) async throws {
        let outcome = try await place.killTest(
            "--iterations", "4", "--kills", "3", "--video-size", "3MB", "--seed", "19",
            "--bandwidth", "5MB/s", "--origin-fault", fault)
        let rows = try place.rows()
        #expect(rows.contains { $0.verdict == .pass }, "\(outcome.output)\(outcome.complaint)")
        rows.all { $0.verdict != .fail }
    }
}
