import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import Synchronization
import Testing
import Witness

extension EndToEndTests {
    /// Where kills by the clock land, against where they were planned.
    ///
    /// `harness/ci/kill-moments` runs the second test with 400 kills, in both storages, on a quiet
    /// machine and on one that is not.
    @Suite struct KillMomentTests {
        private static let video: Int64 = 10 << 20
        private static let policy = Policy(threshold: ByteSize(bytes: 512 << 10))

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

        /// By its page such a worker decides itself when its kill comes: kills that were planned from
        /// 852,147 bytes to 5,261,237 all came at 6,291,456.
        ///
        /// That it notes late is found as well.
        @Test func aWorkerThatNotesLateIsKilledAtItsBytes() async throws {
            let evidence = try await kill(
                by: .bytes, iterations: 10, environment: ["DOWNLOADER_SABOTAGE": "note-late"])
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

        /// A worker used to be let go again before its kill until its page and the kernel agreed,
        /// which moved kills out of receiving and into commits: unharmed lives spent 42 % of their
        /// time receiving and 34 % committing, and 300 kills by the clock landed there 15 % and 70 %
        /// of the time.
        @Test func killsLandInPhasesAsLivesSpendTheirTime() async throws {
            let kills = Self.setting("KILLS").flatMap { Int($0) } ?? 60
            let storage = Self.setting("STORAGE") ?? "file"
            // Lives and kills take turns, so that a machine that gets slower does so for both.
            var lives: [PhaseShares.Life] = []
            var units: [Double] = []
            var rates: [Double] = []
            var counts: [String: Int] = [:]
            let turns = max(2, kills / 50)
            for turn in 0..<turns {
                for _ in 0..<20 {
                    let life = try await unharmedLife(storage: storage)
                    lives.append(life.looks)
                    units.append(try #require(life.completeSeconds))
                    rates.append(life.perSecond)
                }
                let share = (kills * (turn + 1)) / turns - (kills * turn) / turns
                for row in try await kill(
                    by: .time, iterations: share, storage: storage, seed: 51 + UInt64(turn))
                {
                    let phase = row.killSent ? row.witness.map { $0.phase.rawValue } : nil
                    counts[phase ?? PhaseShares.ended, default: 0] += 1
                }
            }
            let unit = units.sorted()[units.count / 2]
            let fractions = KillPlan.timeFractions
            let shares = PhaseShares.shares(
                of: lives, in: fractions.lowerBound * unit...fractions.upperBound * unit)
            let test = ChiSquare(counts, against: shares)
            report(counts, shares, test, rate: rates.sorted()[rates.count / 2])
            #expect(test.pValue > 0.001)
        }

        private func report(
            _ counts: [String: Int], _ shares: [String: Double], _ test: ChiSquare, rate: Double
        ) {
            let total = counts.values.reduce(0, +)
            for name in Set(counts.keys).union(shares.keys).sorted() {
                let count = counts[name] ?? 0
                let share = 100 * Double(count) / Double(total)
                print(
                    "kill-moments: \(name) kills \(count) (\(FixedPoint.text(share, decimals: 1)) %)"
                        + " time \(FixedPoint.text(100 * (shares[name] ?? 0), decimals: 1)) %")
            }
            print(
                "kill-moments: chi-square \(FixedPoint.text(test.statistic, decimals: 2)),"
                    + " \(test.degrees) degrees, p \(FixedPoint.text(test.pValue, decimals: 4)),"
                    + " pages sampled \(Int(rate)) times a second")
        }

        /// Fetches the video and samples its page meanwhile.
        private func unharmedLife(storage: String) async throws -> PhaseShares.Sampled {
            let place = try Workplace()
            let page = place.path("witness")
            let witness = try WitnessReader(path: page)
            let video = try FixtureVideo(seed: 1, length: Self.video)
            let origin = FixtureOrigin()
            try await origin.start()
            let sampled = Mutex<PhaseShares.Sampled?>(nil)
            do {
                let mount = origin.mount(Resource(source: video), at: "/v.mp4")
                _ = try await Programs.run(
                    Programs.downloader,
                    [
                        "fetch", "--url", mount.url, "--cache", place.path("cache"),
                        "--threshold", "512KB", "--storage", storage,
                    ], in: place.url, environment: ["RIG_WITNESS": page]
                ) { processID in
                    // On a thread of its own: the origin needs those of the pool.
                    let life = try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result {
                                    try PhaseShares.sample(
                                        witness, of: processID, length: UInt64(Self.video))
                                })
                        }
                    }
                    sampled.withLock { $0 = life }
                }
            }
            await origin.stop()
            return try #require(sampled.withLock { $0 })
        }

        private func kill(
            by trigger: TriggerKind, iterations: Int, storage: String = "file", seed: UInt64 = 51,
            environment: [String: String] = [:]
        ) async throws -> [IterationEvidence] {
            let place = try Workplace()
            let video = try FixtureVideo(seed: 1, length: Self.video)
            let origin = FixtureOrigin()
            try await origin.start()
            let laboratory = Laboratory(
                settings: LaboratorySettings(
                    worker: try Programs.worker().setting(["storage": storage]),
                    resource: Resource(source: video), fileName: "fixture.mp4",
                    scratch: place.path("scratch"), environment: environment),
                origin: origin, interruption: Interruption(), isSound: Judge.isSound)
            let plan = KillPlan(
                seed: seed, iterations: iterations, policies: [Self.policy], trigger: trigger,
                videoLength: video.length)
            try await laboratory.measureUninterrupted(Self.policy)
            var evidence: [IterationEvidence] = []
            for planned in plan.schedule {
                let outcome = try await laboratory.perform(planned)
                laboratory.discard(outcome)
                evidence += outcome.kills
            }
            await origin.stop()
            return evidence
        }
    }
}
