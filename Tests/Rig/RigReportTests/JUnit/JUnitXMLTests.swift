import Foundation
import RigModel
import RigReport
import Testing

@Suite struct JUnitXMLTests {
    private func rows() -> [IterationRow] {
        makeRows(100) { row in
            if row.iteration == 7 {
                fail(&row, [(.bound, "600000 B lost, bound 524288 B")])
                row.lostBytes = 600_000
            }
            if row.iteration == 9 { leaveOut(&row, because: "the kill came before the first byte") }
        }
    }

    private func report(
        _ summary: RunSummary = makeSummary(), rows: [IterationRow]? = nil,
        manifest: Manifest = makeRunManifest(policies: ["512KB", "disabled"])
    ) -> String {
        JUnitXML.text(
            ReportedRun(
                manifest: manifest, rows: rows ?? self.rows(), summary: summary,
                folder: "results/my run"))
    }

    private var green: RunSummary {
        var summary = makeSummary(status: .success)
        summary.policies = [summary.policies[0]]
        summary.policies[0].passed = 100
        summary.policies[0].failed = 0
        summary.policies[0].inconclusive = 0
        summary.gates = [summary.gates[1]]
        return summary
    }

    @Test func theSchemaOfJenkinsTakesIt() throws {
        for text in [report(), report(green, rows: [])] {
            let outcome = try validate(text)
            #expect(outcome.status == 0, "\(outcome.words)")
        }
        // The validation must reject these.
        let wrong = report().replacing("<testcase classname", with: "<testcase klass")
        #expect(try validate(wrong).status == 3)
        #expect(try validate(report().replacing("&lt;", with: "<")).status != 0)
    }

    @Test func everyGateIsACaseAndUnknownIsNoPass() throws {
        let read = try JUnitReading(report())
        let all = try #require(read.only("gate violations == 0", in: "all policies"))
        #expect(all.outcome == "failure")
        #expect(all.message == "is 1, limit 0, n 99")
        #expect(read.only("gate loss_percent <= 10")?.outcome == "passed")
        let unknown = try #require(read.only("gate disabled:loss_percent >= 97", in: "disabled"))
        #expect(unknown.outcome == "error")
        #expect(unknown.message.hasPrefix("not known"))
    }

    @Test func thePolicyWithAFailedKillIsAFailure() throws {
        let read = try JUnitReading(report())
        #expect(read.only("kills")?.outcome == "failure")
        #expect(read.only("kills")?.message == "1 of 99 kills failed")
        // A policy without rows: nothing was measured.
        #expect(read.only("kills", in: "disabled")?.outcome == "error")
    }

    /// A viewer may show the first failure only: it says which kill failed, why, and how to repeat
    /// it.
    @Test func theFirstFailureHasItsKillAndItsCommand() throws {
        let read = try JUnitReading(report())
        let brief = """
            1 of 99 kills lost more than is allowed
            kill 7, 512KB, while saving: 600,000 bytes lost, where 524,288 are allowed
            replay: rig replay 'results/my run' --iteration 7 --policy 512KB
            """
        let gate = try #require(read.only("gate violations == 0", in: "all policies"))
        #expect(gate.details == "violations == 0\n\(brief)")
        let kills = try #require(read.only("kills"))
        #expect(kills.details == "\(brief)\n100 kills: 98 passed, 1 failed, 1 inconclusive")
    }

    @Test func theCountsAreThoseOfTheCases() throws {
        let read = try JUnitReading(report())
        for (attribute, outcome) in [
            ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
        ] {
            for suite in read.suites {
                let cases = read.cases.filter { $0.suite == suite["name"] }
                #expect(suite["tests"] == "\(cases.count)")
                #expect(suite[attribute] == "\(cases.count { $0.outcome == outcome })")
            }
            if let total = read.totals[attribute] {
                #expect(total == "\(read.cases.count { $0.outcome == outcome })")
            }
        }
        #expect(read.suites.map { $0["hostname"] } == ["box", "box", "box"])
        #expect(read.suites.map { $0["timestamp"] }.first == "2026-11-21T12:00:00Z")
        #expect(read.properties["seed"] == "18446744073709551615")
    }

    @Test func aRunInWhichNothingIsWrongHasCasesAndAllPass() throws {
        let read = try JUnitReading(report(green, rows: []))
        #expect(read.cases.map(\.name) == ["run is complete", "kills", "gate loss_percent <= 10"])
        #expect(read.cases.allSatisfy { $0.outcome == "passed" })
    }

    /// A run that ends with a code other than 0 fails in the report, even if no gate says so.
    @Test(arguments: RigModel.ExitStatus.allCases)
    func theReportIsNeverGreenerThanTheRun(status: RigModel.ExitStatus) throws {
        var summary = green
        summary.status = status
        let trouble = try JUnitReading(report(summary, rows: [])).cases.filter {
            ["failure", "error"].contains($0.outcome)
        }
        #expect(trouble.isEmpty == (status == .success))
    }

    @Test func killsThatProveNothingAreNoPass() throws {
        for (inconclusive, outcome) in [(100, "error"), (51, "error"), (50, "passed")] {
            var summary = green
            summary.policies[0].inconclusive = inconclusive
            summary.policies[0].passed = 100 - inconclusive
            let read = try JUnitReading(report(summary, rows: []))
            #expect(read.only("kills")?.outcome == outcome)
        }
    }

    /// A case for each failed kill made ten thousand cases, and no two runs had the same.
    @Test func tenThousandFailuresAreOneCase() throws {
        let rows = makeRows(10_000) {
            $0.verdict = $0.iteration % 2 == 0 ? .fail : .inconclusive
            $0.reason = "reason \($0.iteration % 100)"
        }
        let text = report(rows: rows)
        let names = try [text, report()].map { try JUnitReading($0).cases.map(\.name) }
        #expect(names[0] == names[1])
        #expect(try validate(text).status == 0)
    }

    /// Suite names do not depend on the run, so that they match those of the run before.
    @Test func namesAreTheSameInEveryRun() throws {
        var later = makeSummary()
        later.runID = "another"
        later.seed = 5
        let names = try [makeSummary(), later].map { summary in
            try JUnitReading(report(summary)).cases.map { [$0.suite, $0.className, $0.name] }
        }
        #expect(names[0] == names[1])
        #expect(Set(names[0]).count == names[0].count)
    }

    /// Suites of parts and of the merged run differ: a collector that finds both counts each once.
    @Test func partsHaveSuitesOfTheirOwn() throws {
        let manifests = [
            makeRunManifest(), makeRunManifest(partition: RunPartition(index: 1, of: 2)),
            makeRunManifest(partition: RunPartition(index: 2, of: 2)),
            makeRunManifest(worker: "curl"), makeRunManifest(fault: .powerCut),
            makeRunManifest(durability: .power),
        ]
        let reports = try manifests.map { try JUnitReading(report(manifest: $0)) }
        let names = reports.flatMap { $0.suites.compactMap { $0["name"] } }
        #expect(Set(names).count == names.count)
        let classes = reports.map { Set($0.cases.map(\.className)) }
        #expect(classes.reduce(0) { $0 + $1.count } == Set(classes.joined()).count)
    }

    /// A dot or a slash in a worker's name must not create packages.
    @Test func aClassNameHasAsManyPartsAsItIsMadeOf() throws {
        let read = try JUnitReading(report(manifest: makeRunManifest(worker: "./my.worker 2")))
        #expect(read.cases.first?.className == "rig.--my-worker-2.download.sigkill.all-policies")
    }
}
