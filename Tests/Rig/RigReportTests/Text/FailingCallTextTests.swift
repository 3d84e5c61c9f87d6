import Foundation
import RigModel
import RigReport
import Testing

/// Each failing call that did harm can be had again, in a run that lets no other one fail.
@Suite struct FailingCallTextTests {
    /// A run in which so many calls of a hundred did harm, one after another from the third on.
    private static func run(_ harmful: Int, kills: Int = 1) -> ReportedRun {
        var refinement = KillPlan.Refinement()
        (refinement.isExhaustive, refinement.hasOneSide, refinement.kills) = (true, true, kills)
        let plan = KillPlan(
            seed: 3, iterations: 1, policies: [Policy("512KB")].compactMap(\.self),
            trigger: .syscall, videoLength: 2 << 20, refinement: refinement
        ).counting(["512KB": ["write": 100]])
        var rows = makeRows(100)
        for index in 2..<2 + harmful {
            fail(&rows[index], [(.falseSuccess, "call \(index + 1) failed, and exit code 0")])
        }
        let shown = makeVerdictRun(rows, status: .gateFailed, fault: .callError, worker: "get")
        var manifest = makeRunManifest(
            worker: "get", fault: .callError,
            profile: WorkerProfile(name: "get", command: ["get", "{url}", "a b"]), plan: plan)
        manifest.callFailure = CallFailure(.eio, pattern: "*.part")
        return ReportedRun(
            manifest: manifest, rows: rows, summary: shown.summary, folder: "results/latest")
    }

    private static func command(at call: Int) -> String {
        "rig kill-test --iterations 1 --thresholds 512KB --trigger syscall --at \(call)"
            + " --fault call-error --error eio --on '*.part' --seed "
    }

    @Test(arguments: [(1, nil), (4, "Others  --at 4, 5, 6")] as [(Int, String?)])
    func theTerminalNamesEach(harmful: Int, others: String?) throws {
        let lines = VerdictText.text(Self.run(harmful)).split(separator: "\n").map(String.init)
        let line = try #require(lines.first { $0.hasPrefix("One call  ") })
        #expect(line.hasPrefix("One call  " + Self.command(at: 3)), "\(line)")
        #expect(line.hasSuffix(" -- get '{url}' 'a b'"), "\(line)")
        #expect(lines.first { $0.hasPrefix("Others") } == others)
        #expect(lines.contains("Repeat  rig replay results/latest --iteration 3"))
    }

    @Test func manyAreCounted() {
        let text = VerdictText.text(Self.run(40))
        #expect(text.contains("--at 4, 5, "))
        #expect(text.contains(", 23 and 19 more in the report\n"), "\(text)")
    }

    @Test func thePageAndTheReportsHaveIt() throws {
        let run = Self.run(2)
        let page = ReportPage.text(run)
        for call in 3...4 {
            let command = Self.command(at: call).replacing("'", with: "&#39;")
            #expect(page.contains("<code>\(command)"), "\(command)")
        }
        let details = try JUnitReading(JUnitXML.text(run)).cases.map(\.details).joined()
        #expect(details.contains("one call: " + Self.command(at: 3)))
        #expect(details.contains("others: --at 4"))
        #expect(SummaryMarkdown.text(run).contains("- one call: <code>rig kill-test"))
    }

    /// Of a chain, what follows the failing call belongs to the command.
    @Test func aChainIsHadAgainAsAWhole() {
        let text = VerdictText.text(Self.run(1, kills: 3))
        #expect(text.contains("--at 3 --kills 3 --fault call-error"), "\(text)")
        #expect(text.contains(" of 100 kills\n"), "\(text)")
    }

    @Test func aKillHasNoSuchCommand() {
        var rows = makeRows(3)
        fail(&rows[1], [(.bound, "lost too much")])
        let run = makeVerdictRun(rows, status: .gateFailed)
        #expect(!VerdictText.text(run).contains("One call"))
        #expect(!SummaryMarkdown.text(run).contains("one call"))
    }
}
