import Foundation
import RigModel
import Testing

@Suite struct KillPlanTests {
    static let policies = ["256KB", "512KB", "disabled"].compactMap { Policy($0) }

    static func plan(
        seed: UInt64 = 42, iterations: Int = 50, policies: [Policy] = policies,
        trigger: TriggerKind = .random, pinned: Trigger? = nil, videoLength: Int64 = 10_485_760,
        refine: (inout KillPlan.Refinement) -> Void = { _ in }
    ) -> KillPlan {
        var refinement = KillPlan.Refinement()
        refine(&refinement)
        return KillPlan(
            seed: seed, iterations: iterations, policies: policies, trigger: trigger,
            pinned: pinned, videoLength: videoLength, refinement: refinement)
    }

    @Test func anotherSeedGivesAnotherPlan() {
        let moments = Set(
            (0..<20).map { Self.plan(seed: $0, trigger: .bytes).schedule.first?.first.trigger })
        #expect(moments.count == 20)
    }

    @Test func anIterationDependsOnSeedAndIndexOnly() {
        let whole = Self.plan(iterations: 1_000)
        let alone = Self.plan(iterations: 1, policies: [Policy(threshold: nil)])
        for index in [1, 2, 3, 499, 1_000] {
            let one = alone.iteration(index, policy: Policy(threshold: nil))
            for policy in Self.policies {
                let other = whole.iteration(index, policy: policy)
                #expect(other.kills == one.kills)
                #expect(other.seed == one.seed)
                #expect(other.policy == policy)
            }
        }
    }

    @Test func policiesAreInterleavedInTheOrderAskedFor() {
        let schedule = Self.plan(iterations: 4).schedule
        #expect(schedule.map(\.iteration) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
        #expect(schedule.map(\.policy.name) == (0..<4).flatMap { _ in Self.policies.map(\.name) })
    }

    @Test(arguments: [0, 1])
    func aPlanMayBeShort(iterations: Int) {
        #expect(Self.plan(iterations: iterations).schedule.count == iterations * 3)
    }

    @Test(arguments: [3, 4, 1_000, 10_485_760] as [Int64])
    func bytesLieStrictlyInsideTheVideo(videoLength: Int64) {
        let plan = Self.plan(iterations: 500, trigger: .bytes, videoLength: videoLength)
        var counts: Set<Int64> = []
        for planned in plan.schedule {
            guard case .bytes(let count) = planned.first.trigger else {
                Issue.record("not by bytes: \(planned)")
                continue
            }
            counts.insert(count)
            #expect((1..<videoLength).contains(count))
            #expect((0..<KillPlan.longestDelaySeconds).contains(planned.first.delaySeconds))
        }
        // With few positions both ends are reached.
        if videoLength <= 4 { #expect(counts == Set(1..<videoLength)) }
        if videoLength > 1_000 { #expect(counts.count > 490) }
    }

    @Test func timesLieInTheInterval() {
        for planned in Self.plan(iterations: 500, trigger: .time).schedule {
            guard case .time(let fraction) = planned.first.trigger else {
                Issue.record("not by time: \(planned)")
                continue
            }
            #expect(KillPlan.timeFractions.contains(fraction))
            #expect(planned.first.delaySeconds == 0)
        }
    }

    @Test func randomTakesBytesAndTimeInTurn() {
        let kinds = Self.plan(iterations: 6, policies: [Policy(threshold: nil)]).schedule
            .map(\.first.trigger.kind)
        #expect(kinds == [.bytes, .time, .bytes, .time, .bytes, .time])
    }

    @Test(arguments: [Trigger.bytes(4_096), .time(0.25)])
    func aPinnedMomentIsTakenEveryTime(pinned: Trigger) {
        let schedule = Self.plan(iterations: 20, pinned: pinned).schedule
        #expect(Set(schedule.map(\.first.trigger)) == [pinned])
        #expect(Set(schedule.map(\.seed)).count == 20)
    }

    @Test(arguments: [
        (Trigger.bytes(42), "bytes", "42"), (.flowing(42), "bytes", "42:flowing"),
        (.time(0.25), "time", "0.250000"),
        (.never, "time", "never"),
    ])
    func triggersAreWrittenAsInTheCSV(trigger: Trigger, kind: String, planned: String) {
        #expect(trigger.kind.rawValue == kind)
        #expect(trigger.planned == planned)
    }

    @Test(arguments: [
        (#"{"never":{}}"#, Trigger.never),
        (#"{"time":{"_0":0.25}}"#, .time(0.25)), (#"{"bytes":{"_0":42}}"#, .bytes(42)),
        (#"{"phase":{"_0":"receiving"}}"#, .phase(.receiving)),
        (
            #"{"syscall":{"_0":{"ordinal":3,"edge":"after"}}}"#,
            .syscall(CallMoment(ordinal: 3, edge: .after))
        ),
    ])
    func storedMomentsAreRead(text: String, trigger: Trigger) throws {
        let read = try JSONDecoder().decode(Trigger.self, from: Data(text.utf8))
        #expect(read == trigger)
        let again = try JSONDecoder().decode(Trigger.self, from: JSONEncoder().encode(read))
        #expect(again == trigger)
    }

    /// A stored run's plan without kills, with its digest.
    @Test func thePlanOfARunWithoutKillsIsReadAndKeepsItsDigest() throws {
        let text = """
            {"iterations": 100, "pinned": {"never": {}}, "policies": [{"durability": \
            "process", "threshold": {"bytes": 524288}}], "seed": 20261121, "trigger": "time", \
            "videoLength": 10485760}
            """
        let plan = try JSONDecoder().decode(KillPlan.self, from: Data(text.utf8))
        #expect(plan.sparesWorkers)
        #expect(plan.digest == "eaa6fddaf0254cfb")
    }

    @Test(arguments: [
        ("137", 137, CallMoment.Edge.before, nil), ("137:before", 137, .before, nil),
        ("1:after", 1, .after, nil), ("rename:2", 2, .before, "rename"),
        ("copy_file_range:7:after", 7, .after, "copy_file_range"),
    ])
    func aCallIsNamedByItsOrdinalAndEdge(
        text: String, ordinal: Int, edge: CallMoment.Edge, name: String?
    ) {
        let moment = CallMoment(ordinal: ordinal, edge: edge, name: name)
        #expect(CallMoment(text) == moment)
        #expect(CallMoment(moment.text) == moment)
    }

    /// A program made 1,360 calls, and its join was two of them: no kill of forty came there.
    @Test func kindsOfCallsAreKilledAtEquallyOften() {
        let counted = ["openat": 3, "rename": 1, "write": 1360]
        let plan = Self.plan(
            seed: 1, iterations: 60, policies: [Self.policies[0]], trigger: .syscall
        ) { $0.isStratified = true }.counting([Self.policies[0].name: counted])
        #expect(plan.isPossible && plan.iterations == 60)
        var kinds: [String: Set<Int>] = [:]
        var kills: [String: Int] = [:]
        for case .syscall(let moment) in plan.schedule.map(\.first.trigger) {
            let name = moment.name ?? ""
            kinds[name, default: []].insert(moment.ordinal)
            kills[name, default: 0] += 1
        }
        #expect(kills == ["openat": 20, "rename": 20, "write": 20])
        #expect(kinds["openat"] == [1, 2, 3] && kinds["rename"] == [1])
        #expect(kinds["write"]?.allSatisfy { (1...1360).contains($0) } == true)
    }

    @Test(arguments: [
        "rename", "rename:", "rename:0", "rename:x", "2:rename", "re name:1", ":1",
        "rename:1:after:after", "", "0", "-1", "x", "1:", ":after", "1:after:after", "1:during",
        "1.5",
    ])
    func otherTextsNameNoCall(text: String) { #expect(CallMoment(text) == nil) }

    /// The origin used to hold back everything after a planned byte.
    ///
    /// All of these kills then hit a worker that was waiting.
    @Test func halfOfTheKillsByBytesLandWhileBytesFlow() {
        let length: Int64 = 10_485_760
        let plan = Self.plan(seed: 7, iterations: 1000, trigger: .bytes) {
            $0.hasKillsInFlow = true
        }
        let kills = plan.schedule.map(\.first)
        let flowing = kills.filter { $0.trigger.heldBytes == nil }
        #expect((0.45...0.55).contains(Double(flowing.count) / Double(kills.count)))
        for kill in flowing {
            guard case .flowing(let count) = kill.trigger else {
                Issue.record("\(kill.trigger) is neither held nor flowing")
                continue
            }
            #expect(kill.delaySeconds == 0)
            #expect(KillPlan.timeFractions.contains(Double(count) / Double(length)))
        }
        // All other kills are those of a plan without this option.
        let held = Self.plan(seed: 7, iterations: 1000, trigger: .bytes).schedule.map(\.first)
        for (kill, other) in zip(kills, held) where kill.trigger.heldBytes != nil {
            #expect(kill == other)
        }
        // A repeated kill lands as before.
        let planned = plan.schedule.first { $0.first.trigger.heldBytes == nil }
        #expect(planned.map { plan.repeating($0).schedule[0].first } == planned?.first)
    }

    /// Kills by the clock used to stop at 0.85 of the time, and those by bytes before the last one.
    ///
    /// A program that joins its parts at the end, straight into its file, passed a hundred kills.
    @Test(arguments: [TriggerKind.random, .time])
    func killsComeAtTheEndOfTheWorkAsWell(trigger: TriggerKind) {
        let plan = Self.plan(
            seed: 7, iterations: 100, policies: [Self.policies[0]], trigger: trigger
        ) { $0.killsPerEnding = KillPlan.killsPerEnding }
        let moments = plan.schedule.map(\.first.trigger)
        var endings: [Double] = []
        var times: [Double] = []
        for moment in moments {
            if case .ending(let share) = moment { endings.append(share) }
            if case .time(let fraction) = moment { times.append(fraction) }
        }
        #expect(endings.count == 5)
        #expect(endings.allSatisfy { (0...1).contains($0) } && Set(endings).count == 5)
        #expect(times.allSatisfy { KillPlan.timeFractions.contains($0) })
        // A short run has one, too.
        #expect(moments[..<10].contains { $0.planned.hasPrefix(Trigger.endingPrefix) })
        // All other kills are those of a plan without this option.
        let others = Self.plan(seed: 7, iterations: 100, trigger: trigger).schedule
            .filter { $0.policy == Self.policies[0] }.map(\.first.trigger)
        for (moment, other) in zip(moments, others)
        where !moment.planned.hasPrefix(Trigger.endingPrefix) { #expect(moment == other) }
    }

    /// The unit of kills by the clock ends with the process, so that they come after the last byte as
    /// well, where that takes long; those that are planned there make up for the last 0.15.
    @Test(arguments: [0.01, 0.15, 0.3, 0.6, 0.8])
    func theEndIsKilledAboutAsOftenAsItsShareOfTheTime(share: Double) {
        let iterations = 4_000
        let plan = Self.plan(
            seed: 7, iterations: iterations, policies: [Self.policies[0]], trigger: .random
        ) { $0.killsPerEnding = KillPlan.killsPerEnding }
        let clocked = plan.schedule.map(\.first.trigger).filter { $0.kind == .time }
        let atEnd = clocked.count { moment in
            if case .time(let fraction) = moment { fraction > 1 - share } else { true }
        }
        #expect(atEnd * KillPlan.killsPerEnding >= iterations)
        #expect(Double(atEnd) / Double(clocked.count) > share - 0.07)
    }

    @Test func aChainGoesOnInRecoveryOrShortlyAfterIt() {
        let plan = Self.plan(seed: 7, iterations: 100, trigger: .bytes) { $0.kills = 5 }
        var kinds: [TriggerKind: Int] = [:]
        for iteration in plan.schedule {
            #expect(iteration.kills.map(\.kill) == [1, 2, 3, 4, 5])
            #expect(iteration.first.trigger.kind == .bytes)
            for kill in iteration.kills.dropFirst() {
                kinds[kill.trigger.kind, default: 0] += 1
                switch kill.trigger {
                case .bytes(let count), .flowing(let count):
                    let soon = 2 * (iteration.policy.threshold?.bytes ?? 512 << 10)
                    #expect((1...soon).contains(count))
                case .time(let fraction): #expect((0.01...0.2).contains(fraction))
                case .phase(let phase): #expect(phase == .recovering)
                case .ending, .recovery, .syscall, .said, .never:
                    Issue.record("no chain has such a kill: \(kill)")
                }
            }
        }
        #expect(Set(kinds.keys) == [.bytes, .time, .phase])
        #expect(kinds.values.allSatisfy { $0 > 300 })
        // A chain's first kill is the one of a plan without chains, as in older plans.
        let single = Self.plan(seed: 7, iterations: 100, trigger: .bytes)
        #expect(single.schedule.map(\.first) == plan.schedule.map(\.first))
    }

    /// First kills used to lie anywhere.
    ///
    /// After an early one nothing had been kept, so that the kill during its recovery proved
    /// nothing; after a late one the lives ended before their kills. That affected 12 of 240 kills
    /// in chains of 4.
    @Test(arguments: [2, 4, 5, 100], [TriggerKind.bytes, .time, .random])
    func theKillsOfAChainLeaveRoomForOneAnother(kills: Int, trigger: TriggerKind) {
        let length: Int64 = 10_485_760
        let plan = Self.plan(seed: 7, iterations: 100, trigger: trigger) {
            ($0.kills, $0.hasKillsInFlow, $0.hasRoomInChains) = (kills, true, true)
        }
        func share(_ moment: Trigger) -> Double {
            switch moment {
            case .bytes(let count), .flowing(let count): Double(count) / Double(length)
            case .time(let fraction): fraction
            case .ending, .phase, .recovery, .syscall, .said, .never: 0
            }
        }
        for iteration in plan.schedule {
            #expect((0.29...0.61).contains(share(iteration.first.trigger)))
            let others = iteration.kills.dropFirst().map { share($0.trigger) }
            // Each timed kill adds a hundredth.
            #expect(others.reduce(0, +) <= 0.4 + 0.01 * Double(kills))
        }
    }

    /// A kill in a phase would never happen to a program that shows no phases.
    @Test func withoutPhasesAChainGoesOnByBytesAndTimes() {
        let plan = Self.plan(seed: 7, iterations: 200, trigger: .bytes) {
            ($0.kills, $0.lacksPhases) = (3, true)
        }
        let followers = plan.schedule.flatMap { $0.kills.dropFirst() }
        let kinds = Dictionary(grouping: followers, by: \.trigger.kind).mapValues(\.count)
        #expect(Set(kinds.keys) == [.bytes, .time])
        #expect(kinds.values.allSatisfy { $0 * 3 > followers.count })
        for case .bytes(let count) in followers.map(\.trigger) {
            #expect((1...(2 << 20)).contains(count))
        }
    }

    /// The kills in recoveries used to come some milliseconds after their beginning, whatever the
    /// machine was doing, and none to programs without phases.
    ///
    /// Now they are spread over the recovery, as kills by the clock are over the work.
    @Test(arguments: [nil, true])
    func aThirdOfTheLaterKillsComesInRecoveries(lacksPhases: Bool?) throws {
        let plan = Self.plan(seed: 7, iterations: 200, trigger: .bytes) {
            ($0.kills, $0.lacksPhases, $0.aimsAtRecoveries) = (4, lacksPhases, true)
        }
        let followers = plan.schedule.flatMap { $0.kills.dropFirst() }
        let shares = followers.compactMap(\.recoveryShare).sorted()
        #expect((0.3...0.37).contains(Double(shares.count) / Double(followers.count)))
        #expect(shares[shares.count / 4] < 0.3 && shares[3 * shares.count / 4] > 0.7)
        #expect(shares.allSatisfy { (0...1).contains($0) })
        for kill in followers where kill.recoveryShare != nil {
            #expect(kill.trigger.kind == .phase && kill.trigger.phase == .recovering)
            #expect(kill.trigger.heldBytes == 0, "the origin withholds the first new byte")
            #expect(kill.trigger.planned.hasPrefix("recovering:0."))
        }
        // A stored plan gives the same kills.
        let first = try #require(plan.schedule.first)
        let stored = try JSONDecoder().decode(
            PlannedIteration.self, from: JSONEncoder().encode(first))
        #expect(stored == first)
    }

    /// What few plans have is not written for the others.
    @Test func aPlanWithPhasesIsStoredAsEver() throws {
        var refinement = KillPlan.Refinement()
        refinement.kills = 2
        let stored = #"{"kills":2,"isStratified":false,"isExhaustive":false}"#
        let read = try JSONDecoder().decode(KillPlan.Refinement.self, from: Data(stored.utf8))
        #expect(read == refinement)
        #expect(try JSONEncoder().encode(refinement).count == stored.utf8.count)
    }

    @Test func everyCallIsKilledAtBeforeAndAfterIt() {
        func plan(_ points: [String: Int]?) -> KillPlan {
            Self.plan(
                seed: 1, iterations: 8, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
                trigger: .syscall, videoLength: 100
            ) { ($0.points, $0.isExhaustive) = (points, true) }
        }
        let texts = ["1", "1:after", "2", "2:after", "3", "3:after", "4", "4:after"]
        let counted = plan(["512KB": 4])
        #expect(counted.schedule.map(\.first.trigger.planned) == texts)
        #expect(counted.isPossible)
        let recounted = plan(nil).counting(["512KB": ["write": 2, "fsync": 1]])
        #expect(recounted.iterations == 6)
        #expect(recounted.schedule.map(\.first.trigger.planned) == Array(texts.prefix(6)))
        #expect(!plan(nil).isPossible)
    }
}
