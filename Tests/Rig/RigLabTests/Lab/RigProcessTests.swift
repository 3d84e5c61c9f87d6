import Glibc
import RigLab
import RigModel
import Testing

/// A part of a larger run is bounded, and what ends it is told apart.
///
/// A part that a signal ended took all that the other parts had found with it.
@Suite struct RigProcessTests {
    private func run(
        _ script: String, within seconds: Double? = nil, grace: Double = 60,
        unless interruption: Interruption = Interruption()
    ) async throws -> RigProcess.End {
        let folder = try TemporaryFolder()
        return try await RigProcess.run(
            executable: "/bin/sh", arguments: ["-c", script], environment: [:],
            log: folder.file("log"), within: seconds, grace: grace, unless: interruption)
    }

    @Test func howItEndedIsToldApart() async throws {
        let ended = try await run("exit 99", within: 600)
        #expect(ended.exitCode == 99 && ended.signal == nil && !ended.wasCutOff)
        let crashed = try await run("kill -SEGV $$", within: 600)
        #expect(crashed.exitCode == RigModel.ExitStatus.failure.rawValue)
        #expect(crashed.signal == SIGSEGV && !crashed.wasCutOff)
    }

    @Test func whatGoesOnForeverIsToldToEnd() async throws {
        let asked = try await run(
            "trap 'exit 130' TERM; while :; do sleep 0.01; done", within: 0.5)
        #expect(asked.exitCode == 130 && asked.wasCutOff)
        // One that does not listen is killed.
        let killed = try await run(
            "trap '' TERM; while :; do sleep 0.01; done", within: 0.2, grace: 0.2)
        #expect(killed.exitCode == RigModel.ExitStatus.interrupted.rawValue)
        #expect(killed.signal == nil && killed.wasCutOff)
    }

    @Test func anInterruptionEndsItBeforeItsTime() async throws {
        let interruption = Interruption()
        interruption.raise()
        await #expect(throws: Interrupted.self) {
            _ = try await run("exec sleep 1000", within: 600, unless: interruption)
        }
    }
}
