import RigModel
import Testing

/// Which phases a kill can be planned in, and how plans spread over them.
@Suite struct PhaseReachTests {
    private static func reach(
        _ workload: Workload, _ policies: [String] = ["512KB"], capacity: Int64? = nil
    ) -> PhaseReach {
        PhaseReach(
            workload: workload, policies: policies.compactMap { Policy($0) },
            videoLength: 10 << 20, capacity: capacity)
    }

    private static let ofADownload = Phase.allCases.filter { $0 != .evicting && $0 != .cancelling }

    @Test(
        arguments: [
            (reach(.download), ofADownload),
            (reach(.download, ["512KB", "disabled"]), ofADownload.filter { $0 != .committing }),
            (reach(.download, ["10MB"]), ofADownload),
            (reach(.download, ["11MB"]), ofADownload.filter { $0 != .committing }),
            (reach(.playback), Phase.allCases.filter { $0 != .evicting }),
            (reach(.playback, capacity: 8 << 20), Phase.allCases),
            (reach(.playback, capacity: 10 << 20), Phase.allCases.filter { $0 != .evicting }),
            (reach(.switching, capacity: 8 << 20), Phase.allCases),
            // Five videos of 2 MB each.
            (
                reach(.switching, ["4MB"]),
                Phase.allCases.filter { $0 != .evicting && $0 != .committing }
            ),
            (reach(.offlineLibrary), [.connecting, .receiving, .committing, .completing]),
        ] as [(PhaseReach, [Phase])])
    func settingsDecideWhatIsInReach(reach: PhaseReach, phases: [Phase]) {
        #expect(reach.phases == phases)
        for phase in Phase.allCases where !phases.contains(phase) {
            #expect(reach.objection(to: phase) != nil)
        }
    }

    private static func plan(_ iterations: Int, isStratified: Bool) -> KillPlan {
        KillPlanTests.plan(
            seed: 7, iterations: iterations, policies: [Policy(threshold: nil)], trigger: .phase
        ) { ($0.phases, $0.isStratified) = (ofADownload, isStratified) }
    }

    @Test func aStratifiedPlanHitsEachPhaseEquallyOften() {
        let triggers = Self.plan(200, isStratified: true).schedule.map(\.first.trigger)
        for phase in Self.ofADownload { #expect(triggers.count { $0 == .phase(phase) } == 25) }
    }

    @Test func aPlanThatIsNotDrawsThem() {
        let triggers = Self.plan(2_000, isStratified: false).schedule.map(\.first.trigger)
        for phase in Self.ofADownload {
            // The standard deviation is 15, so this is six of them.
            #expect((160...340).contains(triggers.count { $0 == .phase(phase) }))
        }
    }

    /// A phase takes a millisecond or two: uniform delays would nearly all end after it.
    @Test func theWaitsInAPhaseAreMoreOftenShort() {
        let waits = Self.plan(1_000, isStratified: true).schedule.map(\.first.delaySeconds).sorted()
        #expect(waits.allSatisfy { (0..<KillPlan.longestDelaySeconds).contains($0) })
        #expect((0.000_4...0.000_9).contains(waits[500]))
        #expect((waits.last ?? 0) > 0.004)
    }

    @Test(arguments: Workload.allCases)
    func aKillThatCouldTellNothingIsNotPlanned(workload: Workload) {
        for phase in [Phase.starting, .recovering] { #expect(workload.needsEarlierLife(phase)) }
        for phase in Phase.allCases where !workload.needsEarlierLife(phase) {
            let first = workload.firstTellingEntry(of: phase)
            #expect((1...2).contains(first))
        }
    }
}
