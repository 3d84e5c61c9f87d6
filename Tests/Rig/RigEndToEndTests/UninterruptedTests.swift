import Foundation
import RigModel
import Testing

/// What kills do not show: speed (B9) and memory (B10), of workers with a planted bug.
///
/// No speed is asserted here: the planted differences exceed those of a busy machine.
@Suite struct UninterruptedTests {
    /// A downloader that takes URL, output and threshold, and can be slow or use much memory.
    private static let program = """
        import sys, time, urllib.request
        url, output, threshold, bug = sys.argv[1:]
        saves = threshold != "disabled"
        if bug == "lazy": sys.exit(0)
        with urllib.request.urlopen(url) as body, open(output, "wb") as file:
            if bug == "crash" and int(body.headers["Content-Length"]) > 50 << 20:
                sys.exit(1)
            kept, piece, unsaved = [], True, 0
            while piece:
                piece = body.read(64 << 10)
                file.write(piece)
                unsaved += len(piece)
                if bug == "keep-all": kept.append(piece)
                if saves and unsaved >= 512 << 10:
                    if bug == "slow-save": time.sleep(0.02)
                    unsaved = 0
        """

    private func trial(
        _ bug: String, of promise: String, _ limit: String
    ) async throws -> Programs.Outcome {
        let place = Workplace()
        try Self.program.save(as: "worker.py", in: place)
        try """
        name: planted
        command: [python3, \(place.path("worker.py")), "{url}", "{output}", "{threshold}", \
        \(bug)]
        completed: "{output}"
        documented: true
        """.save(as: "planted.yml", in: place)
        try """
        promises:
          - id: \(promise)
            promise: Something that no kill shows.
            documented: so much
            judged_by: [rig]
            limits: [\(limit)]
        runs: {}
        """.save(as: "my.yml", in: place)
        return try await rig(
            "verify-claims", "--out", "run", "--bounds", "my.yml", "--worker", "planted.yml",
            "--seed", "9", in: place)
    }

    private static let memory = "{measure: peak_memory_growth, most: 8MB}"
    private static let speed = "{measure: throughput_ratio, least: 0.9}"

    @Test func savingThatSlowsTheWorkerDownBreaksB9() async throws {
        try await trial("slow-save", of: "B9", Self.speed).exits(99).prints("broken: B9")
    }

    @Test func keepingTheWholeRequestInMemoryBreaksB10() async throws {
        try await trial("keep-all", of: "B10", Self.memory).exits(99).prints("broken: B10")
    }

    /// The same program, which then keeps nothing.
    @Test func savingAndDroppingKeepsB10() async throws {
        try await trial("none", of: "B10", Self.memory).exits(0).prints("1 of 1 promises hold")
    }

    /// A worker that crashed during the long video, or fetched nothing, used to count as complete.
    ///
    /// Its memory was taken for that of a complete fetch, and both promises held.
    @Test(arguments: [("crash", "B10", memory), ("lazy", "B9", speed)])
    func aLifeThatDidNotFetchTheVideoShowsNothing(
        bug: String, promise: String, limit: String
    ) async throws {
        try await trial(bug, of: promise, limit).exits(69)
            .prints("0 of 1 promises hold").prints("does not complete the video")
    }
}
