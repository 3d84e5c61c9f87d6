import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import RigModel
import Testing
import TestSupport
import Witness

@testable import RigLab

/// The origin of a scenario, and its videos' addresses.
struct ScenarioOrigin: Sendable {
    let mounts: [Mount]
    private let origin: FixtureOrigin

    var urls: [String] { mounts.map(\.url) }
    var port: UInt16 { origin.port }

    /// Serves videos, each at an address of its own, while the body runs.
    static func run<Value>(
        _ videos: [MemoryVideo], faults: [OriginFault] = [], bytesPerSecond: Double? = nil,
        _ body: (ScenarioOrigin) async throws -> Value
    ) async throws -> Value {
        try await withOrigin(FixtureOrigin(faults: faults)) { origin in
            let mounts = videos.enumerated().map { index, video in
                origin.mount(
                    Resource(source: video, bytesPerSecond: bytesPerSecond), at: "/\(index).mp4")
            }
            return try await body(ScenarioOrigin(mounts: mounts, origin: origin))
        }
    }

    /// Drops the origin like a network failure: connections are refused from now on.
    func drop() async throws { _ = try await StoppedOrigin.stop(origin) }
}

extension OriginFault {
    /// So many bytes of an answer come, and then nothing.
    static func silent(after count: Int64, times: Int? = nil) -> Self {
        Self(.silent, .bytes(count), times: times)
    }

    /// What is sent comes five seconds later.
    static let late = Self(.latency, .milliseconds(5000))
}

/// One cache, and the launches of `downloader proxy` over it.
struct Stage: Sendable {
    static let storages = ["rows", "file"]
    /// One storage, for what does not rest on it; in the nightly run both.
    static let file = Nightly.cases(["file", "rows"], usual: 1)
    static let rows = Nightly.cases(["rows", "file"], usual: 1)

    static let threshold: Int64 = 512 << 10

    let place: Workplace
    let storage: String

    init(_ storage: String) throws {
        place = Workplace()
        self.storage = storage
    }

    /// A cache, and an origin with one video, while the body runs, which gets its address as well.
    static func withVideo<Value>(
        _ storage: String, _ seed: UInt64, length: Int64, faults: [OriginFault] = [],
        bytesPerSecond: Double? = nil,
        _ body: (Stage, MemoryVideo, ScenarioOrigin, String) async throws -> Value
    ) async throws -> Value {
        let (stage, video) = (try Stage(storage), try scenarioVideo(seed, length: length))
        return try await ScenarioOrigin.run(
            [video], faults: faults, bytesPerSecond: bytesPerSecond
        ) { origin in
            try await body(stage, video, origin, origin.urls[0])
        }
    }

    /// A running proxy, with its player and its witness.
    struct Launch: Sendable {
        let proxy: ProxyProcess
        let player: ScenarioPlayer
        let witness: WitnessReader

        /// Returns once the proxy has read this many bytes of a video from its sockets.
        func received(_ count: Int64, of url: String) async throws {
            try await eventually("\(count) bytes of \(url) are received") {
                witness.received(of: url).count >= count
            }
        }

        /// Returns once no request is active: what they received is saved.
        func allRequestsEnded() async throws {
            try await eventually("all requests have ended") {
                witness.records.allSatisfy { !$0.isActive }
            }
        }
    }

    /// How a launch ended.
    struct End: Sendable {
        let outcome: Programs.Outcome
        let witness: WitnessReader
    }

    /// Runs a proxy with a witness, and ends it with a signal.
    @discardableResult
    func proxy(
        _ arguments: [String] = [], endingWith signal: Int32? = SIGTERM,
        _ body: @Sendable @escaping (Launch) async throws -> Void
    ) async throws -> End {
        let page = place.path("witness-\(UUID())")
        let witness = try WitnessReader(path: page)
        let outcome = try await ProxyProcess.run(
            in: place, ["--storage", storage] + arguments,
            // The runtime's backtrace would delay a death by SIGABRT or SIGSEGV, and outlive it if
            // no instruction of the process raised the signal.
            environment: ["RIG_WITNESS": page, "SWIFT_BACKTRACE": "enable=no"],
            endingWith: signal
        ) { proxy in
            let address = try #require(ProxyAddress(line: proxy.address))
            try await body(
                Launch(proxy: proxy, player: ScenarioPlayer(proxy: address), witness: witness))
        }
        return End(outcome: outcome, witness: witness)
    }

    /// Runs `downloader` to its end.
    func downloader(_ arguments: String...) async throws -> Programs.Outcome {
        try await Programs.run(
            Programs.downloader, arguments + ["--cache", place.path("cache")], in: place.url)
    }

    /// The state on disk, read from a copy with the tests' own SQL.
    func state() throws -> ScenarioState { try ScenarioState(copyOf: place.path("cache"), place) }

    /// The bytes of a video that a running proxy has saved so far.
    func savedSoFar(of url: String) -> Int64 {
        ScenarioState.savedBytes(of: url, in: place.path("cache"))
    }
}

extension WitnessReader {
    /// The positions read from the sockets, without the origin's answer to bytes 0–1.
    func received(of url: String) -> ByteRanges {
        ByteRanges(records(of: url).map { Int64($0.start)..<Int64($0.start + $0.received) })
    }

    /// The positions that the worker has acknowledged.
    func acknowledged(of url: String) -> ByteRanges {
        ByteRanges(records(of: url).map { Int64($0.start)..<Int64($0.start + $0.acknowledged) })
    }

    /// How many requests for a video were active.
    func activeRequests(of url: String) -> Int64 { Int64(records(of: url).count { $0.isActive }) }

    private func records(of url: String) -> [WitnessRecord] {
        records.filter { $0.resource == WitnessLayout.resource(of: url) }
    }
}

/// The blocks of a fixture: each names its seed and its position.
private struct Blocks: VideoSource {
    let fixture: FixtureVideo
    let length: Int64

    var identity: String { fixture.identity }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try fixture.read(into: buffer, at: fixture.payloadStart + offset)
    }
}

/// Videos without common byte runs.
func scenarioVideo(_ seed: UInt64, length: Int64) throws -> MemoryVideo {
    let fixture = try FixtureVideo(seed: seed, length: FixtureVideo.minimumLength + 16 + length)
    return try MemoryVideo(copying: Blocks(fixture: fixture, length: length))
}
