import Foundation
import RigModel
import RigReport
import TestSupport
import Testing

/// `--workload playback` and `switching`: a real proxy, played through and really killed.
@Suite struct WorkloadPlayerTests {
    private let place = Workplace()

    @Test(arguments: ["rows", "file"])
    func aPlayerLosesAtMostAThresholdPerRequest(storage: String) async throws {
        let iterations = Nightly.rounds(8, nightly: 40)
        try await place.killTest(
            "--workload", "playback", "--iterations", "\(iterations)", "--seed", "81",
            "--video-size", "5MB", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict != .fail && $0.corruptBytes == 0 }
        let passed = rows.filter { $0.verdict == .pass }
        #expect(
            passed.count * 10 >= iterations * 8,
            "\(rows.filter { $0.verdict != .pass }.map(\.reason))")
        // The bound counts the requests active at the kill, each by no more than it received.
        #expect(
            passed.allSatisfy {
                let most = (512 << 10) * Int64(max(1, $0.activeRequests ?? 0))
                return (512 << 10...most).contains($0.boundBytes ?? 0)
            })
        let written = try place.text("run/manifest.json")
        let manifest = try ManifestJSON.read(written)
        #expect(manifest.workload == .playback)
        #expect(manifest.settings == ["storage": storage])
        #expect(manifest.bandwidth == 64 << 20)
    }

    @Test(arguments: Nightly.cases(["file", "rows"], usual: 1))
    func switchingBetweenFiveVideosLosesNoMore(storage: String) async throws {
        try await place.killTest(
            "--workload", "switching", "--iterations", "8", "--seed", "82", "--video-size",
            "4MB", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict != .fail && $0.corruptBytes == 0 }
        #expect(rows.count { $0.verdict == .pass } >= 7)
        // Five videos of 4 MB: some kills land beyond the first.
        #expect(rows.contains { ($0.receivedBytes ?? 0) > 4 << 20 })
    }

    @Test func aPlannedByteIsReachedWhateverThePlayerCancels() async throws {
        try await place.killTest(
            "--workload", "playback", "--iterations", "6", "--seed", "83", "--trigger",
            "bytes", "--video-size", "3MB", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        // Never beyond it: the origin holds back the rest from all requests together.
        rows.all { row in
            guard let planned = Int64(row.planned), let received = row.receivedBytes else {
                return false
            }
            return received <= planned
        }
    }

    @Test func aSettingThatTheWorkerRefusesIsSaid() async throws {
        try await place.killTest(
            "--iterations", "2", "--set", "storage=paper", exits: 69, complains: "paper")
    }
}
