import Fixture
import Foundation
import Testing
import TestSupport

/// The downloader with faulty origins: the right bytes or a clear error, never wrong bytes.
@Suite struct OriginFaultTests {
    /// The allowed effect of faults on a downloader.
    enum Expectation: Sendable {
        /// The first fetch completes.
        case atOnce
        /// A fetch may fail, and a later one completes what the earlier ones saved.
        case inTheEnd
        /// No fetch can complete, and each reports it.
        case never
    }

    /// Faults that act together are joined by a plus.
    private static let faults: [(Expectation, String)] = [
        (
            .atOnce,
            """
            latency:20ms bandwidth:20MB/s slow_close:100ms slicer:1000 slow:20MB/s
            ignore_range early_range unknown_total no_length multipart
            wrong_content_range:missing wrong_content_range:short always_416
            weak_etag no_validators last_modified_only change_etag edges edges:3+ignore_if_range
            ignore_if_range refuse_if_range redirect redirect:5 refuse_head
            """
        ),
        // A client may take the surplus of overlong for the next answer on the connection.
        (
            .inTheEnd,
            """
            overlong:1000 reset_peer:1MB reset_peer:0ms:1 limit_data:1MB truncate:1MB reset:1MB
            status:503:1 always_416:1 not_modified:1
            wrong_content_range:total:1 wrong_content_range:later:1 wrong_content_range:missing:1
            edges+truncate:1MB:2 early_range:1+truncate:1MB:1 ignore_range+truncate:1MB:1
            no_length+truncate:1MB:1 no_validators+truncate:1MB:2
            no_validators+truncate:1MB:1+change_etag:2 truncate:1MB:1+change_etag:2
            reset:1MB:2+change_etag:3
            """
        ),
        (.never, "encode redirect_loop status:404"),
    ]

    static let cases = faults.flatMap { expectation, text in
        text.split(whereSeparator: \.isWhitespace).map { together in
            (together.split(separator: "+").map(String.init), expectation)
        }
    }

    @Test(arguments: cases)
    func theRightBytesOrAClearError(faults: [String], expectation: Expectation) async throws {
        try await withOrigin(faults) { url in
            let place = Workplace()
            let outcomes = try await fetches(url, in: place)
            if expectation == .atOnce { #expect(outcomes.count == 1) }
            for outcome in outcomes { expectClear(outcome) }
            let isChanged = faults.contains { $0.hasPrefix("change_etag") }
            try expectRightChunks(in: place, isChanged: isChanged)
            guard expectation != .never else {
                return #expect(outcomes.allSatisfy { $0.exitCode != 0 })
            }
            #expect(outcomes.last?.exitCode == 0, "\(outcomes.map(\.complaint))")
            try await expectRightExport(of: url, in: place, isChanged: isChanged)
        }
    }

    /// A worker may wait for a silent origin longer than a test can, so the test ends it.
    @Test func whatASilentOriginHasSentIsSaved() async throws {
        try await withOrigin(["silent:1MB"]) { url in
            let place = Workplace()
            try await downloader.end(
                ["fetch", "--url", url, "--cache", "cache"], in: place, by: SIGTERM, exits: 143,
                once: "a chunk is committed"
            ) { !place.chunkLengths().isEmpty }
            try expectRightChunks(in: place, isChanged: false)
        }
    }

    @Test func eachFileIsServedAtItsOwnAddress() async throws {
        let place = Workplace()
        let names = ["a.mp4", "b.mp4"]
        for name in names {
            try String(repeating: name, count: 50_000).save(as: name, in: place)
        }
        try await serving(names, in: place) { _ in
            @Sendable func urls() throws -> [Substring] {
                try place.printed().split(separator: "\n")
            }
            try await eventually("both have an address") { try urls().count == 2 }
            for (name, url) in zip(names, try urls()) {
                try await curl("-s", "-f", "-o", "out", String(url), in: place, exits: 0)
                #expect(place.file("out", is: try place.data(name)))
            }
        }
    }

    /// The ledger of `rig serve` used to wait for the oldest request: one that hung hid the rest.
    @Test func aRequestLeftHangingDoesNotHideTheOthers() async throws {
        let served = Workplace()
        try await serving(
            ["--json", "--video-size", "3MB", "--origin-fault", "silent:1MB:1"], in: served
        ) { line in
            let url = String(try #require(line.split(separator: "\"").dropFirst(3).first))
            let place = Workplace()
            try await curl("-s", "-m", "1", "-o", "one", url, in: place)
            try await curl("-s", "-o", "two", url, in: place, exits: 0)
            try await eventually("the second request is reported") {
                try served.printed().contains("\"ordinal\":2")
            }
            #expect(try !served.printed().contains("\"ordinal\":1"))
        }
        #expect(try served.printed().contains("\"ordinal\":1"))
    }
}

extension OriginFaultTests {
    /// Runs the body while `rig serve` serves the fixture, with faults.
    private func withOrigin(
        _ faults: [String], _ body: @Sendable (_ url: String) async throws -> Void
    ) async throws {
        try await serving(
            ["--video-size", "3MB"] + faults.flatMap { ["--origin-fault", $0] }, body)
    }

    /// Fetches until a fetch succeeds, six times at most.
    private func fetches(_ url: String, in place: Workplace) async throws -> [Programs.Outcome] {
        var outcomes: [Programs.Outcome] = []
        while outcomes.count < 6, outcomes.last?.exitCode != 0 {
            outcomes.append(
                try await downloader(
                    "fetch", "--quiet", "--url", url, "--cache", "cache", in: place))
        }
        return outcomes
    }

    /// Expects success without messages, or a documented exit code and one line.
    private func expectClear(_ outcome: Programs.Outcome) {
        if outcome.exitCode == 0 {
            #expect(outcome.complaint.isEmpty)
        } else {
            #expect([65, 69, 75].contains(outcome.exitCode ?? -1), "\(outcome.complaint)")
            #expect(outcome.complaint.split(separator: "\n").count == 1, "\(outcome.complaint)")
        }
    }

    private func truth(isChanged: Bool) throws -> [UInt8] {
        let video = try FixtureVideo(seed: 1, length: Self.videoLength)
        let bytes = try video.bytes(in: 0..<video.length)
        return isChanged ? bytes.map { ~$0 } : bytes
    }

    private static var videoLength: Int64 { 3 << 20 }

    /// Expects every chunk in the cache to equal the video's bytes.
    private func expectRightChunks(in place: Workplace, isChanged: Bool) throws {
        let truth = try truth(isChanged: isChanged)
        guard place.has("cache/cache.sqlite") else { return }
        for chunk in try ScenarioState(copyOf: place.path("cache"), place).chunks.values.joined() {
            let isRight =
                chunk.range.upperBound <= truth.count
                && chunk.bytes.elementsEqual(
                    truth[Int(chunk.range.lowerBound)...].prefix(Int(chunk.range.count)))
            #expect(isRight, "the chunk at \(chunk.range) is wrong")
        }
    }

    private func expectRightExport(
        of url: String, in place: Workplace, isChanged: Bool
    ) async throws {
        try await downloader(
            "export", "--cache", "cache", "--url", url, "--output", "out.mp4", in: place, exits: 0)
        let bytes = try place.data("out.mp4")
        let isRight = try bytes == Data(truth(isChanged: isChanged))
        #expect(isRight)
    }
}
