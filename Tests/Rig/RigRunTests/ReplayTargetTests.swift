import Foundation
import RigLab
import RigModel
import RigReport
import Testing

@testable import RigRun

struct ReplayTargetTests {
    private let runs: RunsFolder

    init() throws {
        runs = try RunsFolder()
        var chains = try settings(thresholds: [512 << 10, nil])
        chains.kills = 3
        // The last iteration of `disabled` is missing; of iteration 2 the later kills failed.
        try runs.store("run", chains, rows: 21) { rows in
            for index in rows.indices where rows[index].iteration == 2 && rows[index].kill > 1 {
                rows[index].verdict = .fail
                rows[index].reason = "integrity: kill \(rows[index].kill)"
                rows[index].checkers = [.integrity]
            }
        }
    }

    private func target(
        _ name: String = "run", iteration: Int? = nil, policy: String? = nil, kill: Int? = nil
    ) throws -> ReplayTarget {
        try ReplayTarget(
            "\(runs.path)/\(name)", iteration: iteration, policy: policy, kill: kill,
            console: silence)
    }

    /// The first kill that failed, or the one that is named, whatever the others showed.
    @Test(
        arguments: [(2, nil, 2), (2, 1, 1), (2, 2, 2), (2, 3, 3), (1, nil, 1)]
            as [(Int, Int?, Int)])
    func theFirstFailureIsMeantUnlessAKillIsNamed(
        iteration: Int, kill: Int?, expected: Int
    ) throws {
        let target = try target(iteration: iteration, policy: "disabled", kill: kill)
        #expect(target.kill.planned.iteration == iteration)
        #expect(target.kill.planned.policy.name == "disabled")
        #expect(target.kill.kill == expected && target.kill.planned.kills.count == 3)
        #expect(target.kill.checkers == (expected > 1 ? [.integrity] : []))
        #expect(target.kill.reason.hasSuffix(expected > 1 ? "kill \(expected)" : "yet"))
        #expect(target.folder.path == "\(runs.path)/run")
        #expect(target.evidencePath.hasSuffix("run/evidence/disabled-\(iteration)-\(expected)"))
    }

    @Test(
        arguments: [
            (nil, "512KB", nil, "which iteration? add --iteration, from 1 to 4"),
            (5, "512KB", nil, "the run has iterations 1 to 4"), (2, nil, nil, "which policy?"),
            (2, "1MB", nil, "the run has 512KB, disabled"),
            (2, "512KB", 4, "the run has kills 1 to 3 per iteration"),
        ] as [(Int?, String?, Int?, String)])
    func aKillThatThePlanDoesNotHaveIsRefused(
        iteration: Int?, policy: String?, kill: Int?, says: String
    ) throws {
        let message = refusal(.usage) {
            _ = try target(iteration: iteration, policy: policy, kill: kill)
        }
        #expect(message?.contains(says) == true, "\(message ?? "accepted")")
    }

    @Test func aRowThatIsMissingIsRefused() throws {
        let message = refusal(.data) { _ = try target(iteration: 4, policy: "disabled") }
        #expect(message?.contains("has no row of it") == true, "\(message ?? "accepted")")
    }

    /// Each write met the full disk, and none of them is the one that failed.
    @Test func noCallIsNamedOfAFullDisk() throws {
        var full = try settings()
        full.fault = .diskFull
        try runs.store("full", full) { rows in
            rows[0].verdict = .fail
            rows[0].reason = "false-success: there was no completed file"
            rows[0].checkers = [.falseSuccess]
        }
        let target = try target("full", iteration: 1)
        let message = refusal(.usage) {
            _ = try Explain(target: target, times: 1, kills: 0, console: silence)
        }
        let advice = "--fault call-error --error enospc"
        #expect(message?.contains(advice) == true, "\(message ?? "accepted")")
    }

    /// A folder of evidence says which kill it is of, in its run and anywhere else.
    @Test(arguments: ["run/evidence/512KB-2-2", "elsewhere"])
    func evidenceNamesItsKill(place: String) throws {
        let kill = try target(iteration: 2, policy: "512KB").kill
        let folder = "\(runs.path)/\(place)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try StoredKillJSON.text(kill).write(
            toFile: "\(folder)/plan.json", atomically: true, encoding: .utf8)
        let named = try target(place)
        #expect(named.kill == kill)
        #expect(named.folder.path == (place == "elsewhere" ? folder : "\(runs.path)/run"))
        let message = refusal(.usage) { _ = try target(place, iteration: 3) }
        #expect(message?.contains("name the run's folder") == true, "\(message ?? "accepted")")
    }
}

/// A later kill of a chain is kept, named and repeated as itself, and not as the first one (B6).
struct LaterKillTests {
    private let runs: RunsFolder
    private let run: StoredRun

    init() throws {
        runs = try RunsFolder()
        var chains = try settings(thresholds: [512 << 10])
        chains.kills = 3
        run = try runs.store("run", chains)
    }

    /// The rows of an iteration's kills; each failed by a checker of its own.
    private func rows(_ kills: ClosedRange<Int>) throws -> [IterationRow] {
        let checkers: [Checker] = [.bound, .integrity, .durability]
        return try run.rows(console: silence).filter {
            $0.iteration == 2 && kills.contains($0.kill)
        }
        .map { row in
            var row = row
            row.verdict = .fail
            row.checkers = [checkers[row.kill - 1]]
            row.reason = "\(checkers[row.kill - 1].rawValue): kill \(row.kill)"
            return row
        }
    }

    private func evidence(_ kill: Int) throws -> IterationEvidence {
        let policy = try #require(run.manifest.plan.policies.first)
        return IterationEvidence(
            plan: run.manifest.plan.iteration(2, policy: policy), kill: kill,
            baseline: ByteRanges([0..<Int64(kill)]), fault: .sigkill, videoLength: 10,
            death: .signaled(9), killSent: true, killSeconds: Double(kill), killFraction: nil,
            requests: [ServedRequest(requested: 0..<Int64(kill), servedBytes: Int64(kill))],
            witness: nil, autopsy: nil, autopsyError: nil, resumption: nil)
    }

    @Test(arguments: 1...3)
    func theEvidenceOfAKillIsItsOwn(kill: Int) throws {
        let row = try #require(try rows(kill...kill).first)
        let texts = try run.manifest.evidenceTexts(
            of: row, evidence: try evidence(kill), folder: "run")
        let stored = try StoredKillJSON.read(try #require(texts["plan.json"]))
        #expect(stored.kill == kill && stored.planned.kills.count == 3)
        #expect(Set(stored.checkers) == row.checkers && stored.reason == row.reason)
        #expect(stored.isOfItsPlan)
        #expect(stored.evidencePath == "evidence/512KB-2-\(kill)")
        #expect(
            texts["replay.txt"] == "rig replay run --iteration 2 --policy 512KB"
                + (kill > 1 ? " --kill \(kill)\n" : "\n"))
        let kept = try StableJSON.read(
            IterationEvidence.self, from: try #require(texts["evidence.json"]))
        #expect(kept == (try evidence(kill)))
    }

    @Test func theRowOfTheKillItselfCounts() throws {
        let all = try rows(1...3)
        for kill in 1...3 {
            #expect(try Repetition.row(ofKill: kill, among: all) == all[kill - 1])
            #expect(try Repetition.row(ofKill: kill, among: all.reversed()) == all[kill - 1])
        }
    }

    /// A chain may end before the kill: what an earlier one has shown is not what is looked for.
    @Test func aChainThatEndedBeforeProvesNothing() throws {
        for (kill, ended) in [(2, 1), (3, 1), (3, 2)] {
            let row = try Repetition.row(ofKill: kill, among: try rows(1...ended))
            #expect(row.verdict == .inconclusive)
            #expect(row.checkers.isEmpty && row.notJudged.isEmpty)
            #expect(row.reason == "the chain ended with kill \(ended)")
        }
        let message = refusal(.failure) { _ = try Repetition.row(ofKill: 2, among: []) }
        #expect(message?.contains("came to no kill") == true)
    }
}
