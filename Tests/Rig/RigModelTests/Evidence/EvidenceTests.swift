import RigModel
import Testing

@Suite struct EvidenceTests {
    @Test func onlyRightChunksAreRecovered() {
        let autopsy = Autopsy(
            integrityCheck: "ok",
            chunks: [
                StoredChunk(range: 0..<10, checksumMatches: true, differingBytes: 0),
                StoredChunk(range: 10..<20, checksumMatches: false, differingBytes: 0),
                StoredChunk(range: 20..<30, checksumMatches: true, differingBytes: 4),
                StoredChunk(range: 40..<50, checksumMatches: true, differingBytes: 0),
            ], claimedRanges: ByteRanges([0..<30, 40..<50]), firstDifference: nil)
        #expect(autopsy.recovered == ByteRanges([0..<10, 40..<50]))
        #expect(autopsy.corruptBytes == 4)
    }

    /// Without a checksum, a worker serves whatever it has stored.
    @Test func withoutAChecksumOnlyTheVideoGivesAWrongByteAway() {
        let autopsy = Autopsy(
            integrityCheck: "ok",
            chunks: [
                StoredChunk(range: 0..<10, checksumMatches: nil, differingBytes: 0),
                StoredChunk(range: 10..<20, checksumMatches: nil, differingBytes: 3),
                StoredChunk(range: 20..<30, checksumMatches: false, differingBytes: 5),
            ], claimedRanges: ByteRanges([0..<30]), firstDifference: nil)
        #expect(autopsy.recovered == ByteRanges([0..<10]))
        #expect(autopsy.corruptBytes == 8)
        #expect(autopsy.undetectedBytes == 3)
    }

    @Test func aWitnessAddsUpItsRequests() {
        let witness = WitnessReading(
            phase: .receiving, commits: 1,
            requests: [
                WitnessedRequest(start: 0, received: 2, acknowledged: 0, isActive: false),
                WitnessedRequest(start: 0, received: 100, acknowledged: 60, isActive: true),
                WitnessedRequest(start: 500, received: 10, acknowledged: 0, isActive: true),
            ])
        #expect(witness.received == ByteRanges([0..<100, 500..<510]))
        #expect(witness.acknowledged == ByteRanges([0..<60]))
        #expect(witness.activeRequests == 2)
    }

    /// A life that ended by itself is repeated only if everything that can be seen of it is right.
    @Test(arguments: [true, false])
    func aLifeWithoutAStateToReadIsUneventful(hasInspection: Bool) {
        let evidence = { (differing: Int64) in
            IterationEvidence(
                plan: PlannedIteration(
                    iteration: 1, policy: Policy(threshold: nil), trigger: .bytes(1),
                    delaySeconds: 0, seed: 1),
                kill: 1, fault: .sigkill, videoLength: 10, death: .exited(0), killSent: false,
                resumption: Resumption(death: .exited(0), differingBytes: differing),
                contract: WorkerContract(
                    hasWitness: false, hasInspection: hasInspection, bound: nil))
        }
        #expect(evidence(0).isUneventful == !hasInspection)
        #expect(!evidence(1).isUneventful)
    }

    /// A power cut after the work proves nothing, like any other kill there.
    ///
    /// Only such kills by signal were started again, so a replay of a power cut on a machine that
    /// had become faster was inconclusive as often as it was repeated.
    @Test(arguments: Fault.allCases)
    func aKillAfterTheWorkWasMissed(fault: Fault) {
        let evidence = { (kept: Int64, trigger: Trigger, death: Death) in
            IterationEvidence(
                plan: PlannedIteration(
                    iteration: 1, policy: Policy(threshold: nil), trigger: trigger,
                    delaySeconds: 0, seed: 1),
                kill: 1, fault: fault, videoLength: 10, death: death,
                killSent: true, killSeconds: 1, killFraction: 1,
                autopsy: Autopsy(
                    integrityCheck: "ok",
                    chunks: [
                        StoredChunk(range: 0..<kept, checksumMatches: true, differingBytes: 0)
                    ], claimedRanges: ByteRanges([0..<kept]), firstDifference: nil),
                resumption: Resumption(death: .exited(0), differingBytes: 0),
                contract: WorkerContract(hasWitness: false, hasInspection: true, bound: nil))
        }
        let killed = Death.signaled(fault.signal)
        #expect(evidence(10, .time(0.5), killed).wasMissed)
        #expect(!evidence(9, .time(0.5), killed).wasMissed)
        // Such a kill is planned after the last byte: it came at its moment, and was begun ten
        // times for nothing.
        #expect(!evidence(10, .ending(0.5), killed).wasMissed)
        // A signal that found curl in its exit, which takes half of its end, was left out at once.
        #expect(evidence(10, .ending(0.5), .exited(0)).wasMissed)
    }

    /// What a life began with is known only if the state before it was inspected.
    @Test func whatALifeBeganWithIsKnownOfTheFirstOnly() {
        let began = { (kill: Int, trigger: Trigger, hasInspection: Bool) in
            IterationEvidence(
                plan: PlannedIteration(
                    iteration: 1, policy: Policy(threshold: nil),
                    kills: (1...2).map {
                        PlannedKill(kill: $0, trigger: trigger, delaySeconds: 0)
                    }, seed: 1),
                kill: kill, fault: .sigkill, videoLength: 10, death: .signaled(9), killSent: true,
                contract: WorkerContract(hasWitness: true, hasInspection: hasInspection, bound: nil)
            ).beganWithKnown
        }
        #expect(began(1, .bytes(1), false))
        #expect(!began(2, .bytes(1), false))
        #expect(began(2, .bytes(1), true))
        #expect(!began(1, .phase(.starting), false))
        #expect(began(1, .phase(.receiving), false))
    }
}
