import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

@testable import RigLab

/// The kernel's counters of killed programs whose writes are known.
@Suite struct LaunchCostTests {
    /// Says that it is ready by one more write of three bytes.
    private func cost(
        ofKilling script: String, within seconds: Double = 60, isKilled: Bool = true
    ) async throws -> LaunchCost? {
        let folder = try TemporaryFolder()
        let log = folder.file("log")
        return try await WorkerLauncher(environment: [:]).run(
            [
                "/usr/bin/perl", "-e",
                "open(F, '>', '\(folder.file("data"))'); \(script); syswrite(STDOUT, qq{up\\n});"
                    + " sleep 1000",
            ], log: log
        ) { worker in
            worker.waits("it has written") {
                (try? String(contentsOfFile: log, encoding: .utf8))?.contains("up") ?? false
            }
            if isKilled { worker.kill() }
            defer { worker.kill() }
            return LaunchCost(ofDead: worker.processID, within: seconds)
        }.observed
    }

    @Test(arguments: [(1, 5000), (100, 5000), (250, 1)])
    func everyWriteIsCounted(calls: Int, bytes: Int) async throws {
        let cost = try #require(
            try await cost(ofKilling: "syswrite(F, 'x' x \(bytes)) for 1..\(calls)"))
        #expect(cost.writes == calls + 1)
        #expect(cost.writtenBytes == Int64(calls * bytes + 3))
        #expect(cost.syncs == nil)
    }

    /// A program that hands its work to children costs as much.
    @Test func childrenThatItWaitedForAreCounted() async throws {
        let cost = try #require(
            try await cost(
                ofKilling: "if (!fork) { syswrite(F, 'x' x 1000) for 1..10; exit } wait"))
        #expect(cost.writes == 11)
        #expect(cost.writtenBytes == 10_003)
    }

    @Test func theProcessorTimeIsThatOfItsWork() async throws {
        let cost = try #require(
            try await cost(
                ofKilling: "my ($u, $s) = times; while ($u + $s < 0.3) { ($u, $s) = times }"))
        #expect((0.3...1.5).contains(try #require(cost.processorSeconds)))
    }

    @Test func ofOneThatLivesNothingIsKnown() async throws {
        #expect(try await cost(ofKilling: "1", within: 0.05, isKilled: false) == nil)
    }

    @Test func otherTextHasNoCounters() {
        #expect(LaunchCost.counters("").isEmpty)
        #expect(LaunchCost.counters("wchar: many\nsyscw 7\n").isEmpty)
        #expect(LaunchCost.counters("rchar: 5\nwchar: 12\n") == ["rchar": 5, "wchar": 12])
    }
}
