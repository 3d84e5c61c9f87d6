import Fixture
import Foundation
import RigModel
import Synchronization
import Testing
import TestSupport
import Witness

@testable import RigLab

/// A running `rig serve`, as its user sees it.
struct OriginProcess: Sendable {
    /// A request that has ended, as `rig serve --json` reports it.
    struct Request: Decodable, Sendable {
        let path: String
        let ordinal: Int
        let first_byte: Int64?
        let served_bytes: Int64
        let outcome: String

        /// The positions that were served.
        var served: Range<Int64> { (first_byte ?? 0)..<(first_byte ?? 0) + served_bytes }
    }

    let processID: pid_t
    /// The videos' addresses, in the order in which they were given.
    let urls: [String]
    private let place: Workplace

    /// Serves videos, each from a file and at an address of its own, while the body runs.
    static func run<Value: Sendable>(
        _ videos: [MemoryVideo], _ arguments: [String] = [],
        _ body: @Sendable @escaping (OriginProcess) async throws -> Value
    ) async throws -> Value {
        let place = Workplace()
        let names = videos.indices.map { "v\($0).mp4" }
        for (name, video) in zip(names, videos) {
            try Data(video.bytes(in: 0..<video.length)).save(as: name, in: place)
        }
        let result = Box<Value>()
        try await Programs.run(
            Programs.rig, ["serve", "--json"] + arguments + names, in: place.url
        ) { processID in
            do {
                try await eventually("the origin prints its URLs") {
                    try place.printed().split(separator: "\n").count >= videos.count
                        && place.printed().hasSuffix("\n")
                }
                let urls = try place.printed().split(separator: "\n").prefix(videos.count)
                    .map { String(try #require($0.split(separator: "\"").dropFirst(3).first)) }
                result.put(
                    try await body(OriginProcess(processID: processID, urls: urls, place: place)))
            } catch {
                kill(processID, SIGKILL)
                throw error
            }
            // It may have been stopped in the middle.
            kill(processID, SIGTERM)
        }
        return try #require(result.value)
    }

    /// Kills the origin like a network failure; returns once connections are refused.
    func drop() async throws {
        #expect(kill(processID, SIGKILL) == 0)
        let port = try port
        try await eventually("the origin is gone") { !canConnect(to: port) }
    }

    /// The port that the origin listens on.
    var port: UInt16 {
        get throws { UInt16(try #require(urls.first.flatMap(URL.init(string:))?.port)) }
    }

    /// The requests that have ended, except for probes of bytes 0–1.
    func ledger() throws -> [Request] {
        try place.printed().split(separator: "\n").dropFirst(urls.count)
            .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
            .filter { !($0.first_byte == 0 && $0.served_bytes <= 2 && $0.outcome == "complete") }
    }
}

/// Holds the result of a process's body.
private final class Box<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    func put(_ value: Value) { held.withLock { $0 = value } }

    var value: Value? { held.withLock { $0 } }
}

/// One cache, and the launches of `downloader proxy` over it.
struct Stage: Sendable {
    static let storages = ["rows", "file"]
    /// One storage, for what does not rest on it; in the nightly run both.
    static let file = Nightly.cases(["file", "rows"], usual: 1)
    static let rows = Nightly.cases(["rows", "file"], usual: 1)

    /// Each value with one of the storages, in turn; in the nightly run with both.
    static func inTurn<Value>(_ values: [Value]) -> [(String, Value)] {
        values.enumerated().flatMap { index, value in
            Nightly.cases([storages[index % 2], storages[1 - index % 2]], usual: 1)
                .map { ($0, value) }
        }
    }

    static let threshold: Int64 = 512 << 10

    let place: Workplace
    let storage: String

    init(_ storage: String) throws {
        place = Workplace()
        self.storage = storage
    }

    /// A cache, and an origin with one video, while the body runs, which gets its address as well.
    static func withVideo<Value: Sendable>(
        _ storage: String, _ seed: UInt64, length: Int64, _ arguments: [String] = [],
        _ body:
            @Sendable @escaping (Stage, MemoryVideo, OriginProcess, String) async throws ->
            Value
    ) async throws -> Value {
        let (stage, video) = (try Stage(storage), try scenarioVideo(seed, length: length))
        return try await OriginProcess.run([video], arguments) { origin in
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

/// Videos without common byte runs: each block names its seed and its position.
func scenarioVideo(_ seed: UInt64, length: Int64) throws -> MemoryVideo {
    let fixture = try FixtureVideo(seed: seed, length: FixtureVideo.minimumLength + 16 + length)
    let start = fixture.payloadStart
    return MemoryVideo(try fixture.bytes(in: start..<start + length))
}

extension Stage {
    /// Runs `downloader fetch` until it has received this many bytes, and ends it with a signal.
    func fetch(_ url: String, until count: Int64, endingWith signal: Int32) async throws -> End {
        let page = place.path("witness-\(UUID())")
        let witness = try WitnessReader(path: page)
        let outcome = try await Programs.run(
            Programs.downloader,
            ["fetch", "--url", url, "--cache", place.path("cache"), "--storage", storage],
            in: place.url, environment: ["RIG_WITNESS": page]
        ) { worker in
            try await eventually("\(count) bytes are received") {
                witness.received(of: url).count >= count
            }
            #expect(kill(worker, signal) == 0)
        }
        return End(outcome: outcome, witness: witness)
    }
}
