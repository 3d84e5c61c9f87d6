import Foundation
import Glibc
import RigModel
import TestSupport
import Testing
import Witness

@testable import RigLab

/// A power cut after some seconds in which nothing happened.
///
/// The kernel commits its journal by itself, every five seconds, and writes data after thirty. Every
/// cut came within milliseconds of the last write, so none came between the two.
@Suite struct IdleCutTests {
    @Test func oneCutOfSixteenIsIdle() {
        let idle = (0..<4800 as Range<UInt64>).count { PowerCut.isIdle(iterationSeed: $0, kill: 1) }
        #expect((240...360).contains(idle))
    }

    /// A short record is appended and not synced: its length is there after the cut, and zeros.
    @Test(.enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
    func theKernelHasCommittedItsJournalByItself() async throws {
        let folder = try TemporaryFolder()
        let volume = try await folder.volume()
        let seed = try #require(
            (0..<1000 as Range<UInt64>).first {
                PowerCut.isIdle(iterationSeed: $0, kill: 1)
                    && EarlyWriteback.mean(iterationSeed: $0, kill: 1) == nil
            })
        let path = "\(volume.state)/log"
        try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: path))
        try VolumeMount.sync(volume.folder)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "printf %100s >>'\(path)'; exec sleep 60"]
        try process.run(within: .seconds(60))
        defer { process.terminate() }
        try await eventually("the record is written") { path.fileSize == 200 }
        _ = try WitnessWriter(path: folder.file("witness"))
        let power = PowerCut(
            of: volume, iterationSeed: seed, kill: 1, uninterruptedSeconds: 1,
            watching: try WitnessWatch(path: folder.file("witness")))
        let group = process.processIdentifier
        let worker = LivingWorker(
            launched: .now, processID: group, kill: { kill(group, SIGKILL) }, end: {},
            askGroup: {}, send: { _ in }, fault: .powerCut, environment: [:])
        power.arming(worker).kill()
        try await eventually("the worker is dead") { !process.isRunning }
        try power.restore()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(bytes == Data(repeating: 1, count: 100) + Data(count: 100))
        try volume.tearDown()
    }
}
