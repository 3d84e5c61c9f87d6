import Foundation
import RigModel
import RigReport
import Testing

@Suite struct ComparisonReportTests {
    private static func metric(
        _ metric: ComparedMetric, verdict: ComparisonVerdict, needed: Int? = nil
    ) -> MetricComparison {
        var comparison = MetricComparison(
            metric: metric, baseCount: 98, otherCount: 98, unknownRows: 2)
        (comparison.base, comparison.other, comparison.difference) = (1_000_000, 1_100_000, 100_000)
        comparison.interval = ConfidenceInterval(low: 90_000, high: nil)
        (comparison.changePercent, comparison.pValue) = (10, 0.000_01)
        (comparison.adjustedPValue, comparison.verdict, comparison.needed) = (0.04, verdict, needed)
        return comparison
    }

    static func comparison(
        base: String = "old", other: String = "new", note: String = "differs: worker curl / wget"
    ) -> RunComparison {
        func run(_ name: String) -> ComparedRun {
            ComparedRun(
                name: name, runID: "id of \(name)", rows: 100,
                policies: [
                    ComparedPolicy(
                        policy: "512KB", thresholdBytes: 524_288, rows: 100, conclusive: 98,
                        violations: 1, corruptBytes: nil,
                        figures: [
                            ComparedFigure(
                                metric: .lossPercent, value: 5.25,
                                interval: ConfidenceInterval(low: 4, high: 6.5), n: 98)
                        ])
                ])
        }
        var unknown = MetricComparison(
            metric: .resumeSeconds, baseCount: 0, otherCount: 0, unknownRows: 196)
        unknown.needed = 8
        var time = metric(.recoverySeconds, verdict: .same)
        time.drift = 0.1
        return RunComparison(
            runs: [run(base), run(other)],
            pairs: [
                ComparedPair(
                    base: ComparedSide(run: 0, policy: "512KB"),
                    other: ComparedSide(run: 1, policy: "512KB"), isPaired: true, pairs: 98,
                    baseLeftOut: 2, otherLeftOut: 1,
                    metrics: [metric(.refetchedBytes, verdict: .worse), time, unknown])
            ], tests: 6, notes: [note])
    }

    @Test func theTableSaysWhatDiffersAndByWhat() {
        let lines = ComparisonTable.text(Self.comparison()).split(separator: "\n").map(String.init)
        #expect(lines[0] == "A = old, run id of old, 100 rows")
        let worse = lines.first { $0.contains("refetched_bytes") }
        for part in [
            " 976.6 KB ", " 1.0 MB ", " +97.7 KB ", " +10.0 % ", " +87.9 KB to unbounded ",
            " 98 pairs  <0.0001 ",
        ] { #expect(worse?.contains(part) ?? false, "\(worse ?? "")") }
        #expect(worse?.hasSuffix(" 0.0400  worse") ?? false, "\(worse ?? "")")
        #expect(lines.contains { $0.contains("recovery_seconds") && $0.hasSuffix("~") })
        #expect(lines.contains { $0.hasSuffix(" -  need >= 8 pairs") })
        #expect(lines.contains("differs: worker curl / wget"))
        #expect(lines.contains { $0.contains("2 rows of the base and 1 of the other left out") })
        #expect(lines.contains { $0.contains("196 rows more left out of resume_seconds") })
        #expect(lines.contains { $0.contains("Holm's over 6 tests") })
        #expect(lines.contains { $0.hasPrefix("times count only beyond 10 %") })
    }

    /// Every format shows violations and corrupt bytes; no `~` hides them.
    @Test func brokenPromisesAreInEveryForm() throws {
        let comparison = Self.comparison()
        let table = ComparisonTable.text(comparison).split(separator: "\n").map(String.init)
        let line = try #require(table.first { $0.hasPrefix("B ") && $0.contains("5.25") })
        #expect(
            line.split(separator: " ").prefix(6).map(String.init) == [
                "B", "512KB", "100", "98", "1", "-",
            ])
        #expect(ComparisonMarkdown.text(comparison).contains("| B | 512KB | 100 | 98 | 1 | - |"))
        let csv = ComparisonCSV.text(comparison).split(separator: "\n").map(String.init)
        #expect(csv[0].contains("base_violations,other_violations,base_corrupt_bytes"))
        #expect(csv[1].hasPrefix("1,old,512KB,new,512KB,true,1,1,,,refetched_bytes,mean,"))
        #expect(ComparisonJSON.text(comparison).contains("\"violations\": 1"))
    }

    @Test func csvHasARowPerMetricAndEmptyFieldsForWhatIsNotKnown() throws {
        let lines = ComparisonCSV.text(Self.comparison()).split(
            separator: "\n", omittingEmptySubsequences: true
        ).map(String.init)
        #expect(lines.count == 4)
        #expect(
            lines[1].hasSuffix(
                ",1000000.0,1100000.0,98,98,2,100000.0,90000.0,,10.000,0.000,0.000010000,"
                    + "0.040000000,worse,"))
        #expect(lines[3].hasSuffix("resume_seconds,median,,,0,0,196,,,,,0.000,,,unknown,8"))
    }

    /// A p value is printed as 0 only if it is 0.
    @Test(arguments: [
        (3.1e-12, "3.10e-12"), (4.9e-10, "4.90e-10"), (1e-300, "1.00e-300"),
        (9.996e-7, "1.00e-06"), (1e-6, "0.000001000"), (0.05, "0.050000000"),
        (1.0, "1.000000000"), (0.0, "0.000000000"),
    ]) func aProbabilityKeepsItsDigits(value: Double, text: String) throws {
        var comparison = Self.comparison()
        comparison.pairs[0].metrics[0].pValue = value
        comparison.pairs[0].metrics[0].adjustedPValue = value
        let row = try #require(
            ComparisonCSV.text(comparison).split(separator: "\n").dropFirst().first)
        #expect(row.contains(",\(text),\(text),"), "\(row)")
        let json = ComparisonJSON.text(comparison)
        #expect(json.contains("\"p_value\": \(text),"))
        let pairs = try parsed(json)["comparisons"] as? [[String: Any]]
        let metrics = pairs?.first?["metrics"] as? [String: [String: Any]]
        let read = try #require(metrics?["refetched_bytes"]?["p_value"] as? Double)
        #expect(abs(read - value) <= value * 0.005 && (read == 0) == (value == 0))
    }

    /// Without tests no correction is named, and the two reasons for that differ in the text.
    @Test func withoutATestThereIsNoCorrection() {
        var few = Self.comparison()
        few.tests = 0
        for index in few.pairs[0].metrics.indices { few.pairs[0].metrics[index].verdict = .unknown }
        #expect(ComparisonTable.text(few).contains("too few rows for any test"))
        #expect(!ComparisonTable.text(few).contains("Holm"))
        var equal = Self.comparison()
        equal.tests = 0
        for index in equal.pairs[0].metrics.indices {
            equal.pairs[0].metrics[index].verdict = .same
        }
        let text = ComparisonTable.text(equal)
        expect(text, has: "hardly any rows differ", lacks: "Holm", "too few rows")
        var one = Self.comparison()
        one.tests = 1
        #expect(ComparisonTable.text(one).contains("Holm's over 1 test,"))
    }

    @Test func jsonIsOne() throws {
        let object = try parsed(ComparisonJSON.text(Self.comparison()))
        #expect(object["schema"] as? Int == 1)
        #expect(object["tests"] as? Int == 6)
        let pairs = try #require(object["comparisons"] as? [[String: Any]])
        let metrics = try #require(pairs[0]["metrics"] as? [String: [String: Any]])
        #expect(metrics["refetched_bytes"]?["verdict"] as? String == "worse")
        #expect(metrics["resume_seconds"]?["base"] is NSNull)
    }

    @Test func markdownSaysFirstHowManyDifferencesThereAre() {
        let text = ComparisonMarkdown.text(Self.comparison())
        #expect(text.hasPrefix("## Comparison: 1 significant difference\n"))
        var equal = Self.comparison()
        equal.pairs[0].metrics = [Self.metric(.refetchedBytes, verdict: .same)]
        #expect(
            ComparisonMarkdown.text(equal).hasPrefix("## Comparison: no significant difference\n"))
    }

    @Test func aRunOfSeveralPoliciesNamesThem() {
        var within = Self.comparison()
        within.runs.removeLast()
        within.pairs[0].other = ComparedSide(run: 0, policy: "1MB")
        #expect(within.isWithinRun)
        #expect(ComparisonTable.text(within).contains("1MB / 512KB"))
    }
}
