import RigModel
import RigVerdict
import Testing

/// Kills in a row: each is judged against what the previous one left (B6).
///
/// The scene is the second kill of a chain: the first left two chunks, this life received the next
/// three and 378,560 bytes more.
@Suite struct ChainJudgingTests {
    private static let baseline = ByteRanges([0..<2 * Scene.chunk])

    private static let healthy = Scene().with {
        $0.kill = 2
        $0.baseline = baseline
        $0.commits = 3
        $0.witnessed = [
            WitnessedRequest(
                start: 2 * Scene.chunk, received: Scene.reached - 2 * Scene.chunk,
                acknowledged: Scene.saved - 2 * Scene.chunk, isActive: true)
        ]
    }

    /// The next life was killed as well, and had requested a part.
    private static let killedAgain = healthy.with {
        $0.wasKilled = true
        $0.resumptionDeath = .signaled(9)
        $0.refetched = [Scene.saved..<Scene.video]
        $0.differing = nil
    }

    @Test(arguments: [healthy, killedAgain])
    func aHealthyChainPasses(_ scene: Scene) {
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.received?.count == Scene.reached)
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.saved)
        #expect(judgement.figures.bound == Scene.chunk)
    }

    @Test func aRowOfAChainSaysWhichKillItIs() {
        let row = Judge.judge(Self.healthy.evidence).row(
            runID: "r", worker: "w", workload: "download")
        #expect(row.kill == 2)
        #expect(row.acknowledgedBytes == Scene.saved)
        #expect(row.contradiction == nil)
    }

    /// A life killed before its first byte has received nothing, but can lose what earlier lives
    /// saved.
    @Test func whatAnEarlierLifeHadSavedMustNotGetLost() {
        let scene = Self.healthy.with {
            $0.witnessed = []
            $0.commits = 0
            $0.chunks = Array($0.chunks.prefix(1))
            $0.claimed = ByteRanges([0..<Scene.chunk])
            $0.refetched = [Scene.chunk..<Scene.video]
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.durability])
    }

    @Test func aKillInRecoveryThatCostsNothingPasses() {
        let scene = Self.healthy.with {
            $0.witnessed = []
            $0.commits = 0
            $0.chunks = Array($0.chunks.prefix(2))
            $0.claimed = Self.baseline
            $0.refetched = [2 * Scene.chunk..<Scene.video]
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.isEmpty == true)
    }

    /// The next life's bound must not excuse what one life lost.
    @Test func eachLifeHasItsOwnBound() {
        let scene = Self.healthy.with {
            $0.chunks = Array($0.chunks.prefix(4))
            $0.claimed = ByteRanges([0..<4 * Scene.chunk])
            $0.refetched = [4 * Scene.chunk..<Scene.video]
            $0.commits = 2
            $0.witnessed = [
                WitnessedRequest(
                    start: 2 * Scene.chunk, received: Scene.reached - 2 * Scene.chunk,
                    acknowledged: 2 * Scene.chunk, isActive: true)
            ]
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.findings.map(\.checker) == [.bound])
    }

    @Test func aKilledRelaunchIsHeldToWhatItAskedForAndToNothingElse() {
        let needless = Self.killedAgain.with { $0.refetched = [0..<Scene.video] }
        #expect(Judge.judge(needless.evidence).findings.map(\.checker) == [.resumption])
        // It had no time to send a request.
        let early = Self.killedAgain.with { $0.refetched = [] }
        #expect(Judge.judge(early.evidence).verdict == .pass)
    }

    /// If the state is not read, only the next life shows what a kill cost.
    ///
    /// That life was killed as well, so a pass would claim what was not observed.
    @Test func withoutItsStateAKilledRelaunchTellsNothing() {
        let scene = Scene.blackBox.with {
            $0.wasKilled = true
            $0.resumptionDeath = .signaled(9)
            $0.differing = nil
            $0.wrong = nil
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.contains("killed in its turn"))
        let row = judgement.row(runID: "r", worker: "w", workload: "download")
        #expect(row.contradiction == nil)
        #expect(row.corruptBytes == nil)
    }

    /// The last kill of such a chain shows the outcome, but not the loss.
    @Test func theLastKillOfABlackBoxChainSaysWhatIsNotJudged() {
        let scene = Scene.blackBox.with {
            $0.kill = 2
            $0.baseline = nil
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .pass)
        #expect(judgement.reason.hasPrefix("not judged: "))
        let row = judgement.row(runID: "r", worker: "w", workload: "download")
        #expect(row.contradiction == nil)
    }

    /// A relaunched worker that crashes by itself is a finding, not a kill of the chain.
    @Test func aRelaunchThatDiesByItselfIsAFinding() {
        let scene = Self.killedAgain.with {
            $0.wasKilled = false
            $0.resumptionDeath = .signaled(11)
        }
        #expect(Judge.judge(scene.evidence).findings.map(\.checker) == [.completion, .crash])
    }

    @Test(arguments: [Fault.abort, .segv, .oom])
    func otherDeathsHaveTheSameBound(_ fault: Fault) {
        let scene = Self.healthy.with {
            $0.fault = fault
            $0.death = .signaled(fault.signal)
        }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Scene.chunk)
    }
}
