import Foundation
import Glibc
import RigModel
import Testing

@testable import RigLab

/// A worker goes on when its disk is full, until it has ended, or is given up.
@Suite(.timeLimit(.minutes(2))) struct FullDiskKillTests {
    /// Shows a worker that has received what was planned, and makes no progress.
    private struct DueWatch: WorkerWatch {
        var glance: Glance { Glance(received: ByteRanges([0..<1_000]), progress: 1_000) }
        var hasReachedHold: Bool { false }
    }

    private struct Times {
        var patience = 60.0
        var parting = Double.infinity
    }

    /// Fills the disk of a script, which gets the paths of two files: the first one is there when
    /// the disk is full, the second one when the origin sends the rest.
    private func fill(
        _ script: String, _ times: Times = Times(), at moment: Trigger = .bytes(1_000),
        isAsked: Bool = false, canFill: Bool = true
    ) async throws -> (death: Death, observed: Milestones) {
        let folder = try TemporaryFolder()
        let (full, rest) = (folder.file("full"), folder.file("rest"))
        let ready = folder.file("ready")
        var hooks = KillHooks()
        hooks.sendLastByte = { _ = FileManager.default.createFile(atPath: rest, contents: nil) }
        if isAsked { hooks.isOver = { FileManager.default.fileExists(atPath: ready) } }
        var controller = KillController(
            planned: PlannedKill(kill: 1, trigger: moment, delaySeconds: 0),
            uninterruptedSeconds: .infinity, watch: DueWatch(),
            stallDetector: StallDetector(seconds: times.patience, interruption: Interruption()),
            hooks: hooks)
        controller.partingSeconds = times.parting
        controller.ending = .init(after: 1_000, seconds: 0.02)
        let result = try await WorkerLauncher(environment: [:], fault: .diskFull).run(
            ["/bin/sh", "-c", script, full, rest, ready], log: folder.file("log")
        ) { [controller] worker in
            var armed = worker
            armed.fillDisk = {
                canFill && FileManager.default.createFile(atPath: full, contents: nil)
            }
            return controller.killWorker(armed)
        }
        withExtendedLifetime(folder) {}
        return result
    }

    private static let deaf = "trap '' TERM; : > \"$2\"; while :; do sleep 0.02; done"

    private static let heedful =
        "until [ -e \"$0\" ] && [ -e \"$1\" ]; do sleep 0.01; done; exit "

    /// The time from the last byte to the full disk was learned as that of the whole end.
    @Test func anEndInWhichTheDiskGetsFullShowsNotHowLongItTakes() async throws {
        let (death, outcome) = try await fill("\(Self.heedful)0", at: .ending(0.5))
        #expect(death == .exited(0))
        #expect(outcome.sent && outcome.endingSeconds == nil)
    }

    @Test func itEndsByItself() async throws {
        let (death, outcome) = try await fill("\(Self.heedful)74")
        #expect(death == .exited(74))
        #expect(outcome.sent && outcome.gaveUp == nil)
        #expect(outcome.moment == nil && outcome.killSeconds == nil, "it is no kill")
    }

    @Test func aHangIsGivenUp() async throws {
        let (death, outcome) = try await fill(Self.deaf, Times(patience: 0.3))
        #expect(death == .signaled(SIGKILL))
        #expect(outcome.sent && outcome.gaveUp == .stalled)
    }

    /// One that has run long enough (`--for`) is asked to end, and is not blamed where it takes long.
    @Test func oneThatIsAskedToEndHasItsTime() async throws {
        let (death, outcome) = try await fill(Self.deaf, Times(parting: 0.3), isAsked: true)
        #expect(death == .signaled(SIGKILL))
        #expect(outcome.sent && outcome.gaveUp == nil && outcome.wasForced)
    }

    @Test func whereTheDiskCannotBeFilledItIsEnded() async throws {
        let (death, outcome) = try await fill(Self.deaf, canFill: false)
        #expect(death == .signaled(SIGKILL))
        #expect(!outcome.sent)
    }
}
