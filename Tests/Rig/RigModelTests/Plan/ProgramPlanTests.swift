import Foundation
import RigModel
import Testing

/// Plans of programs without bytes.
@Suite struct ProgramPlanTests {
    private func plan(
        _ trigger: TriggerKind = .random, lines: Int? = 40, kills: Int = 1, pinned: Trigger? = nil
    ) -> KillPlan {
        KillPlanTests.plan(
            seed: 3, iterations: 200, policies: [Policy.program], trigger: trigger, pinned: pinned
        ) {
            ($0.lacksBytes, $0.kills) = (true, kills)
            $0.lines = lines.map { [Policy.program.name: $0] }
        }
    }

    private func lines(_ plan: KillPlan) -> [Int] {
        plan.schedule.compactMap {
            if case .said(let line) = $0.first.trigger { line } else { nil }
        }
    }

    @Test func randomKillsComeByTheClockAndByLinesInTurn() {
        let kinds = plan().schedule.map(\.first.trigger.kind)
        #expect(kinds.prefix(4) == [.said, .time, .said, .time])
        #expect(Set(kinds) == [.said, .time])
    }

    @Test func aProgramThatSaysNothingIsKilledByTheClock() {
        #expect(plan(lines: 0).schedule.allSatisfy { $0.first.trigger.kind == .time })
        #expect(!plan(.said, lines: 0).isPossible)
    }

    @Test func linesAreDrawnFromTheFirstToTheLast() {
        let drawn = lines(plan(.said))
        #expect(drawn.count == 200)
        #expect(drawn.min() == 1 && drawn.max() == 40)
    }

    @Test func laterKillsOfAChainComeByTheClock() {
        let later = plan(kills: 3).schedule.flatMap { $0.kills.dropFirst() }
        #expect(later.count == 400)
        #expect(later.allSatisfy { $0.trigger.kind == .time })
    }

    @Test func theMomentsAreKnownOnceTheLinesAreCounted() throws {
        let open = plan(lines: nil)
        #expect(open.needsLines && !open.hasKnownMoments && open.hasKnownSize)
        let counted = open.counting(lines: [Policy.program.name: 40])
        #expect(counted == plan() && counted.hasKnownMoments)
        #expect(!plan(.said, lines: nil, pinned: .said(2)).needsLines)
        #expect(!plan(.time, lines: nil).needsLines)
    }

    @Test func aLineIsStoredAndReadAgain() throws {
        let moment = Trigger.said(7)
        let stored = try JSONEncoder().encode([moment])
        #expect(try JSONDecoder().decode([Trigger].self, from: stored) == [moment])
        #expect(moment.planned == "7" && moment.kind == .said && moment.heldBytes == nil)
    }

    @Test func theProgramHasAPolicyOfItsOwn() throws {
        let policy = Policy.program
        #expect(policy.name == "program" && policy.isOfProgram && policy.threshold == nil)
        #expect(Policy("program") == policy && policy.each == [policy])
        #expect(policy.survives(.powerCut) && policy.boundPerRequest(under: .sigkill) == nil)
        let stored = try JSONEncoder().encode(policy)
        #expect(try JSONDecoder().decode(Policy.self, from: stored) == policy)
        #expect(Policy("disabled")?.isOfProgram == false && Policy("program+1MB") == nil)
    }

    @Test func theOptionsOfACheckAskForTheSame() {
        var check = ProgramCheck("./check {dir}")
        #expect(check.options == ["--check", "./check {dir}"])
        check.prepare = "./new {dir}"
        check.sees = "rm {dir}/a"
        check.isRunBefore = true
        check.said = "acks"
        check.seconds = 1.5
        check.relaunches = false
        #expect(
            check.options == [
                "--check", "./check {dir}", "--prepare", "./new {dir}", "--check-sees",
                "rm {dir}/a",
                "--check-before", "--said", "acks", "--for", "1.5s", "--no-relaunch",
            ])
        #expect(check.saidFile == "acks" && ProgramCheck("").saidFile == nil)
    }
}
