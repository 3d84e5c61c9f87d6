import Foundation
import RigModel
import Testing

/// Workers that are killed at a system call.
@Suite struct CallKillTests {
    private let place = Workplace()

    @Test(arguments: ["rows", "file"])
    func killsAtRandomCallsLoseAtMostAThreshold(storage: String) async throws {
        try await place.killTest(
            "--trigger", "syscall", "--iterations", "12", "--video-size", "2MB", "--set",
            "storage=\(storage)", "--durability", "power", "--seed", "71", exits: 0,
            complains: "calls that it can be killed at")
        let rows = try place.rows(12)
        rows.all { $0.verdict == .pass && $0.trigger == "syscall" }
        #expect(Set(rows.map(\.planned)).count > 8)
        #expect(rows.contains { $0.planned.hasSuffix(":after") })
        #expect(rows.compactMap(\.lostBytes).allSatisfy { $0 <= 512 * 1024 })
    }

    @Test func aPinnedCallLeavesTheSameEveryTime() async throws {
        try await place.killTest(
            "--trigger", "syscall", "--at", "3", "--iterations", "2", "--video-size", "1MB",
            "--seed", "72", exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.planned) == ["3", "3"])
        #expect(Set(rows.map(\.recoveredBytes)) == [0])
    }

    /// Every call of a worker that saves one small video, before the call and after it.
    @Test func everyCountedCallIsHit() async throws {
        try Data(repeating: 7, count: 100_000).save(as: "small.bin", in: place)
        try await place.killTest(
            "--trigger", "syscall", "--exhaustive", "--video", "small.bin", "--set",
            "storage=file", "--seed", "73", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        let planned = Set(rows.map(\.planned))
        #expect(planned.count == rows.count && rows.count.isMultiple(of: 2))
        #expect((1...rows.count / 2).allSatisfy { planned.contains("\($0)") })
        #expect((1...rows.count / 2).allSatisfy { planned.contains("\($0):after") })
    }

    /// Its launch is begun anew, twenty times at most, and counted.
    @Test func aCallThatNeverComesProvesNothing() async throws {
        try await place.killTest(
            "--trigger", "syscall", "--at", "99999", "--iterations", "1", "--video-size", "1MB",
            "--seed", "74", exits: 98)
        let row = try #require(try place.rows().first)
        #expect(row.verdict == .inconclusive && row.attempts == 20)
        #expect(row.reason.contains("counted calls and not number 99999"))
    }

    /// A worker that acknowledges bytes too early is caught by a kill between the two calls.
    ///
    /// 23 of 40 kills show it, on a machine with eight times the load that it can handle: that
    /// none of 32 does is rarer than one in a million.
    @Test func anEarlyAcknowledgementIsCaughtAtACall() async throws {
        try await place.killTest(
            "--trigger", "syscall", "--iterations", "32", "--video-size", "2MB", "--seed", "75",
            environment: planted("acknowledge-early"), exits: 99)
        #expect(try place.rows().contains { $0.reason.contains("durability") })
    }
}
