import FixtureOrigin
import Foundation
import RigModel
import Testing

@testable import RigLab

/// Which launch, state and page the evidence of each kill of a chain is made of (B6).
///
/// Three kills of a video of 1,000 bytes. The n-th launch takes 100 bytes that follow those of the
/// one before, and its kill leaves all but the last 10 of them. The evidence of the second kill once
/// held the state that the first had left, and no test noticed.
@Suite struct ChainEvidenceTests {
    private static func taken(_ number: Int64) -> Range<Int64> { (number - 1) * 100..<number * 100 }
    private static func left(_ number: Int64) -> Range<Int64> { 0..<number * 100 - 10 }

    private static func state(_ number: Int64) -> Autopsy {
        Autopsy(
            integrityCheck: "ok \(number)",
            chunks: [StoredChunk(range: left(number), checksumMatches: true, differingBytes: 0)],
            claimedRanges: ByteRanges([left(number)]), firstDifference: nil)
    }

    private static func life(_ number: Int, sockets: SocketReading? = nil) -> KilledRun {
        let taken = taken(Int64(number))
        var outcome = Milestones(
            recovered: Double(number) / 10, sent: true, killSeconds: Double(number))
        outcome.cost = LaunchCost(writes: number)
        outcome.asked = AskedEnd(graceSeconds: Double(number), seconds: 0.5, wasKilled: false)
        outcome.delivery = Delivery()
        outcome.delivery?.requests = number
        var life = KilledRun(
            planned: PlannedKill(kill: number, trigger: .bytes(Int64(number)), delaySeconds: 0),
            launch: Launch(death: .signaled(9), seen: outcome),
            page: .success(WitnessReading(phase: .committing, commits: number, requests: [])),
            sockets: sockets
                ?? SocketReading(answers: [
                    TakenAnswer(taken: taken, isWhole: false, isUnderWay: true, isBeingRead: true)
                ]),
            requests: [ServedRequest(requested: taken, servedBytes: 100)], url: "\(number)")
        life.launch.outlived = ["child \(number)"]
        life.lacksItsFile = number == 2
        life.complaint = "life \(number)"
        life.launch.memoryKills = number
        life.launch.calls = CountedCalls(counted: number, last: nil)
        return life
    }

    private static func settings(
        hasInspection: Bool = true, relaunch: Relaunch = .once, fault: Fault = .sigkill
    ) -> LaboratorySettings {
        var spec = RunSpec(fault: fault)
        spec.relaunch = relaunch
        return LaboratorySettings(
            spec,
            worker: WorkerProfile(
                name: "worker", command: ["worker"], bound: [.sigkill: .bytes(50)],
                inspection: hasInspection ? .file(PartialFile(path: "{dir}/part")) : nil),
            resources: [Resource(source: BytesVideo.pattern(1_000))], fileName: "v.mp4",
            scratch: "/nowhere", environment: [:])
    }

    private static let plan = PlannedIteration(
        iteration: 1, policy: Policy(threshold: ByteSize(bytes: 50)),
        kills: (1...3).map { PlannedKill(kill: $0, trigger: .bytes(Int64($0)), delaySeconds: 0) },
        seed: 7)

    private static let last = Resumption(
        death: .exited(0), requests: [ServedRequest(requested: 290..<1_000, servedBytes: 710)],
        recoverySeconds: 4, differingBytes: 0, taken: ByteRanges([290..<1_000]), wrong: ByteRanges()
    )

    private static func chain(
        lives: [KilledRun] = (1...3).map { Self.life($0) },
        autopsies: [StateExamination?] = (1...3).map { StateExamination.found(Self.state($0)) },
        settings: LaboratorySettings = Self.settings(), before: [LifeEnd] = [],
        baseline: ByteRanges? = nil, isAnsweredOtherwise: Bool = false, last: Resumption = Self.last
    ) -> Chain {
        Chain(
            plan: plan, settings: settings, videoLength: 1_000, pace: UninterruptedPace([]),
            baseline: baseline, lives: lives, autopsies: autopsies, last: last, before: before,
            after: [LifeEnd(.relaunched, .exited(0), expectedDeath: .exited(0))],
            isAnsweredOtherwise: isAnsweredOtherwise, lastRecovery: 4,
            playedOffline: Delivery(), playedAfterwards: Delivery())
    }

    @Test func eachKillHasTheStateThatItLeftItself() {
        let evidence = Self.chain(baseline: ByteRanges([0..<5])).evidence
        #expect(evidence.map(\.kill) == [1, 2, 3])
        #expect(evidence.map { $0.autopsy?.integrityCheck } == ["ok 1", "ok 2", "ok 3"])
        #expect(evidence.map { $0.autopsy?.recovered.ranges } == [[0..<90], [0..<190], [0..<290]])
        #expect(evidence.map { $0.baseline?.ranges } == [[0..<5], [0..<90], [0..<190]])
        #expect(evidence.allSatisfy { $0.autopsyError == nil })
        #expect(evidence.map(\.planned.trigger) == [.bytes(1), .bytes(2), .bytes(3)])
    }

    /// A call fails in the first launch only; those after it are killed, under the bound of a kill.
    @Test func afterAFailingCallTheLaunchesAreKilled() {
        let evidence = Self.chain(settings: Self.settings(fault: .callError)).evidence
        #expect(evidence.map(\.fault) == [.callError, .sigkill, .sigkill])
        #expect(evidence.map(\.contract.bound) == [nil, .bytes(50), .bytes(50)])
        #expect(evidence.map(\.contract.hasInspection) == [true, true, true])
        let aborted = Self.chain(settings: Self.settings(fault: .abort)).evidence
        #expect(aborted.map(\.fault) == [.abort, .abort, .abort])
    }

    @Test func eachKillIsOfItsOwnLaunch() {
        let evidence = Self.chain().evidence
        #expect(evidence.map { $0.witness?.commits } == [1, 2, 3])
        #expect(evidence.map(\.killSeconds) == [1, 2, 3])
        #expect(evidence.map { $0.requests.map(\.requested) } == (1...3).map { [Self.taken($0)] })
        #expect(evidence.map { $0.sockets?.taken?.ranges } == (1...3).map { [Self.taken($0)] })
        #expect(evidence.map(\.outlived) == [["child 1"], ["child 2"], ["child 3"]])
        #expect(evidence.map(\.lacksItsFile) == [false, true, false])
        #expect(evidence.map { $0.asked?.graceSeconds } == [1, 2, 3])
        #expect(evidence.map { $0.lives.first?.memoryKills } == [1, 2, 3])
        #expect(evidence.map { $0.calls?.counted } == [1, 2, 3])
        #expect(evidence.map { $0.cost?.writes } == [1, 2, 3])
        #expect(evidence.map { $0.played?.requests } == [1, 2, 3])
    }

    /// A launch that was given up is so as the killed one, and as the relaunch of the kill before.
    @Test func aLaunchThatWasGivenUpIsNamedInBothRoles() {
        let second = KilledRun(
            planned: Self.plan.kills[1],
            launch: Launch(death: .signaled(9), seen: Milestones(gaveUp: .stalled)),
            page: .failure(.absent))
        let evidence = Self.chain(lives: [Self.life(1), second, Self.life(3)]).evidence
        let words = "made no progress for 30 s"
        #expect(evidence.map(\.givenUp) == [nil, words, nil])
        #expect(evidence.map { $0.lives.first?.givenUp } == [nil, words, nil])
        #expect(evidence.map { $0.lives.last?.givenUp } == [words, nil, nil])
        // No kill ended it, so nothing excuses its end.
        #expect(evidence[0].lives.last?.excuse == nil)
        #expect(evidence[0].resumption?.wasKilled == false)
        #expect(evidence.map(\.witnessGap) == [nil, .absent, nil])
        #expect(evidence.map { $0.witness?.commits } == [1, nil, 3])
    }

    /// The launch after a kill is the next one to be killed; only the last one is not.
    @Test func theRelaunchIsTheLifeThatFollows() {
        let evidence = Self.chain().evidence
        let after = evidence.compactMap(\.resumption)
        #expect(after.map(\.wasKilled) == [true, true, false])
        #expect(after.map { $0.taken?.ranges } == [[100..<200], [200..<300], [290..<1_000]])
        #expect(after.map(\.recoverySeconds) == [0.2, 0.3, 4])
        // What the launches after that one took, until the work was done.
        #expect(after.map { $0.takenLater?.ranges } == [[200..<1_000], [290..<1_000], nil])
        #expect(after.map(\.complaint) == ["life 2", "life 3", nil])
        #expect(after.map(\.death) == [.signaled(9), .signaled(9), .exited(0)])
    }

    @Test func whatEarlierLaunchesTookIsTheirs() {
        let evidence = Self.chain().evidence
        #expect(evidence.map { $0.takenBefore?.ranges } == [nil, [0..<100], [0..<200]])
        // Of a launch before the first kill it is not recorded.
        let earlier = LifeEnd(.earlier, .exited(0), expectedDeath: nil)
        let unknown = Self.chain(before: [earlier]).evidence
        #expect(unknown.allSatisfy { $0.takenBefore == nil })
        let lost = SocketReading(unknown: "lost")
        let second = Self.chain(lives: [Self.life(1), Self.life(2, sockets: lost), Self.life(3)])
        #expect(second.evidence.map { $0.takenBefore?.ranges } == [nil, [0..<100], nil])
        let third = Self.chain(lives: [Self.life(1), Self.life(2), Self.life(3, sockets: lost)])
        #expect(third.evidence.map { $0.takenBefore?.ranges } == [nil, [0..<100], [0..<200]])
        #expect(
            third.evidence.map { $0.resumption?.takenLater?.ranges } == [nil, [290..<1_000], nil])
    }

    @Test func onlyTheLastKillHasWhatCameAfterAll() {
        let settings = Self.settings(relaunch: .again)
        let earlier = LifeEnd(.earlier, .exited(0), expectedDeath: nil)
        let evidence = Self.chain(
            settings: settings, before: [earlier], isAnsweredOtherwise: true
        ).evidence
        #expect(evidence.map { $0.playedOffline != nil } == [false, false, true])
        #expect(evidence.map { $0.playedAfterwards != nil } == [false, false, true])
        #expect(evidence.map(\.originChanged) == [false, false, true])
        #expect(evidence.map(\.relaunch) == [nil, nil, .again])
        #expect(
            evidence.map { $0.lives.map(\.life) } == [
                [.earlier, .struck, .relaunched], [.struck, .relaunched], [.struck, .relaunched],
            ])
        // The next kill ended that launch; the last one ended by itself.
        #expect(evidence.map { $0.lives.last?.excuse != nil } == [true, true, false])
        #expect(evidence.map { $0.lives.last?.memoryKills } == [2, 3, nil])
        // Whether later launches completed it rightly is not known then.
        #expect(evidence.allSatisfy { $0.resumption?.takenLater == nil })
    }

    /// Without the state after the first kill, nothing of the second can be told from it.
    @Test func aStateThatWasNotReadIsUnknownForTheNextKillToo() {
        let evidence = Self.chain(autopsies: [
            .failed("disk I/O error"), .found(Self.state(2)), .found(Self.state(3)),
        ]).evidence
        #expect(evidence.map { $0.autopsy?.integrityCheck } == [nil, nil, "ok 3"])
        #expect(
            evidence.map(\.autopsyError) == [
                "disk I/O error", "what the kill before it had left is not known", nil,
            ])
        #expect(evidence.map { $0.baseline?.ranges } == [nil, nil, [0..<190]])
    }

    /// Of a worker whose state is not read, the launches after a kill show what it had kept.
    @Test func withoutInspectionTheNextKillBeginsWithWhatWasNotFetchedAgain() {
        let settings = Self.settings(hasInspection: false)
        let evidence = Self.chain(autopsies: [nil, nil, nil], settings: settings).evidence
        #expect(evidence.allSatisfy { $0.autopsy == nil && $0.autopsyError == nil })
        #expect(evidence[0].baseline == nil)
        #expect(evidence[1].baseline?.ranges == [0..<100])
        #expect(evidence[2].baseline?.ranges == [0..<200])
        #expect(evidence[2].keptUnfetched?.ranges == [0..<290])
    }

    /// A relaunch that ended otherwise than by its kill is none that was killed.
    @Test func aLaunchThatDiesByItselfIsNotKilled() {
        var second = Self.life(2)
        second = KilledRun(
            planned: second.planned,
            launch: Launch(death: .signaled(11), seen: Milestones(sent: true)),
            page: second.page, sockets: second.sockets, requests: second.requests)
        let evidence = Self.chain(lives: [Self.life(1), second, Self.life(3)]).evidence
        #expect(evidence.map { $0.resumption?.wasKilled } == [false, true, false])
        #expect(evidence[0].resumption?.takenLater == nil)
        #expect(evidence[0].resumption?.death == .signaled(11))
        #expect(evidence[1].death == .signaled(11))
    }

    @Test func aLastLaunchThatDidNotDoItsWorkTellsNothingOfTheOthers() {
        let broken = Resumption(
            death: .exited(0), differingBytes: 3, taken: ByteRanges([290..<1_000]))
        let evidence = Self.chain(last: broken).evidence
        #expect(evidence.allSatisfy { $0.resumption?.takenLater == nil })
    }
}
