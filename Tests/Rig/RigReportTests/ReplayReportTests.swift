import RigModel
import RigReport
import Testing

struct ReplayReportTests {
    private func summary(
        _ checkers: Set<Checker> = [.bound], trigger: TriggerKind = .bytes,
        fault: Fault = .sigkill, kill number: Int = 1, pinned: Trigger? = nil,
        shrunk: ShrunkKill? = nil, _ change: (inout ReplayTally) -> Void = { _ in }
    ) -> ReplaySummary {
        var refinement = KillPlan.Refinement()
        (refinement.points, refinement.kills) = (["512KB": 40], number)
        let plan = KillPlan(
            seed: 3, iterations: 9, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
            trigger: trigger, pinned: pinned, videoLength: 10 << 20, refinement: refinement)
        let manifest = makeRunManifest(runID: "run-7", fault: fault, plan: plan)
        let isFailure = !checkers.isEmpty
        let kill = StoredKill(
            manifest: manifest, planned: plan.schedule[4], kill: number,
            verdict: isFailure ? .fail : .pass,
            reason: checkers.map { "\($0.rawValue): too much" }.sorted().joined(separator: "; "),
            checkers: checkers)
        var tally = ReplayTally(original: kill.verdict, checkers: checkers)
        change(&tally)
        return ReplaySummary(kill: kill, tally: tally, notes: ["the cores were 1"], shrunk: shrunk)
    }

    @Test func itSaysHowOftenAndByWhom() {
        let text = ReplayText.text(
            summary {
                $0.reproduced = 17
                $0.otherwise = [[.integrity, .durability]: 1]
                ($0.passed, $0.inconclusive) = (1, ["too early": 1])
            })
        for line in [
            "replay of kill 1 of iteration 5 of 512KB in run run-7", "reproduced        17 of 20",
            "failed otherwise  1 of 20, by durability, integrity",
            "inconclusive      1 of 20, too early", "note: the cores were 1",
            "REPRODUCED  17 of 20, by bound",
        ] { #expect(text.split(separator: "\n").contains { $0 == line }, "\(line) in\n\(text)") }
        #expect(text.hasPrefix("REPRODUCED"))
    }

    /// A failure that did not come again used to end in the word "pass".
    @Test func aFailureThatDoesNotComeAgainIsNotReproduced() {
        let never = ReplayText.text(summary { $0.passed = 10 })
        #expect(never.hasPrefix("NOT REPRODUCED  in 10\n"), "\(never)")
        #expect(!never.lowercased().contains("pass (exit"))
        let others = ReplayText.text(
            summary {
                $0.passed = 6
                $0.otherwise = [[.integrity]: 3]
                $0.inconclusive = ["too early": 1]
            })
        let words = "in 9, but 3 failed otherwise; 1 more prove nothing"
        #expect(others.hasPrefix("NOT REPRODUCED  \(words)\n"), "\(others)")
        let nothing = ReplayText.text(summary { $0.inconclusive = ["too early": 4] })
        #expect(nothing.hasPrefix("UNDECIDED  none of 4 repetitions"), "\(nothing)")
    }

    @Test func aKillThatPassedIsNotReproduced() {
        let text = ReplayText.text(summary([]) { $0.passed = 20 })
        #expect(text.hasPrefix("PASS  failed 0 of 20; in the run it was a pass\n"), "\(text)")
        #expect(!text.contains("reproduced"))
    }

    @Test(arguments: TriggerKind.allCases, Fault.allCases)
    func everyKillSaysWhatIsTheSame(trigger: TriggerKind, fault: Fault) {
        let determinism = Determinism(summary(trigger: trigger, fault: fault).kill)
        #expect(determinism.fixed.count >= 4)
        #expect(determinism.free.count >= 3)
        #expect(Set(determinism.fixed).isDisjoint(with: determinism.free))
    }

    /// A replay of the fifth kill that proved nothing twenty times did not say why.
    @Test func aLaterKillDependsOnTheOnesBeforeIt() {
        for number in [1, 2, 5] {
            let free = Determinism(summary(kill: number).kill).free
            #expect(free.contains { $0.contains("the kills before it") } == (number > 1))
        }
    }

    @Test func aWorkerThatIsSparedIsNotSaidToBeKilled() {
        let text = ReplayText.text(summary([], trigger: .time, pinned: .never) { $0.passed = 20 })
        expect(text, has: "planned     time never", "that no worker is killed", lacks: "the signal")
    }

    @Test func theJSONHasTheSameFigures() {
        let shrunk = ShrunkKill(
            changes: [.init(name: "threshold", before: "512KB", after: "16KB")], candidates: 30,
            tries: 2, isMinimal: true, command: "rig kill-test --at 5")
        let json = ReplayJSON.text(
            summary(shrunk: shrunk) {
                $0.reproduced = 19
                $0.otherwise = [[.integrity]: 1]
            })
        for part in [
            "\"times\": 20", "\"reproduced\": 19", "\"exit_code\": 99", "\"run_id\": \"run-7\"",
            "\"iteration\": 5", "\"is_minimal\": true", "\"command\": \"rig kill-test --at 5\"",
            "\"after\": \"16KB\"",
        ] { #expect(json.contains(part), "\(part) in\n\(json)") }
    }

    @Test func bothDocumentsBeginWithTheKill() {
        let replay = summary()
        let begins = [
            ReplayJSON.text(replay),
            ExplanationJSON.text(Explanation(kill: replay.kill, rule: "no sync")),
        ].map { $0.split(separator: "\n").prefix(10).joined(separator: "\n") }
        #expect(begins[0] == begins[1])
        #expect(begins[0].contains("\"run_id\": \"run-7\""))
        #expect(begins[0].hasSuffix("\"bound\"\n  ],"))
    }

    @Test func theSmallestCaseEndsInACommandOnALineOfItsOwn() {
        let shrunk = ShrunkKill(
            changes: [.init(name: "byte", before: "5220081", after: "16385")], candidates: 54,
            tries: 1, isMinimal: false, command: "rig kill-test --at 16385")
        let lines = ReplayText.text(summary(shrunk: shrunk) { $0.reproduced = 3 })
            .split(separator: "\n")
        expect(lines, has: "rig kill-test --at 16385", "byte  16385, in the run 5220081")
        #expect(lines.contains { $0.contains("54 others") && $0.contains("may be a smaller one") })
    }
}
