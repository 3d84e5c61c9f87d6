import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlTransport
@testable import VideoCache

/// Random lives of a loader against a model that knows every version's bytes: 310 in the usual run,
/// 2,500 in the nightly one.
///
/// The plan of a life follows from its seed, but the scheduling of its threads does not, so a
/// failure may need a few replays: `LOADER_SEED=n swift test --filter InterleavingTests`.
@Suite("Random interleavings of reads, cancels, kills and changes", .serialized)
struct InterleavingTests {
    private static let wanted = ProcessInfo.processInfo.environment["LOADER_SEED"].flatMap {
        UInt64($0)
    }

    /// The seeds of a batch; no batch shares one with another.
    private static func seeds(_ batch: UInt64, count: Int) -> [UInt64] {
        wanted.map { [$0] } ?? (0..<UInt64(count)).map { Nightly.seed(batch * 1000 + $0) }
    }

    @Test("without sockets", arguments: 0..<9) func scripted(batch: UInt64) throws {
        for seed in Self.seeds(batch, count: Nightly.rounds(30, nightly: 250)) {
            let origin = ModelOrigin(seed: seed, paths: Life.paths)
            let life = try Life(
                seed: seed, origin: origin, address: "http://model",
                transport: ScriptedTransport(origin: origin))
            #expect(throws: Never.self, "seed \(seed)") { try life.run() }
            #expect(life.faults.isEmpty, "seed \(seed): \(life.faults)")
        }
    }

    @Test("the model catches a flipped bit, and bytes that were called safe too early")
    func plantedBugs() throws {
        for flips in [true, false] {
            let origin = ModelOrigin(seed: 1, paths: Life.paths)
            let life = try Life(
                seed: 1, origin: origin, address: "http://model",
                transport: ScriptedTransport(origin: origin, flipsABit: flips), overstates: !flips)
            try life.run()
            #expect(
                life.faults.contains { $0.contains(flips ? "wrong" : "lost") },
                "flips: \(flips), faults: \(life.faults)")
        }
    }

    @Test("on real sockets", arguments: 0..<4) func sockets(batch: UInt64) throws {
        for seed in Self.seeds(9 + batch, count: Nightly.rounds(10, nightly: 60)) {
            let origin = ModelOrigin(seed: seed, paths: Life.paths)
            let server = try TestOrigin { origin.reply(to: $0) }
            let life = try Life(
                seed: seed, origin: origin, address: "http://127.0.0.1:\(server.port)",
                transport: CurlTransport())
            #expect(throws: Never.self, "seed \(seed)") { try life.run() }
            #expect(life.faults.isEmpty, "seed \(seed): \(life.faults)")
            server.stop()
        }
    }
}
