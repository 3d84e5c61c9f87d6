import RigModel
import RigVerdict
import Testing

/// What the evidence of an observed program shows, and what it leaves open.
@Suite struct BlackBoxTests {
    private func row(_ judgement: Judgement) -> IterationRow { judgement.row("curl") }

    @Test func theKernelAndTheRelaunchAreEvidenceEnough() {
        let judgement = Scene.blackBox.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.reason.isEmpty)
        let row = row(judgement)
        #expect(row.receivedBytes == 3_000_000 && row.acknowledgedBytes == nil)
        #expect(row.recoveredBytes == 2_996_224 && row.lostBytes == 3_776)
        #expect(row.boundBytes == 4_096 && row.boundOK == true && row.corruptBytes == 0)
        #expect(row.integrity == nil && row.phase == nil && row.commits == nil)
        #expect(row.activeRequests == 1)
        #expect(row.refetchedBytes == Scene.video - 2_996_224)
        #expect(row.contradiction == nil)
    }

    @Test func aProgramThatAsksForAllAndTakesItsShareHasKeptTheRest() {
        let scene = Scene.blackBox.with { $0.refetched = [0..<Scene.video] }
        #expect(scene.judged.figures.recovered == ByteRanges([0..<Scene.kept]))
        // The bytes that it took are unknown, so those that it requested have to do.
        let unseen = scene.with { $0.taken = nil }.judged
        #expect(unseen.figures.recovered == ByteRanges())
        #expect(unseen.figures.refetched == ByteRanges([0..<Scene.video]))
    }

    @Test func wrongBytesOfTheFileWereNotRecovered() {
        let zeros = Scene.blackBox.with {
            $0.wrong = ByteRanges([1_000_000..<1_500_000])
            $0.differing = 498_047
        }.judged
        #expect(zeros.findings.map(\.checker) == [.bound, .completion])
        #expect(zeros.figures.lost?.count == 503_776)
        // Their number is known, but not their positions.
        let blind = Scene.blackBox.with {
            $0.wrong = nil
            $0.differing = 498_047
        }.judged
        #expect(blind.findings.map(\.checker) == [.completion])
        #expect(blind.figures.recovered == nil)
    }

    private static let unjudged: [(reason: String, scene: Scene)] = [
        ("bound (received is not known: the connection is not HTTP)", .opaque),
        (
            "loss (received is not known: the connection is not HTTP)",
            Scene.opaque.with { $0.contract = .blackBox(nil) }
        ),
        (
            "bound (received is not known: its sockets were not read)",
            Scene.blackBox.with { $0.sockets = nil }
        ),
        (
            "bound (recovered is not known: the origin answered otherwise after the kill)",
            .changedOrigin
        ),
        (
            "bound (received is not known: what the kill before it had left is not known)",
            Scene.blackBox.with {
                $0.kill = 2
                $0.workload = .playback
                $0.played = .of(0..<Scene.reached)
                $0.playedOffline = .of(0..<Scene.kept)
                $0.playedAfterwards = .of(0..<Scene.video)
            }
        ),
        (
            "bound (it is one of seconds, and the origin's pace has no limit: give --bandwidth)",
            Scene.blackBox.with { $0.contract = .blackBox(.seconds(1)) }
        ),
    ]

    @Test(arguments: unjudged.indices)
    func whatIsNotKnownIsNotJudgedAndThePassSaysSo(index: Int) {
        let (reason, scene) = Self.unjudged[index]
        let judgement = scene.judged
        #expect(judgement.verdict == .pass)
        #expect(judgement.reason == "not judged: \(reason)")
        let row = row(judgement)
        #expect(row.whyNotJudged == reason)
        #expect(row.contradiction == nil, "\(row)")
        #expect(row.boundOK == nil)
        #expect(row.checkers.isEmpty)
    }

    @Test func aBoundInSecondsIsWhatTheOriginSendsMeanwhile() {
        let judgement = Scene.blackBox.with {
            $0.contract = WorkerContract(
                hasWitness: false, hasInspection: false, bound: .seconds(1), bytesPerSecond: 3_000)
        }.judged
        #expect(judgement.figures.bound == 3_000)
        #expect(judgement.findings.map(\.checker) == [.bound])
    }

    @Test func withoutAPromiseLossIsReportedAndNotJudged() {
        let judgement = Scene.blackBox.with {
            $0.contract = .blackBox(nil)
            $0.taken = ByteRanges([0..<Scene.video])
        }.judged
        #expect(judgement.verdict == .pass)
        #expect(judgement.reason.isEmpty)
        let row = row(judgement)
        #expect(row.lostBytes == 3_000_000 && row.boundBytes == nil && row.contradiction == nil)
    }

    /// Without requests to the origin, nothing is known of what a worker has or lacks.
    @Test func ofAWorkerWithASourceOfItsOwnTheOriginKnowsNothing() {
        func judge(asksOrigin: Bool) -> Judgement {
            Scene.opaque.with {
                $0.contract = WorkerContract(
                    hasWitness: false, hasInspection: false, bound: nil, asksOrigin: asksOrigin)
                $0.served = []
                $0.refetched = []
            }.judged
        }
        let judgement = judge(asksOrigin: false)
        #expect(judgement.verdict == .pass)
        #expect(judgement.reason.hasPrefix("not judged: loss (received is not known"))
        let row = row(judgement)
        #expect([row.servedBytes, row.recoveredBytes, row.refetchedBytes] == [nil, nil, nil])
        #expect(row.contradiction == nil, "\(row)")
        #expect(judge(asksOrigin: true).verdict == .inconclusive)
    }

    private static let nothingProven: [(reason: String, scene: Scene)] = [
        (
            "nothing had been received yet",
            Scene.blackBox.with {
                $0.sockets = SocketReading(received: ByteRanges(), activeRequests: 0)
                $0.fetch(0..<Scene.video)
            }
        ),
        ("nothing had been served yet", Scene.opaque.with { $0.served = [] }),
        (
            "the work was done already: the whole video is recovered",
            Scene.blackBox.with {
                $0.receiveAll(active: 1)
                $0.keepAll()
            }
        ),
        (
            "the whole video is recovered, and it is not known whether it had been received before"
                + " the kill",
            Scene.opaque.with { $0.refetched = [] }
        ),
        (
            "the work may have been done already: the whole video had been received, and it is not"
                + " known what was kept",
            Scene.changedOrigin.with { $0.receiveAll(active: 1) }
        ),
        (
            "no witness page: the worker died before it wrote one, or writes none",
            Scene.blackBox.with {
                $0.contract = .paged(.bytes(4096))
                $0.sockets = SocketReading(unknown: "a power cut")
            }
        ),
        (
            "the state could not be read: no such table",
            Scene.blackBox.with {
                $0.contract = .inspected(.bytes(4096))
                $0.autopsyError = "no such table"
            }
        ),
    ]

    /// A kill after all bytes have come was left out, also where they had still to be joined.
    @Test(arguments: [
        (Trigger.ending(0.5), nil, Verdict.pass), (.time(0.9), true, .pass),
        (.bytes(Scene.video - 1), true, .pass), (.time(0.9), false, .inconclusive),
        (.time(0.9), nil, .inconclusive),
    ])
    func aKillAtTheEndOfTheWorkCounts(trigger: Trigger, lacksItsFile: Bool?, verdict: Verdict) {
        let scene = Scene.blackBox.with {
            $0.trigger = trigger
            $0.lacksItsFile = lacksItsFile
            $0.receiveAll(active: 0)
            $0.keepAll()
        }
        #expect(scene.judged.verdict == verdict)
        // It may be the parts' joining that is wrong.
        let torn = scene.with { $0.spoil(0..<17) }
        #expect(torn.found == [.completion])
    }

    /// `curl -f -C -` ends with 22 when it is started again and its file is complete, and was blamed
    /// for that in 5 of 100 default kills, also where the kill had never come.
    @Test(
        arguments: [
            (false, nil, 0, Death.exited(22), Verdict.inconclusive),
            (true, false, nil, .exited(22), .inconclusive),
            (true, true, nil, .exited(22), .fail), (true, nil, nil, .exited(22), .fail),
            (false, nil, 17, .exited(22), .fail), (false, nil, nil, .exited(22), .fail),
            (false, nil, 0, .signaled(11), .fail), (true, false, nil, .exited(139), .fail),
        ] as [(Bool, Bool?, Int64?, Death, Verdict)])
    func anErrorWhenStartedAgainAfterTheWorkIsNoneOfTheKill(
        killSent: Bool, lacksItsFile: Bool?, differing: Int64?, next: Death, verdict: Verdict
    ) {
        let scene = Scene.blackBox.with {
            $0.trigger = .ending(0.5)
            $0.killSent = killSent
            if !killSent { $0.death = .exited(0) }
            $0.lacksItsFile = lacksItsFile
            $0.receiveAll(active: 0)
            $0.keepAll()
            $0.resumptionDeath = next
            $0.differing = nil
            if !killSent {
                $0.lives = [
                    LifeEnd(
                        .struck, .exited(0), expectedDeath: .exited(0),
                        work: LifeEnd.Work(differingBytes: differing))
                ]
            }
        }
        let judgement = scene.judged
        #expect(judgement.verdict == verdict, "\(judgement.reason)")
        #expect(scene.evidence.wasMissed == (verdict == .inconclusive))
    }

    /// A stale lock: at a planned call the row was a pass without `corrupt_bytes`, and no run with such a
    /// row could be judged again.
    @Test func norOfAKillAtACall() {
        let judgement = Scene.blackBox.with {
            $0.trigger = .syscall(CallMoment(ordinal: 7, edge: .before))
            $0.calls = CountedCalls(counted: 7, last: nil)
            $0.lacksItsFile = false
            $0.receiveAll(active: 0)
            $0.keepAll()
            $0.resumptionDeath = .exited(1)
            $0.differing = nil
        }.judged
        #expect(judgement.verdict == .inconclusive, "\(judgement.reason)")
        #expect(judgement.row("w").contradiction == nil)
    }

    @Test(arguments: nothingProven.indices)
    func provesNothing(index: Int) {
        let (reason, scene) = Self.nothingProven[index]
        let judgement = scene.judged
        #expect(judgement.verdict == .inconclusive && judgement.reason == reason)
        // Wrong bytes count whatever happened to the kill.
        let wrong = scene.with { $0.spoil(0..<17) }
        #expect(wrong.found == [.completion])
    }

    @Test func anUnknownIsNoZero() {
        // The received bytes are unknown, but 3,400,000 were sent, and that counts.
        let judgement = Scene.opaque.with { $0.hasResumption = false }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.completion])
        #expect(judgement.figures.received == nil && judgement.figures.recovered == nil)
    }

    @Test func allReceivedAndNotAllKeptIsALoss() {
        let judgement = Scene.blackBox.with {
            $0.receiveAll(active: 1)
            $0.taken = ByteRanges([Scene.video - 4096..<Scene.video])
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.count == 4096)
    }

    @Test func disabledSaysNothingToAWorkerWithoutThresholds() {
        let scene = Scene.blackBox.with {
            $0.policy = Policy(threshold: nil)
            $0.taken = ByteRanges([0..<Scene.video])
        }
        #expect(scene.found == [.bound])
    }

    @Test func aWitnessOfItsOwnMayCommitAsOftenAsItLikes() {
        let often = Scene().with {
            $0.contract = .full(.threshold)
            $0.commits = 50
        }
        #expect(often.judged.verdict == .pass)
        let seldom = often.with { $0.commits = 3 }.judged
        #expect(seldom.findings.map(\.checker) == [.commits])
    }

    @Test func allThreeLevelsMayAgree() {
        let scene = Scene().with {
            $0.sockets = .taken(0..<Scene.reached)
            $0.taken = ByteRanges([Scene.saved..<Scene.video])
        }
        #expect(scene.judged.verdict == .pass)
        // Autopsy and relaunch must agree (C8).
        let less = scene.with { $0.taken = ByteRanges([Scene.saved + 1..<Scene.video]) }
        #expect(less.found == [.resumption])
        // A failed reading says nothing against the page.
        let blind = scene.with { $0.sockets = SocketReading(unknown: "it was traced") }
        #expect(blind.judged.verdict == .pass)
    }

    @Test func aRelaunchThatRefusesLeavesNoCompletedFile() {
        let judgement = Scene.changedOrigin.with {
            $0.resumptionDeath = .exited(33)
            $0.complaint = "curl: (33) HTTP server does not seem to support byte ranges."
            $0.differing = nil
            $0.wrong = nil
            $0.stale = nil
        }.judged
        #expect(judgement.findings.map(\.checker) == [.completion, .exit])
        #expect(judgement.reason.contains("exit code 33: curl: (33)"))
        #expect(judgement.figures.corruptBytes == nil)
    }
}
