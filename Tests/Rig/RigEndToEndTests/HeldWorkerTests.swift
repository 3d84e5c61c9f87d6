import Fixture
import FixtureOrigin
import Foundation
import Testing
import Witness

@testable import RigLab

/// A worker that reports a phase really is in it.
///
/// The evidence is not its page, but what this phase has done and the next one has not.
@Suite struct HeldWorkerTests {
    private static let threshold: Int64 = 512 << 10
    private static let length: Int64 = 10 << 20
    /// A commit may be smaller than the threshold by as much as a read.
    private static let slack: Int64 = 32 << 10

    struct Phase: Sendable, CustomTestStringConvertible {
        let phase: WitnessPhase
        let entry: UInt64
        let look: @Sendable (HeldWorker) throws -> Void

        var testDescription: String { "\(phase)" }
    }

    /// What `fetch` has done, and not yet done, at the end of each of its phases.
    private static let phasesOfAFetch = [
        Phase(phase: .starting, entry: 1) { (worker: HeldWorker) throws in
            #expect(!worker.hasDatabaseOpen)
            #expect(worker.databaseBytes == 0)
            #expect(worker.served.isEmpty)
        },
        Phase(phase: .recovering, entry: 1) { (worker: HeldWorker) throws in
            #expect(worker.hasDatabaseOpen)
            #expect(worker.served.isEmpty)
            #expect(try worker.logged("start") == 1, "a request is about to be sent")
        },
        Phase(phase: .connecting, entry: 2) { (worker: HeldWorker) throws in
            #expect(worker.served.count == 2)
            #expect(try worker.logged("first bytes") == 2)
            #expect(try worker.logged("save") == 0)
            #expect(try worker.saved() == 0)
        },
        Phase(phase: .receiving, entry: 2) { (worker: HeldWorker) throws in
            #expect((worker.served.last ?? 0) >= threshold - slack)
            #expect(try worker.logged("save") == 0)
            #expect(try worker.saved() == 0)
        },
        Phase(phase: .committing, entry: 3) { (worker: HeldWorker) throws in
            #expect(try worker.logged("save") == 3)
            #expect(try worker.logged("commit") == 3)
            #expect(try worker.saved() == worker.logged("commit", sumOf: "size"))
            #expect(try worker.saved() > 3 * (threshold - slack))
        },
        Phase(phase: .checkpointing, entry: 1) { (worker: HeldWorker) throws in
            // Until the first checkpoint everything was in the WAL.
            #expect(try worker.saved() > 3 << 20)
            #expect(try worker.databaseBytes >= worker.saved())
            #expect(try worker.logged("save") == worker.logged("commit"))
            #expect(try worker.logged("end") == 1)
        },
        Phase(phase: .completing, entry: 2) { (worker: HeldWorker) throws in
            #expect(try worker.saved() == length)
            #expect(try worker.logged("end") == 2)
            #expect(worker.hasDatabaseOpen)
            #expect(worker.writeAheadBytes > 0)
        },
        Phase(phase: .idle, entry: 1) { (worker: HeldWorker) throws in
            #expect(try worker.logged("end") == 2)
            #expect(!worker.hasDatabaseOpen)
            #expect(worker.writeAheadBytes == 0)
            #expect(worker.databaseBytes > length)
            #expect(try worker.saved() == length)
        },
    ]

    /// With rows: their checkpoints come during the download, and move its bytes.
    @Test(arguments: phasesOfAFetch)
    func aFetchIsWhereItIsHeld(case: Phase) async throws {
        try await HeldWorker.run(
            heldIn: `case`.phase, entry: `case`.entry,
            { ["fetch", "--storage", "rows", "--url", $0] },
            of: Resource(source: try FixtureVideo(seed: 1, length: Self.length)), `case`.look)
    }

    /// The player has disconnected: received bytes are saved, and the request has ended.
    @Test func aProxyIsHeldWhileItCancels() async throws {
        try await HeldWorker.run(
            heldIn: .cancelling, entry: 1, { _ in ["proxy", "--quiet"] },
            of: Resource(
                source: try FixtureVideo(seed: 1, length: Self.length), bytesPerSecond: 8e6),
            meanwhile: { try await Self.play($1, through: $0, count: 1 << 20) },
            { (worker: HeldWorker) throws in
                #expect(try worker.logged("cancel") == 1)
                #expect(try worker.logged("end") == 2)
                #expect(try worker.saved() >= 1 << 20)
                #expect(try worker.saved() == worker.logged("commit", sumOf: "size"))
                #expect(try worker.saved() < Self.length)
            })
    }

    /// Space has been freed for a save that has not happened yet.
    @Test func aProxyIsHeldWhileItEvicts() async throws {
        let capacity: Int64 = 4 << 20
        try await HeldWorker.run(
            heldIn: .evicting, entry: 1, { _ in ["proxy", "--quiet", "--capacity", "4MB"] },
            of: Resource(
                source: try FixtureVideo(seed: 1, length: Self.length), bytesPerSecond: 64e6),
            meanwhile: { try await Self.play($1, through: $0, count: Self.length) },
            { (worker: HeldWorker) throws in
                let committed = try worker.logged("commit", sumOf: "new")
                #expect(try worker.logged("save") == worker.logged("commit") + 1)
                #expect(try worker.saved() < committed, "nothing was evicted")
                #expect(try worker.saved() <= capacity - Self.threshold + Self.slack)
                #expect(committed > capacity - Self.threshold)
            })
    }

    private static func play(_ url: String, through address: String, count: Int64) async throws {
        let proxy = try #require(ProxyAddress(line: address))
        _ = try? await ScenarioPlayer(proxy: proxy).take(url, count: count)
    }
}
