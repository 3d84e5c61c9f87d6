import Foundation
import Glibc
@testable import RigLab
import RigModel
import Testing
import Witness

/// The order at the planned moment: read the evidence, cut the power, send signal 9.
@Suite(
    .serialized,
    .enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
struct PowerCutMomentTests {
    /// A worker is not held to what it acknowledges after the cut.
    ///
    /// Here it continues for as long as the test lets it.
    @Test func theEvidenceIsThePageAsItStoodAtTheCut() async throws {
        let folder = try TemporaryFolder()
        let volume = try await folder.volume()
        let writer = try WitnessWriter(path: folder.file("witness"))
        writer.enter(.receiving)
        let request = try #require(writer.begin(url: "u", start: 0))
        request.receive(100)
        request.acknowledge(upTo: 60)
        let power = PowerCut(
            of: volume, iterationSeed: 1, kill: 1, uninterruptedSeconds: 1,
            watching: try WitnessWatch(path: folder.file("witness")))
        let state = volume.state
        let result = try await WorkerLauncher(environment: [:]).run(
            ["/bin/sleep", "1000"], log: folder.file("log")
        ) { worker -> Bool in
            let armed = power.arming(worker)
            armed.kill()
            request.receive(50)
            request.acknowledge(upTo: 150)
            return FileManager.default.createFile(atPath: "\(state)/late", contents: Data([1]))
        }
        #expect(result.death == .signaled(SIGKILL))
        #expect(!result.observed, "the file system still takes files after the cut")
        try power.restore()
        #expect(try power.page.get().received.count == 100)
        #expect(try power.page.get().acknowledged.count == 60)
        #expect(power.records.first?.acknowledged == 60)
        try volume.tearDown()
    }

    @Test func aKillThatGoesPastTheVolumeIsNotTakenForACut() async throws {
        let folder = try TemporaryFolder()
        let volume = try await folder.volume()
        _ = try WitnessWriter(path: folder.file("witness"))
        let watch = try WitnessWatch(path: folder.file("witness"))
        #expect(throws: RigError.self) {
            try PowerCut(
                of: volume, iterationSeed: 1, kill: 1, uninterruptedSeconds: 1, watching: watch
            ).restore()
        }
        // Without a volume there is only the kill, and nothing to check.
        try PowerCut(of: nil, iterationSeed: 1, kill: 1, uninterruptedSeconds: 1, watching: watch)
            .restore()
        try volume.tearDown()
    }
}
