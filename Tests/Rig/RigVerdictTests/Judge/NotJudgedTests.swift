import RigModel
import RigVerdict
import Testing

/// A checker that lacked its evidence found nothing, and the row was a plain pass: under every
/// power cut the page was not compared with the kernel, and no column said so.
@Suite struct NotJudgedTests {
    private func row(_ scene: Scene) -> IterationRow {
        scene.judged.row(
            runID: "run", worker: scene.contract.isReference ? "downloader" : "curl",
            workload: scene.workload.rawValue)
    }

    private func run(
        _ rows: [IterationRow], gates: [String] = ["violations == 0", "corrupt_bytes == 0"]
    ) throws -> RunSummary {
        try makeSummary(rows, gates: gates)
    }

    private func rows(_ count: Int, _ scene: Scene) -> [IterationRow] {
        (1...count).map { index in row(scene.with { $0.iteration = index }) }
    }

    /// The kernel's counts for the same bytes as the page.
    private static let seen = Scene().with { $0.sockets = .taken(0..<Scene.reached) }

    private static let powerCut = Scene().with {
        $0.fault = .powerCut
        $0.policy = Policy(threshold: ByteSize(bytes: Scene.chunk), durability: .power)
        $0.sockets = SocketReading(
            unknown: "the worker went on from the power cut until signal 9 arrived")
    }

    private static let played = Scene().with {
        $0.workload = .playback
        $0.played = .of(0..<Scene.reached)
        $0.playedOffline = .of(0..<Scene.saved)
        $0.playedAfterwards = .of(0..<Scene.video)
    }

    /// A kill that each checker cannot judge, and whether an unchecked promise results.
    private static let blind: [(checker: Checker, scene: Scene, isUndecided: Bool)] = [
        (.bound, .opaque, true),
        (.nullControl, pageOnly(.disabled), true),
        (.durability, .blackBox, false),
        (.durability, pageOnly(Scene()), true),
        (.integrity, .blackBox, false),
        (.ledger, .opaque, true),
        (.agreement, powerCut, false),
        (.unearned, powerCut, false),
        (
            .duplicates,
            played.with {
                $0.witnessed = (0..<1_023).map {
                    WitnessedRequest.ended($0 * 10, got: 10, saved: 10)
                }
                $0.keep(0..<10_230)
                $0.playedOffline = .of(0..<10_230)
                $0.commits = 1_023
            }, true
        ),
        (.ranges, .blackBox, false),
        (.eviction, Scene.blackBox.with { $0.capacity = 1 << 20 }, false),
        (
            .commits,
            Scene.blackBox.with {
                $0.contract = .blackBox(.threshold)
            }, false
        ),
        (.resumption, .blackBox, false),
        (
            .resumption,
            Scene().with {
                $0.contract = WorkerContract(
                    hasWitness: false, hasInspection: true, bound: nil, asksOrigin: false)
                $0.hasWitness = false
                $0.sockets = SocketReading(unknown: "it has a source of its own")
            }, false
        ),
        (.delivery, played.with { $0.played = nil }, true),
        (.offline, played.with { $0.playedOffline = nil }, true),
        (
            .library,
            Scene().with {
                $0.workload = .offlineLibrary
                $0.library = nil
            }, true
        ),
    ]

    /// The same for a worker with a page, but without a readable state, nor a relaunch to its end.
    private static func pageOnly(_ scene: Scene) -> Scene {
        scene.with {
            $0.contract = .paged(.threshold)
            $0.hasAutopsy = false
            $0.wasKilled = true
            $0.sockets = .taken(0..<Scene.reached)
        }
    }

    @Test(arguments: blind.indices)
    func aCheckerWithoutItsEvidenceIsNamed(index: Int) {
        let (checker, scene, isUndecided) = Self.blind[index]
        let row = row(scene)
        #expect(row.verdict == .pass, "\(checker): \(row.reason)")
        #expect(row.notJudged.contains(checker), "\(checker): \(row.notJudged)")
        #expect(row.isUndecided == isUndecided, "\(checker): \(row.notJudged)")
    }

    /// These always have their evidence: how a life ended is known, a missing relaunch or completed
    /// file is a finding, and a check that fails makes its kill inconclusive.
    @Test func everyOtherCheckerMayLackItsEvidence() {
        let others = Set(Checker.allCases).subtracting(Self.blind.map(\.checker))
        #expect(
            others == [
                .crash, .exit, .hang, .leftover, .completion, .stitched, .stale, .falseSuccess,
                .check,
            ])
    }

    @Test func whereAllIsThereAllIsJudged() {
        #expect(row(Self.seen).notJudged.isEmpty)
        let disabled = Scene.disabled.with { $0.sockets = Self.seen.sockets }
        #expect(row(disabled).notJudged.isEmpty)
    }

    @Test func aFailureNamesWhatWasNotJudgedBesideIt() {
        let row = row(Self.powerCut.with { $0.commits = 0 })
        #expect(row.checkers == [.commits])
        #expect(row.notJudged == [.agreement, .unearned])
        #expect(!row.isUndecided)
    }

    @Test func whatProvesNothingIsNotJudgedAtAll() {
        let row = row(Scene().with { $0.killSent = false })
        #expect(row.verdict == .inconclusive)
        #expect(row.notJudged.isEmpty)
    }

    /// T11: if commits need not survive a power cut, nothing is promised and nothing is unchecked.
    @Test func notPromisedIsSomethingElseThanNotSeen() throws {
        let row = row(Self.powerCut.with { $0.policy = Scene().policy })
        #expect(row.notJudged == [.agreement, .unearned])
        #expect(!row.isUndecided)
    }

    @Test func aRunInWhichAgreementCannotBeJudgedShowsIt() throws {
        let summary = try run(rows(20, Self.powerCut))
        #expect(summary.policies.map(\.notJudged) == [20])
        #expect(summary.policies.map(\.notJudgedBy) == [[.agreement: 20, .unearned: 20]])
        #expect(
            summary.sentences.contains("not judged in 20 of 20 iterations: agreement, unearned"))
        // Every promise of the worker was checked: its bound was judged by its page.
        #expect(summary.status == .success)
    }

    /// A program that promised 4 KB lost all, hid it from the kernel's counts, and passed.
    @Test func aBlackBoxThatHidesItsLossIsNoPass() throws {
        let liar = Scene.opaque.with { $0.refetched = [0..<Scene.video] }
        let summary = try run(rows(20, liar))
        #expect(summary.gates.map(\.verdict) == [.unknown, .holds])
        #expect(summary.gates.map(\.unknownRows) == [20, 0])
        #expect(summary.status == .inconclusive)
        #expect(summary.policies.map(\.violationRateUCB95) == [nil])
        #expect(
            summary.sentences.contains(
                "0 violations in 20 iterations (20 of them not judged in full); nothing follows for"
                    + " the true rate"))
    }

    @Test func oneKillThatHidesItsLossIsEnough() throws {
        let summary = try run(rows(19, .blackBox) + [row(Scene.opaque.with { $0.iteration = 20 })])
        #expect(summary.gates.map(\.verdict) == [.unknown, .holds])
        #expect(summary.gates.map(\.n) == [19, 20])
        #expect(summary.status == .inconclusive)
        let rate = try run(
            rows(99, .blackBox) + [row(Scene.opaque.with { $0.iteration = 100 })],
            gates: ["violation_rate <= 50%"])
        #expect(rate.gates.map(\.verdict) == [.unknown])
    }

    /// Despite unknown rows, a known violation decides the gate.
    @Test func whatIsKnownToBeBrokenIsBroken() throws {
        let broken = Scene.blackBox.with {
            $0.taken = ByteRanges([0..<Scene.video])
            $0.iteration = 2
        }
        let summary = try run([row(.opaque), row(broken)])
        #expect(summary.gates.map(\.verdict) == [.fails, .holds])
        #expect(summary.status == .gateFailed)
    }

    /// Without a promised bound, known losses are reported and the gates hold.
    @Test func aBlackBoxThatPromisesNothingStaysDecidable() throws {
        for scene in [Scene.blackBox, .opaque] {
            let bare = scene.with { $0.contract = .blackBox(nil) }
            let summary = try run(rows(20, bare))
            #expect(summary.gates.allSatisfy { $0.verdict == .holds })
            #expect(summary.status == .success)
            #expect(summary.policies.allSatisfy { $0.notJudged == 20 && $0.undecided == 0 })
        }
    }

    /// Of 20 kills 8 lost everything, and looked in the summary like 20 that lost a part.
    @Test func killsThatLeftNothingAreNamed() throws {
        let nothing = Scene.blackBox.with {
            $0.contract = .blackBox(nil)
            $0.taken = ByteRanges([0..<Scene.video])
        }
        let all = nothing.with { $0.taken = ByteRanges([Scene.reached..<Scene.video]) }
        let rows = (1...20).map { index in
            row((index > 12 ? nothing : all).with { $0.iteration = index })
        }
        let summary = try run(rows)
        #expect(summary.policies.map(\.keptNothing) == [8])
        #expect(
            summary.sentences.contains(
                "nothing at all was kept after 8 of 20 kills, and everything after 12"))
        #expect(
            try run(Array(rows.prefix(12))).sentences.allSatisfy { !$0.contains("nothing at all") })
    }

    /// Bytes that may have been read unseen would be lost too, and might exceed the bound.
    @Test func aLossThatMayBeBeyondTheBoundIsNotJudged() {
        let scene = Scene().with {
            $0.policy = Policy(threshold: ByteSize(bytes: 256 << 10))
            $0.commits = 10
            $0.witnessed[1] = .running(0, got: Scene.saved + 200_000, saved: Scene.saved)
            $0.sockets = SocketReading(answers: [
                .running(0..<Scene.saved + 200_000),
                TakenAnswer(
                    taken: 5_000_000..<5_000_000, mostTaken: 6_000_000, isWhole: false,
                    isUnderWay: true, isBeingRead: false),
            ])
        }
        let judged = row(scene)
        #expect(judged.verdict == .pass && judged.notJudged == [.bound])
        #expect(judged.isUndecided)
    }

    /// Connections that cannot be told apart are the worker's fault: its page alone proves nothing.
    @Test func aPageWithoutTheKernelProvesNothing() {
        let scene = Scene().with {
            $0.sockets = SocketReading(
                unknown: "two connections with the same port could not be told apart",
                activeRequests: 1, isLost: true)
        }
        #expect(row(scene).verdict == .inconclusive)
    }

    /// What a modelled cut leaves of a worker that did something unseen is unknown; it passed.
    @Test(arguments: [Int64(0), 9])
    func whatDependsOnAnUnknownStateIsNotJudged(differing: Int64) throws {
        let scene = Scene().with {
            $0.fault = .powerCutTorn
            $0.policy = Policy(threshold: ByteSize(bytes: Scene.chunk), durability: .power)
            $0.differing = differing
        }
        var evidence = scene.evidence
        evidence.unseen = ["WRITE by io_uring"]
        let judgement = Judge.judge(evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        let row = judgement.row("downloader")
        #expect(row.notJudged.isSuperset(of: [.bound, .durability, .integrity, .completion]))
        #expect(row.reason.contains("not recorded: WRITE by io_uring"))
        #expect(row.contradiction == nil)
        #expect(row.recoveredBytes == nil && row.lostBytes == nil && row.corruptBytes == nil)
        #expect(row.isUndecided)
        let summary = try run([row])
        #expect(summary.status == .inconclusive, "\(summary)")
        let part = makePart("part", [row], exitCode: 98, expected: 1)
        let finding = AuditJudge.finding(AuditSituation.all[0], part: part, command: "")
        #expect(finding.outcome == .unknown(row.reason))
    }
}
