import Foundation
import RigModel
import Testing
import TestSupport
import Witness

@testable import RigLab

/// Which entry of a phase a kill is planned for, and that the kill controller waits for it.
@Suite struct PhaseHoldTests {
    private static let policy = Policy(threshold: nil)

    private static func kill(_ phase: Phase, position: Double, kill: Int = 1) -> PlannedKill {
        PlannedKill(kill: kill, trigger: .phase(phase), position: position, delaySeconds: 0)
    }

    @Test(arguments: [
        (Phase.committing, 0.0, 1), (.committing, 0.5, 11), (.committing, 0.999, 20),
        // The first entries belong to a probe.
        (.receiving, 0.0, 2), (.receiving, 0.999, 5), (.completing, 0.0, 2),
        // There is one entry before the first byte of a life.
        (.recovering, 0.9, 1), (.connecting, 0.9, 1),
        // Never seen, but it may still happen.
        (.evicting, 0.9, 1),
    ])
    func thePositionChoosesAmongTheEntriesSeen(phase: Phase, position: Double, entry: Int) {
        let counts = PhaseCounts()
        counts.note(
            [.committing: 21, .receiving: 5, .completing: 3, .recovering: 1, .connecting: 2],
            of: Self.policy)
        counts.note(
            [.committing: 20, .receiving: 7, .completing: 3, .recovering: 1, .connecting: 2],
            of: Self.policy)
        let hold = counts.hold(
            for: Self.kill(phase, position: position), of: Self.policy, workload: .download)
        #expect(hold == PhaseHold(phase: phase, entry: entry))
    }

    @Test func otherTriggersHoldNoWorker() {
        let kill = PlannedKill(kill: 1, trigger: .bytes(7), delaySeconds: 0)
        let hold = PhaseCounts().hold(for: kill, of: Self.policy, workload: .download)
        #expect(hold == nil)
    }

    @Test func aPlayersIdleProxyIsKilledWhenItHasSomethingToLose() {
        let counts = PhaseCounts()
        counts.note([.idle: 4, .connecting: 9], of: Self.policy)
        for (phase, last) in [(Phase.idle, 4), (.connecting, 9)] {
            let first = counts.hold(
                for: Self.kill(phase, position: 0), of: Self.policy, workload: .playback)
            #expect(first?.entry == 2)
            let end = counts.hold(
                for: Self.kill(phase, position: 0.999), of: Self.policy, workload: .playback)
            #expect(end?.entry == last)
        }
    }

    /// A life after a kill enters the phases before its first byte once, whatever other lives do.
    @Test func laterKillsOfAChainComeAtTheFirstEntry() {
        let counts = PhaseCounts()
        counts.note([.committing: 20], of: Self.policy)
        let hold = counts.hold(
            for: Self.kill(.committing, position: 0.9, kill: 2), of: Self.policy,
            workload: .download)
        #expect(hold?.entry == 1)
    }

    private static func uninterrupted(
        entries: Int, damage: Int64 = 0, death: Death = .exited(0), sent: Bool = false,
        integrityCheck: String = "ok", checksumMatches: Bool = true,
        claimed: Range<Int64> = 0..<9, acknowledged: Int64 = 9
    ) -> IterationEvidence {
        let resumption = Resumption(
            death: .exited(0), requests: [], recoverySeconds: nil, resumeSeconds: nil,
            differingBytes: damage, firstDifference: nil, complaint: nil)
        return IterationEvidence(
            plan: PlannedIteration(
                iteration: 1, policy: policy, kills: [kill(.committing, position: 0.9)], seed: 1),
            kill: 1, fault: .sigkill, videoLength: 9, death: death, killSent: sent,
            killSeconds: nil, killFraction: nil, requests: [],
            witness: WitnessReading(
                phase: .idle, commits: 0,
                requests: [
                    WitnessedRequest(
                        start: 0, received: 9, acknowledged: acknowledged, isActive: false)
                ], entries: [.committing: entries]),
            autopsy: Autopsy(
                integrityCheck: integrityCheck,
                chunks: [
                    StoredChunk(range: 0..<9, checksumMatches: checksumMatches, differingBytes: 0)
                ], claimedRanges: ByteRanges([claimed]), firstDifference: nil),
            autopsyError: nil, resumption: resumption)
    }

    /// A run without the entry that other runs had is repeated, with an earlier one.
    ///
    /// A run that shows anything to be judged is kept.
    @Test(arguments: [
        (uninterrupted(entries: 4), true), (uninterrupted(entries: 0), false),
        (uninterrupted(entries: 4, damage: 1), false),
        (uninterrupted(entries: 4, death: .exited(69)), false),
        (uninterrupted(entries: 4, death: .signaled(9), sent: true), false),
        (uninterrupted(entries: 4, integrityCheck: "page 3 is missing"), false),
        (uninterrupted(entries: 4, checksumMatches: false), false),
        (uninterrupted(entries: 4, claimed: 0..<12), false),
        (uninterrupted(entries: 4, acknowledged: 12), false),
    ])
    func anIterationWithoutThePlannedEntryTeaches(
        evidence: IterationEvidence, beginsAnew: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let counts = PhaseCounts()
        counts.note([.committing: 10], of: Self.policy)
        let outcome = IterationOutcome(
            kills: [evidence], folder: try IterationFolder(creating: folder.file("1")),
            stopwatch: IterationStopwatch(of: evidence.plan))
        #expect(counts.learn(from: outcome) == beginsAnew)
        let next = counts.hold(for: evidence.planned, of: Self.policy, workload: .download)
        #expect(next?.entry == (beginsAnew ? 4 : 10))
    }

    private func killWorker(
        _ hold: PhaseHold, command: (String) -> [String] = { _ in ["/bin/sleep", "1000"] },
        isOver: (@Sendable (_ folder: String) -> Bool)? = nil,
        writing: @escaping @Sendable (WitnessWriter, String) -> Void
    ) async throws -> (death: Death, observed: Milestones) {
        let folder = try TemporaryFolder()
        let witness = try WitnessWatch(path: folder.file("witness"), hold: hold)
        let writer = try WitnessWriter(path: folder.file("witness"))
        let path = folder.file("")
        var hooks = KillHooks()
        hooks.isOver = { isOver?(path) ?? false }
        let controller = KillController(
            planned: Self.kill(hold.phase, position: 0), uninterruptedSeconds: .infinity,
            watch: witness, stallDetector: StallDetector(seconds: 60, interruption: Interruption()),
            hooks: hooks)
        return try await WorkerLauncher(environment: [:]).run(
            command(path), log: folder.file("log")
        ) {
            writing(writer, path)
            return controller.killWorker($0)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func thePlannedEntryIsStruckBeforeAnyByte() async throws {
        let result = try await killWorker(PhaseHold(phase: .recovering, entry: 1)) { writer, _ in
            writer.enter(.recovering)
        }
        #expect(result.death == .signaled(SIGKILL))
        #expect(result.observed.sent)
        #expect(result.observed.secondsSinceFirstByte == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func anEarlierEntryIsNot() async throws {
        let result = try await killWorker(
            PhaseHold(phase: .committing, entry: 2), command: { _ in ["/bin/sh", "-c", "exit 0"] }
        ) { writer, _ in
            writer.enter(.committing)
            writer.enter(.receiving)
        }
        #expect(result.death == .exited(0))
        #expect(!result.observed.sent)
    }

    /// A worker that is done with its work enters its last phases only when it is asked to end.
    @Test(.timeLimit(.minutes(1)))
    func aWorkerThatEndsInGoodOrderIsStruckToo() async throws {
        let script = """
            trap 'touch "$0/asked"' TERM; touch "$0/ready"; while :; do sleep 0.01; done
            """
        let exists: @Sendable (String, String) -> Bool = {
            FileManager.default.fileExists(atPath: $0 + $1)
        }
        let result = try await killWorker(
            PhaseHold(phase: .idle, entry: 1),
            command: { ["/bin/sh", "-c", script, $0] }, isOver: { exists($0, "ready") }
        ) { writer, folder in
            Thread {
                try? blockUntil("it is asked to end") { exists(folder, "asked") }
                writer.enter(.idle)
            }.start()
        }
        #expect(result.death == .signaled(SIGKILL))
        #expect(result.observed.sent)
    }
}
