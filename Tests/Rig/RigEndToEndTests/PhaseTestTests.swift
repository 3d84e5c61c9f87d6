import RigModel
import Testing

/// The comparison of kills with the phases of the other launches, on launches that were made up.
@Suite struct PhaseTestTests {
    private var random = SplitMix64(seed: 11)

    /// A launch of a second, killed or not.
    ///
    /// It receives for 42 % of it, commits for 34 %, and once in a while does something rare.
    private mutating func life(killed: Bool) -> SampledLife {
        var looks: [SampledLife.Look] = []
        var time = 0.0
        func append(_ phase: String, _ seconds: Double) {
            looks.append(.init(seconds: time, phase: phase))
            time += seconds
        }
        while time < 1 {
            for (phase, mean) in [("receiving", 0.021), ("committing", 0.017), ("waiting", 0.011)] {
                append(phase, Double.random(in: mean / 2...mean * 3 / 2, using: &random))
            }
            if Int.random(in: 0..<20, using: &random) == 0 { append("opening", 0.025) }
        }
        let end = killed ? Double.random(in: 0.05..<1, using: &random) : 1
        return SampledLife(
            looks: looks.filter { $0.seconds <= end }, seconds: end, workSeconds: killed ? nil : 1,
            looksPerSecond: 10_000, gaps: [])
    }

    private mutating func lives() -> [SampledLife] { (0..<80).map { life(killed: $0 < 60) } }

    /// Of 60 runs whose kills come by chance, few are taken for others.
    @Test mutating func chanceIsSeldomTakenForMore() {
        let values = (0..<60).map { _ in PhaseTest(lives(), draws: 3000).pValue }
        #expect(values.count { $0 < 0.001 } == 0)
        #expect(values.count { $0 < 0.05 } <= 8)
        #expect(values.count { $0 < 0.5 } >= 18, "and it is not always content")
    }

    /// Kills that had waited for the next commit, as the rig's once did.
    @Test mutating func killsThatWaitForACommitAreSeen() {
        let moved = lives().map { life in
            guard life.lastPhase == "receiving" else { return life }
            return SampledLife(
                looks: life.looks + [.init(seconds: life.seconds, phase: "committing")],
                seconds: life.seconds, workSeconds: nil, looksPerSecond: 10_000, gaps: [])
        }
        #expect(PhaseTest(moved).pValue < 0.001)
    }

    /// A sampler that was kept from running has missed short phases: it does not know.
    @Test mutating func whatWasNotSampledDoesNotCount() throws {
        let life = life(killed: true)
        let blind = SampledLife(
            looks: life.looks, seconds: life.seconds, workSeconds: nil, looksPerSecond: 10_000,
            gaps: [0.01...0.03, life.seconds - 0.002...life.seconds])
        #expect(life.phase(at: 0.02) != nil && blind.phase(at: 0.02) == nil)
        #expect(blind.phase(at: 0.04) == life.phase(at: 0.04))
        #expect(life.lastPhase != nil && blind.lastPhase == nil)
        #expect(PhaseTest([blind, life]).counts.values.reduce(0, +) == 1)
    }
}
