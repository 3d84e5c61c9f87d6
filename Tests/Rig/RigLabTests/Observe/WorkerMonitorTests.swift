import Foundation
import RigModel
import Synchronization
import Testing

@testable import RigLab

/// A worker that is not killed is watched to its end.
struct WorkerMonitorTests {
    /// Shows what was read only once it is asked to settle, as a kernel that reports late.
    private final class LateWatch: WorkerWatch {
        private let isSettled = Mutex(false)

        var glance: Glance {
            isSettled.withLock { $0 } ? Glance(received: ByteRanges([0..<1000])) : Glance()
        }

        func settle() { isSettled.withLock { $0 = true } }
    }

    /// A program that fetched its file in a few milliseconds was refused (exit code 69).
    ///
    /// On a busy machine the kernel reported its only connection after the program's end, and the
    /// last look had been taken: the worker was "not seen to take a byte". It ended a whole run.
    @Test func aConnectionThatTheKernelReportsLateIsSeen() async throws {
        let folder = try TemporaryFolder()
        let monitor = WorkerMonitor(
            watch: LateWatch(), videoLength: 1000,
            stallDetector: StallDetector(seconds: 60, interruption: Interruption()))
        let result = try await WorkerLauncher(environment: [:]).run(
            ["/bin/true"], log: folder.file("log")
        ) { monitor.attend($0) }
        #expect(result.death == .exited(0))
        #expect(result.observed.firstByte != nil)
    }

    /// A server's script that traps the request was refused as one that leaves processes.
    @Test func whatDoesNotEndWhenItIsAskedToIsForced() async throws {
        let folder = try TemporaryFolder()
        let ready = folder.file("ready")
        let monitor = WorkerMonitor(
            watch: LateWatch(), videoLength: 1000,
            stallDetector: StallDetector(seconds: 60, interruption: Interruption()),
            isOver: { FileManager.default.fileExists(atPath: ready) }, partingSeconds: 0.1)
        let result = try await WorkerLauncher(environment: [:], asksGroup: true).run(
            ["/bin/sh", "-c", "trap '' TERM; sleep 60 & touch \(ready); wait"],
            log: folder.file("log")
        ) { monitor.attend($0) }
        #expect(result.death == .signaled(9))
        #expect(result.observed.wasForced && result.observed.wasAsked)
        #expect(result.observed.gaveUp == nil)
    }
}
