import Foundation
import Synchronization
import Testing

@testable import CurlTransport
@testable import VideoCache

/// A thousand random lives of a loader against a model that knows every version's bytes.
///
/// The plan of a life follows from its seed, but the scheduling of its threads does not, so a
/// failure may need a few replays: `LOADER_SEED=n swift test --filter InterleavingTests`.
@Suite("1,000 random interleavings of reads, cancels, kills and changes", .serialized)
struct InterleavingTests {
    private static let wanted = ProcessInfo.processInfo.environment["LOADER_SEED"].flatMap {
        UInt64($0)
    }

    private static func seeds(_ range: Range<UInt64>) -> [UInt64] {
        wanted.map { [$0] } ?? Array(range)
    }

    @Test("without sockets", arguments: 0..<9)
    func scripted(batch: UInt64) throws {
        for seed in Self.seeds(batch * 100..<batch * 100 + 100) {
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
                transport: ScriptedTransport(origin: origin, flipsABit: flips),
                overstates: !flips)
            try life.run()
            #expect(
                life.faults.contains { $0.contains(flips ? "wrong" : "lost") },
                "flips: \(flips), faults: \(life.faults)")
        }
    }

    @Test("on real sockets", arguments: 0..<4)
    func sockets(batch: UInt64) throws {
        for seed in Self.seeds(900 + batch * 25..<925 + batch * 25) {
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
