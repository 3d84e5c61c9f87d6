import RigModel
import RigVerdict
import Testing

/// Kills in a row, each judged against what the previous one left (B6): the scene is the second,
/// after which two chunks were there, and this life received three and 378,560 bytes more.
@Suite struct ChainJudgingTests {
    private static let baseline = ByteRanges([0..<2 * Scene.chunk])

    private static let healthy = Scene().with {
        $0.kill = 2
        $0.baseline = baseline
        $0.commits = 3
        $0.witnessed = [
            .running(
                2 * Scene.chunk, got: Scene.reached - 2 * Scene.chunk,
                saved: Scene.saved - 2 * Scene.chunk)
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
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.received?.count == Scene.reached)
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.saved)
        #expect(judgement.figures.bound == Scene.chunk)
    }

    @Test func aRowOfAChainSaysWhichKillItIs() {
        let row = Self.healthy.judged.row("w")
        #expect(row.kill == 2 && row.acknowledgedBytes == Scene.saved && row.contradiction == nil)
    }

    /// A life killed before its first byte can lose what earlier lives saved.
    @Test func whatAnEarlierLifeHadSavedMustNotGetLost() {
        let judgement = Self.healthy.with {
            $0.witnessed = []
            $0.commits = 0
            $0.keep(0..<Scene.chunk)
        }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.durability])
    }

    @Test func aKillInRecoveryThatCostsNothingPasses() {
        let judgement = Self.healthy.with {
            $0.witnessed = []
            $0.commits = 0
            $0.chunks = Array($0.chunks.prefix(2))
            $0.claimed = Self.baseline
            $0.refetched = [2 * Scene.chunk..<Scene.video]
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.isEmpty == true)
    }

    /// The next life's bound must not excuse what one life lost.
    @Test func eachLifeHasItsOwnBound() {
        let judgement = Self.healthy.with {
            $0.chunks = Array($0.chunks.prefix(4))
            $0.claimed = ByteRanges([0..<4 * Scene.chunk])
            $0.refetched = [4 * Scene.chunk..<Scene.video]
            $0.commits = 2
            $0.witnessed = [
                .running(
                    2 * Scene.chunk, got: Scene.reached - 2 * Scene.chunk, saved: 2 * Scene.chunk)
            ]
        }.judged
        #expect(judgement.findings.map(\.checker) == [.bound])
    }

    @Test func aKilledRelaunchIsHeldToWhatItAskedForAndToNothingElse() {
        #expect(Self.killedAgain.with { $0.refetched = [0..<Scene.video] }.found == [.resumption])
        // It had no time to send a request.
        #expect(Self.killedAgain.with { $0.refetched = [] }.judged.verdict == .pass)
    }

    /// A program whose state is not read, killed again after it had fetched 100,000 bytes more.
    private static let blackBox = Scene.blackBox.with {
        $0.wasKilled = true
        $0.resumptionDeath = .signaled(9)
        $0.differing = nil
        $0.wrong = nil
        $0.taken = ByteRanges([Scene.kept..<Scene.kept + 100_000])
    }

    /// The last kill of such a chain, of a life that received what follows the first million.
    private static let secondKill = Scene.blackBox.with {
        $0.kill = 2
        $0.sockets = .taken(1_000_000..<Scene.reached)
    }

    /// What the launches after a kill have fetched shows what it cost: in chains of programs such
    /// as curl all kills but the last were left out.
    @Test func theLaunchesUpToTheEndShowWhatAKillCost() {
        let scene = Self.blackBox.with {
            $0.takenLater = ByteRanges([Scene.kept + 99_000..<Scene.video])
        }
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.kept)
        #expect(judgement.row("w").contradiction == nil)
        // It had 1,000 bytes less than it may have lost.
        let more = scene.with { $0.taken = ByteRanges([Scene.kept - 1_000..<Scene.kept + 100_000]) }
        #expect(more.found == [.bound])
        // What it has from elsewhere is fetched by none.
        let strange = scene.with {
            $0.takenLater = ByteRanges([Scene.kept + 99_000..<Scene.video - 7])
        }
        #expect(strange.found == [.unearned])
    }

    /// A byte that the next launch had not fetched again when it was killed, and a later one did,
    /// can have been lost by either; with the 3,776 that this one has cost, the most is known all
    /// the same.
    @Test(arguments: [(320, 2, Verdict.pass), (321, 2, .inconclusive), (8_512, 2, .inconclusive)])
    func whatEitherKillCanHaveLostIsNotKnown(count: Int64, later: Int, verdict: Verdict) {
        let scene = Self.blackBox.with {
            $0.laterKills = later
            $0.takenLater = ByteRanges([Scene.kept - count..<Scene.video])
        }
        let judgement = scene.judged
        #expect(judgement.verdict == verdict, "\(judgement.reason)")
        #expect(judgement.reason.contains("by this kill or by another one"))
        #expect(judgement.figures.recovered == nil)
        let row = judgement.row("w")
        #expect(row.contradiction == nil)
        #expect(!row.isUndecided)
        // Without a promise the loss is only reported.
        let free = scene.with { $0.contract = .blackBox(nil) }
        let reason = free.judged.reason
        #expect(reason.hasPrefix("not judged: loss (recovered is not known: "), "\(reason)")
    }

    /// What the first of three kills had left was unknown, and counted as nothing: so what the
    /// second one had left was known, wrongly, and the third one lost nothing of that.
    @Test func whatEarlierLivesHadReceivedCanBeLostByEitherKillToo() {
        let scene = Self.blackBox.with {
            $0.kill = 2
            $0.sockets = .taken(2_000_000..<Scene.reached)
            $0.takenLater = ByteRanges([0..<100, Scene.kept + 99_000..<Scene.video])
        }
        #expect(scene.judged.figures.recovered == nil)
        let known = scene.with { $0.takenBefore = ByteRanges([0..<2_000_000]) }
        #expect(known.evidence.lostByAnyKill?.ranges == [0..<100])
        // That is less than the bound, with what this kill has certainly cost.
        let judgement = known.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason.hasPrefix("not judged: loss ("), "\(judgement.reason)")
        // Had the first life not received that, the last one has fetched it for the first time.
        let other = scene.with { $0.takenBefore = ByteRanges([100..<2_000_000]) }
        #expect(other.evidence.keptUnfetched?.ranges == [100..<Scene.kept])
    }

    /// It loses what it had before, at a later kill, as often as it likes.
    @Test func whatAllKillsTogetherMayNotCostIsAFinding() {
        let scene = Self.blackBox.with {
            $0.laterKills = 1
            $0.takenLater = ByteRanges([0..<4_417, Scene.kept + 99_000..<Scene.video])
        }
        // With the 3,776 bytes that this kill has certainly cost.
        let judgement = scene.judged
        #expect(
            judgement.reason
                == "bound: this kill and the later ones lost 8193 bytes, more than the bound of 4096"
                + " for each of 2, at 0..<4417, 2996224..<3000000")
        #expect(judgement.row("w").contradiction == nil)
        // What an earlier kill, or none, can have cost is not held against these two.
        let before = scene.with {
            $0.kill = 2
            $0.takenBefore = ByteRanges([0..<1_000_000])
            $0.sockets = .taken(1_000_000..<Scene.reached)
        }
        #expect(before.judged.verdict == .inconclusive)
        let unsure = scene.with {
            $0.sockets = SocketReading(answers: [
                TakenAnswer(
                    taken: 1_000_000..<Scene.reached, isWhole: false, isUnderWay: true,
                    isBeingRead: true),
                TakenAnswer(
                    taken: 0..<0, mostTaken: 1_000_000, isWhole: false, isUnderWay: false,
                    isBeingRead: false),
            ])
        }
        #expect(unsure.judged.verdict == .inconclusive)
        let less = scene.with {
            $0.takenLater = ByteRanges([0..<4_416, Scene.kept + 99_000..<Scene.video])
        }
        #expect(less.judged.verdict == .inconclusive)
    }

    /// It starts over each time; nothing was known of its loss, so the run could not say.
    @Test func whatWasReceivedAndFetchedAgainIsLost() {
        let judgement = Self.blackBox.with {
            $0.taken = ByteRanges([0..<200_000])
            $0.takenLater = ByteRanges([0..<Scene.video])
        }.judged
        #expect(
            judgement.reason
                == "bound: lost at least 200000 bytes, 195904 more than the bound of 4096, at 0..<200000"
        )
        #expect(judgement.row("w").contradiction == nil)
        let last = Scene.blackBox.with {
            $0.kill = 2
            $0.sockets = .taken(0..<200_000)
            $0.fetch(0..<Scene.video)
        }
        #expect(last.found == [.bound])
    }

    /// Of the next launch it is not known what it took: then nothing is known of this kill.
    @Test(arguments: [nil, LossBound.bytes(4096)])
    func anUnknownRelaunchTellsNothing(bound: LossBound?) {
        let scene = Self.blackBox.with {
            $0.contract = .blackBox(bound)
            $0.taken = nil
            $0.takenLater = ByteRanges([Scene.kept..<Scene.video])
        }
        #expect(scene.judged.verdict == .inconclusive)
    }

    /// Bytes from elsewhere are found where it is not known what the kill before has left.
    @Test func whatNoLifeCanHaveReceivedIsUnearned() {
        let scene = Self.secondKill.with {
            $0.takenBefore = ByteRanges([0..<1_000_000])
            $0.taken = ByteRanges([Scene.reached..<Scene.video - 7])
        }
        #expect(scene.found == [.unearned])
    }

    /// The next kill begins with what was kept.
    @Test func whatWasKeptIsReceivedForTheNextKill() {
        let judgement = Self.secondKill.with { $0.baseline = ByteRanges([0..<1_000_000]) }.judged
        #expect(judgement.verdict == .pass)
        #expect(judgement.reason.isEmpty, "\(judgement.reason)")
        #expect(judgement.figures.received?.count == Scene.reached)
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.kept)
    }

    /// Without the state and the launches after a kill, a pass would claim what was not observed.
    @Test func withoutItsStateAKilledRelaunchTellsNothing() {
        let scene = Self.blackBox
        let judgement = scene.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.contains("killed in its turn"))
        let row = judgement.row("w")
        #expect(row.contradiction == nil && row.corruptBytes == nil)
    }

    /// The last kill of such a chain shows the outcome, but not the loss.
    @Test func theLastKillOfABlackBoxChainMayBeginWithTheUnknown() {
        let scene = Scene.blackBox.with {
            $0.kill = 2
            $0.baseline = nil
        }
        let judgement = scene.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason == "what the kill before it had left is not known")
        #expect(judgement.row("w").contradiction == nil)
        // What it can have cost is known, if what the lives before it received is.
        let known = scene.with { $0.takenBefore = ByteRanges([0..<Scene.reached]) }
        #expect(known.judged.reason.hasPrefix("not judged: loss (received is not"))
        // A player's launches are judged by what it got.
        #expect(scene.with { $0.workload = .playback }.judged.verdict != .inconclusive)
    }

    /// A relaunched worker that crashes by itself is a finding, not a kill of the chain.
    @Test func aRelaunchThatDiesByItselfIsAFinding() {
        let scene = Self.killedAgain.with {
            $0.wasKilled = false
            $0.resumptionDeath = .signaled(11)
        }
        #expect(scene.found == [.completion, .crash])
    }

    @Test(arguments: [Fault.abort, .segv, .oom])
    func otherDeathsHaveTheSameBound(_ fault: Fault) {
        let judgement = Self.healthy.with {
            $0.fault = fault
            $0.death = .signaled(fault.signal)
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Scene.chunk)
    }
}
