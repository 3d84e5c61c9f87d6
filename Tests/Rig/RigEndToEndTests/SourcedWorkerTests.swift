import Foundation
import RigModel
import RigProfiles
import Testing

@testable import RigLab

/// A worker that uses no HTTP, with its own source, which is not killed: rsync.
@Suite(
    .enabled("rsync is not installed: no worker with a source of its own is tested") {
        installed("rsync") != nil
    })
struct SourcedWorkerTests {
    private static func worker(_ profile: String) throws -> ForeignWorker {
        let shipped = try Workers.named(profile).setting(["bandwidth": "8m"])
        return ForeignWorker(
            profile: shipped.changingPrograms { installed($0) ?? $0 }, videoLength: 8 << 20)
    }

    private static func kill(
        _ profile: String, at share: Double, in place: Workplace
    ) async throws -> IterationEvidence? {
        try await worker(profile).settings(place).inLaboratory { laboratory in
            try await laboratory.measureUninterrupted(ForeignWorker.policy, runs: 1)
            return try await laboratory.oneKill(at: .time(share))
        }
    }

    /// Without `--inplace` there is no file under the video's name; with it, there is what was
    /// written.
    @Test(arguments: [("rsync", false), ("rsync-inplace", true)])
    func whatItReceivedIsNotKnownAndWhatItKeptIsRead(profile: String, keeps: Bool) async throws {
        let place = Workplace()
        let evidence = try #require(try await Self.kill(profile, at: 0.5, in: place))
        #expect(evidence.death == .signaled(9))
        #expect(!evidence.contract.asksOrigin)
        #expect(evidence.requests.isEmpty)
        #expect(evidence.sockets?.received == nil)
        #expect(evidence.sockets?.unknownReason?.contains("a source of its own") == true)
        let recovered = try #require(evidence.autopsy?.recovered.count)
        #expect(keeps ? (1..<8 << 20).contains(recovered) : recovered == 0, "\(recovered)")
        let resumption = try #require(evidence.resumption)
        #expect(resumption.endedWell, "\(resumption.complaint ?? "")")
        #expect(resumption.differingBytes == 0)
        #expect(resumption.taken == nil)
        #expect(try place.processes().isEmpty)
    }

    @Test func aSourceThatCannotStartIsSaid() async throws {
        let place = Workplace()
        var broken = try Self.worker("rsync").profile
        broken = broken.changingTexts { $0.replacing("--daemon", with: "--deamon") }
        let objection = try #require(try await ForeignWorker(profile: broken).objection(in: place))
        #expect(objection.status == .unavailable)
        #expect(objection.message.contains("its source ended before it was ready"))
        #expect(objection.message.contains("usage error"), "\(objection)")
        #expect(try place.processes().isEmpty)
    }
}
