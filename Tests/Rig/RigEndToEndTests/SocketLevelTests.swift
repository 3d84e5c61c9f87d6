import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import Testing

/// Compares what the kernel reports of a worker's sockets at its kill with other evidence.
///
/// Of a worker with a page, WitnessWorkerTests does so.
@Suite struct SocketLevelTests {
    /// With `-N` curl writes what it has read at once, so its file has what it took.
    ///
    /// A kill between its read and its write loses at most one buffer. That happens by chance,
    /// in three of twenty kills once; a count that is wrong by a read would agree in none.
    @Test func curlHasWrittenWhatItTook() async throws {
        let buffer: Int64 = 102_400
        var sizes: [Int64] = []
        let evidence = try await Self.kill(Self.curl, iterations: 12) { outcome in
            let file = "\(outcome.folder.stateCopy(ofKill: 1))/fixture.mp4"
            let facts = try? FileManager.default.attributesOfItem(atPath: file)
            sizes.append((facts?[.size] as? NSNumber)?.int64Value ?? 0)
        }
        let struck = zip(evidence, sizes).filter { row, _ in
            row.killSent && row.death == .signaled(9)
        }
        #expect(struck.count >= 10)
        var agreeing = 0
        for (row, size) in struck {
            let received = try #require(row.sockets?.received)
            #expect(received == ByteRanges([0..<received.count]))
            #expect((size...size + buffer).contains(received.count))
            agreeing += received.count == size ? 1 : 0
            #expect(row.resumption?.taken == ByteRanges([size..<row.videoLength]))
            #expect(row.resumption?.differingBytes == 0)
        }
        #expect(agreeing > struck.count / 2)
    }

    /// Four connections at once: aria2 takes what the origin sends, at any position in the video.
    @Test(.enabled(if: installed("aria2c") != nil, "aria2c is not installed"))
    func connectionsAddUpOverRanges() async throws {
        let aria2 = WorkerProfile(
            name: "aria2",
            command: [
                "aria2c", "-q", "-x4", "-s4", "-k1M", "-c", "-d", "{dir}", "-o",
                "fixture.mp4", "{url}",
            ])
        let evidence = try await Self.kill(
            aria2, iterations: 8, trigger: .bytes, videoLength: 8 << 20)
        #expect(evidence.count == 8)
        var mostRanges = 0
        for row in evidence {
            guard case .bytes(let planned) = row.planned.trigger else { continue }
            let received = try #require(row.sockets?.received)
            #expect(received.count == planned)
            mostRanges = max(mostRanges, received.ranges.count)
            // By default it records its progress once a minute, so it has recorded nothing.
            #expect(row.resumption?.taken?.count == row.videoLength)
            #expect(row.resumption?.differingBytes == 0)
        }
        #expect(mostRanges == 4)
    }

    static let curl = WorkerProfile(
        name: "curl-unbuffered",
        command: ["curl", "-sS", "-N", "-C", "-", "-o", "{output}", "{url}"])

    /// Performs iterations of random kills with a paced video.
    static func kill(
        _ worker: WorkerProfile, iterations: Int, trigger: TriggerKind = .random,
        videoLength: Int64 = 4 << 20, _ look: (IterationOutcome) -> Void = { _ in }
    ) async throws -> [IterationEvidence] {
        let place = Workplace()
        let video = try FixtureVideo(seed: 1, length: videoLength)
        let policy = Policy(threshold: ByteSize(bytes: 512 << 10))
        let plan = KillPlan(
            seed: 5, iterations: iterations, policies: [policy], trigger: trigger,
            videoLength: video.length)
        return try await LaboratorySettings(
            worker: worker, resources: [Resource(source: video, bytesPerSecond: 40_000_000)],
            fileName: "fixture.mp4", scratch: place.path("scratch"), environment: [:]
        ).inLaboratory { laboratory in
            try await laboratory.measureUninterrupted(policy)
            return try await laboratory.kills(of: plan, look)
        }
    }
}
