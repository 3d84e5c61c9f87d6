import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import Synchronization
import Testing
import Witness

/// Where timed kills land, compared with where they were planned.
///
/// `harness/ci/kill-moments` runs the last test with 400 kills, in both storages, with one job and
/// with two, and with one core kept busy.
@Suite struct KillMomentTests {
    private static let video: Int64 = 10 << 20
    /// Makes lives so long that a millisecond is a small part of them.
    private static let longVideo = ByteSize(bytes: 40 << 20)
    private static let policy = Policy(threshold: ByteSize(bytes: 512 << 10))

    private static let jobs = setting("JOBS").flatMap { Int($0) } ?? 1

    private static func setting(_ name: String) -> String? {
        ProcessInfo.processInfo.environment["RIG_KILL_MOMENTS_\(name)"]
    }

    @Test func theClockKillsWhereItWasPlanned() async throws {
        let evidence = try await kill(by: .time, iterations: 60, storage: "file")
        let struck = evidence.filter { $0.killSent && $0.death == .signaled(9) }
        #expect(struck.count >= 50)
        let planned = struck.compactMap { evidence -> Double? in
            guard case .time(let fraction) = evidence.planned.trigger else { return nil }
            return fraction
        }
        let moments = struck.compactMap(\.killFraction)
        #expect(zip(moments, planned).allSatisfy { $0 >= $1 }, "none is early")
        let spread = try #require(PairedKolmogorovSmirnov(planned, moments))
        #expect(spread.pValue > Tolerances.leastSpreadProbability)
    }

    /// Judged by its page, such a worker decides itself when its kill comes.
    ///
    /// Kills planned from 852,147 bytes to 5,261,237 all came at 6,291,456. Its late notes are
    /// found too.
    @Test func aWorkerThatNotesLateIsKilledAtItsBytes() async throws {
        let evidence = try await kill(by: .bytes, iterations: 10, environment: planted("note-late"))
        let judgements = evidence.map(Judge.judge)
        for judgement in judgements {
            let realised = try #require(judgement.figures.receivedNow?.count)
            switch judgement.evidence.planned.trigger {
            case .bytes(let planned): #expect(realised == planned)
            case .flowing(let planned): #expect(realised >= planned)
            default: Issue.record("another kind of kill")
            }
        }
        #expect(judgements.contains { $0.findings.map(\.checker) == [.agreement] })
    }

    /// A worker used to be resumed before its kill until its page and the kernel agreed.
    ///
    /// That moved kills out of receiving and into commits: unharmed lives spent 42 % of their time
    /// receiving and 34 % committing, but 300 timed kills landed there 15 % and 70 % of the time.
    ///
    /// A kill is compared with the other lives of the same run that were active at its moment.
    /// Lives outside a run are no reference: they lasted 62 ms, those of a run 77 ms, because the
    /// rig examines the previous life meanwhile.
    @Test func killsLandInPhasesAsLivesSpendTheirTime() async throws {
        let kills = Self.setting("KILLS").flatMap { Int($0) } ?? 60
        let storage = Self.setting("STORAGE") ?? "file"
        var lives: [SampledLife] = []
        let turns = max(1, kills / 50)
        for turn in 0..<turns {
            let share = (kills * (turn + 1)) / turns - (kills * turn) / turns
            lives += try await killedByTheClock(share, storage: storage, seed: 51 + turn)
        }
        let killed = lives.filter { $0.workSeconds == nil }
        // Of two jobs one is sampled, which makes about half of the kills.
        #expect(killed.count >= (Self.jobs == 1 ? kills * 9 / 10 : kills / 3))
        let test = PhaseTest(lives)
        report(test, lives)
        let compared = test.counts.values.reduce(0, +)
        #expect(2 * compared >= killed.count, "the sampler was kept from most of the kills")
        #expect(test.pValue > 0.001)
    }

    private func report(_ test: PhaseTest, _ lives: [SampledLife]) {
        func median(_ values: [Double]) -> Double {
            values.isEmpty ? 0 : values.sorted()[values.count / 2]
        }
        let total = Double(test.counts.values.reduce(0, +))
        for (name, expected) in test.expected.sorted(by: { $0.key < $1.key }) {
            let count = test.counts[name] ?? 0
            let share = 100 * Double(count) / total
            let time = 100 * expected / total
            print(
                "kill-moments: \(name) kills \(count) (\(FixedPoint.text(share, decimals: 1)) %)"
                    + " time \(FixedPoint.text(time, decimals: 1)) %")
        }
        let whole = lives.compactMap(\.workSeconds)
        let length = FixedPoint.text(1000 * median(whole), decimals: 1)
        print(
            "kill-moments: chi-square \(FixedPoint.text(test.statistic, decimals: 2)),"
                + " \(test.degrees) degrees, p \(FixedPoint.text(test.pValue, decimals: 4)),"
                + " \(whole.count) lives of \(length) ms that were not killed,"
                + " pages sampled \(Int(median(lives.map(\.looksPerSecond)))) times a second")
    }

    /// The lives of a run started like a user's.
    private func killedByTheClock(
        _ count: Int, storage: String, seed: Int
    ) async throws -> [SampledLife] {
        let place = Workplace()
        let sampler = RunSampler(
            scratch: place.path(Self.jobs == 1 ? "run/scratch" : "run/scratch/job-1"),
            length: UInt64(Self.longVideo.bytes))
        let lives = Mutex<[SampledLife]>([])
        let outcome = try await Programs.run(
            Programs.rig,
            [
                "kill-test", "--out", "run", "--trigger", "time", "--iterations", "\(count)",
                "--video-size", "\(Self.longVideo)", "--set", "storage=\(storage)", "--seed",
                "\(seed)", "--jobs", "\(Self.jobs)",
            ], in: place.url
        ) { rig in
            let seen = try await Self.sample(sampler, of: rig, within: .seconds(10 * count))
            lives.withLock { $0 = seen }
        }
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
        return lives.withLock { $0 }
    }

    /// Samples on a separate thread, because the pool's threads have other work.
    private static func sample(
        _ sampler: RunSampler, of rig: pid_t, within limit: Duration
    ) async throws -> [SampledLife] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try sampler.lives(of: rig, within: limit) })
            }
        }
    }

    private func kill(
        by trigger: TriggerKind, iterations: Int, storage: String = "file", seed: UInt64 = 51,
        environment: [String: String] = [:]
    ) async throws -> [IterationEvidence] {
        let place = Workplace()
        let video = try FixtureVideo(seed: 1, length: Self.video)
        let plan = KillPlan(
            seed: seed, iterations: iterations, policies: [Self.policy], trigger: trigger,
            videoLength: video.length)
        return try await LaboratorySettings(
            worker: try Programs.worker(withBugs: !environment.isEmpty)
                .setting(["storage": storage]),
            resources: [Resource(source: video)], fileName: "fixture.mp4",
            scratch: place.path("scratch"), environment: environment
        ).inLaboratory { laboratory in
            try await laboratory.measureUninterrupted(Self.policy)
            return try await laboratory.kills(of: plan)
        }
    }
}
