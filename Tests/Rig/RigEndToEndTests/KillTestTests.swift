import Foundation
import RigModel
import Testing
import TestSupport

/// Real runs with real workers that are really killed.
@Suite struct KillTestTests {
    private let place = Workplace()

    @Test func everyKillLosesAtMostAThreshold() async throws {
        let iterations = Nightly.rounds(40, nightly: 100)
        try await place.killTest("--iterations", "\(iterations)", "--seed", "11", exits: 0)
        let rows = try place.rows(iterations)
        // A worker that is faster than the measured runs may end before a timed kill. Such a
        // row proves nothing, and there must be few of them.
        let passed = rows.filter { $0.verdict == .pass }
        rows.all { $0.verdict != .fail }
        #expect(
            passed.count * 20 >= iterations * 19,
            "\(rows.filter { $0.verdict != .pass }.map(\.reason))")
        let lost = passed.compactMap(\.lostBytes).sorted()
        #expect(lost.count == passed.count)
        #expect(lost.allSatisfy { (0...512 * 1024).contains($0) })
        // The losses are spread over the whole interval: each quarter of it has some.
        let quarters = Set(lost.map { min(3, $0 / (128 * 1024)) })
        #expect(quarters == [0, 1, 2, 3])
        for name in ["manifest.json", "summary.csv", "summary.json", "summary.md", "junit.xml"] {
            #expect(place.has("run/\(name)"))
        }
        #expect(!place.has("run/scratch"))
    }

    /// A run of four policies, and what it printed; `CostTests` looks at it as well.
    static let policies = Task { () throws -> (place: Workplace, output: String) in
        let place = Workplace()
        let outcome = try await place.killTest(
            "--iterations", "40", "--thresholds", "256KB,512KB,1MB,disabled", "--seed", "13",
            "--trigger", "bytes", "-v", exits: 0)
        return (place, outcome.output)
    }

    /// Half of the kills are held at their byte by the origin; the others land while bytes flow.
    @Test func policiesLoseWhatTheirThresholdAllowsAtThePlannedByte() async throws {
        let place = try await Self.policies.value.place
        try expectPlannedBytes(of: place.rows())
        let rows = try place.rows().filter { $0.verdict != .inconclusive }
        rows.all { $0.verdict == .pass }
        func median(_ policy: String) throws -> Int64 {
            // Kills that are held at their byte are uniform over the unsaved bytes; all others
            // favour slow commits.
            let uniform = rows.filter {
                $0.policy == policy && !$0.planned.hasSuffix(Trigger.flowingSuffix)
            }
            let lost = uniform.compactMap(\.lostBytes).sorted()
            return try #require(lost.isEmpty ? nil : lost[lost.count / 2])
        }
        let medians = try ["256KB", "512KB", "1MB"].map(median)
        #expect(medians == medians.sorted())
        for (median, threshold) in zip(medians, [256, 512, 1024].map { Int64($0) * 1024 }) {
            // About half of the threshold; these kills are the same in every run. On a busy
            // machine some find a commit not yet made, and the median of ten of them was 0.78 of
            // a threshold once; there are twenty.
            #expect((threshold / 4...threshold * 3 / 4).contains(median))
        }
        let uncached = rows.filter { $0.policy == "disabled" }
        #expect(!uncached.isEmpty)
        #expect(uncached.allSatisfy { $0.recoveredBytes == 0 && $0.lostBytes == $0.receivedBytes })
        let kills = Dictionary(grouping: try place.rows(), by: \.iteration).values
        #expect(kills.allSatisfy { Set($0.map(\.planned)).count == 1 && $0.count == 4 })
    }

    private func expectPlannedBytes(of rows: [IterationRow]) throws {
        let flowing = rows.filter { $0.planned.hasSuffix(Trigger.flowingSuffix) }
        let held = rows.filter { !$0.planned.hasSuffix(Trigger.flowingSuffix) }
        #expect((rows.count * 3 / 10...rows.count * 7 / 10).contains(held.count))
        let exact = held.count { $0.receivedBytes.map(String.init) == $0.planned }
        #expect(exact * 100 >= held.count * 95)
        // None of the others came before its byte.
        for row in flowing {
            let planned = Int64(row.planned.dropLast(Trigger.flowingSuffix.count))
            #expect(try #require(row.receivedBytes) >= #require(planned))
        }
    }

    @Test func aVideoOfOnesOwnIsComparedByteByByte() async throws {
        try LibraryOrigin.image("own", bytes: 1_500_001).save(as: "my video.mov", in: place)
        try await place.killTest(
            "--iterations", "4", "--video", "my video.mov", "--trigger", "bytes", "--seed", "14",
            exits: 0)
        #expect(
            try place.rows().allSatisfy {
                $0.refetchedBytes == 1_500_001 - ($0.recoveredBytes ?? 0)
            })
    }

    /// Behind a company's proxy, the worker used to ask the proxy for the origin on this machine.
    ///
    /// The command in a summary used to break when pasted into a shell.
    @Test func aProxyInTheEnvironmentIsNotAskedAndTheCommandIsOneForAShell() async throws {
        let nowhere = "http://127.0.0.1:9"
        try await place.killTest(
            "--iterations", "2", "--trigger", "bytes", "--seed", "16", "--gate",
            "violations == 0", "--json",
            environment: ["http_proxy": nowhere, "HTTP_PROXY": nowhere, "ALL_PROXY": nowhere],
            exits: 0
        ).prints("--gate 'violations == 0' --json\"")
    }

    /// A video's address may be gone when its kill is replayed.
    @Test func aVideoFromAURLIsFetchedOnceAndKept() async throws {
        let served = Workplace()
        try await serving(["--video-size", "2MB", "--json"], in: served) { line in
            let url = String(try #require(line.split(separator: "\"").dropFirst(3).first))
            try await place.killTest(
                "--iterations", "2", "--video", url, "--trigger", "bytes", "--seed", "15", exits: 0)
        }
        let kept = try place.data("run/reference-video")
        #expect(kept.count == 2 << 20)
        let ledger = try served.printed().split(separator: "\n").dropFirst()
        #expect(ledger.count == 1, "the origin was asked more than once: \(ledger)")
        let replay = ["replay", "run", "--iteration", "1", "--times", "1"]
        try await rig(replay, in: place, exits: 0)
        try place.remove("run/reference-video")
        try await rig(replay, in: place, exits: 65, complains: "reference-video")
    }
}

/// Runs the body while `rig serve` serves a video, with the first line that it prints: its URL.
func serving(
    _ arguments: [String], in place: Workplace = Workplace(),
    _ body: @Sendable (_ url: String) async throws -> Void
) async throws {
    try await Programs.run(Programs.rig, ["serve"] + arguments, in: place.url, exits: 0) { server in
        do {
            try await body(try await servedURL(in: place))
        } catch {
            kill(server, SIGTERM)
            throw error
        }
        #expect(kill(server, SIGTERM) == 0)
    }
}

/// The first line that `rig serve` prints, once it is there.
func servedURL(in place: Workplace) async throws -> String {
    try await eventually("the origin prints its URL") { try place.printed().contains("\n") }
    return String(try place.printed().prefix { $0 != "\n" })
}

extension Workplace {
    /// The output so far of the program that runs in this folder.
    func printed() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return try names.filter { $0.hasPrefix("stdout-") }
            .map { try String(contentsOfFile: path($0), encoding: .utf8) }.joined()
    }
}
