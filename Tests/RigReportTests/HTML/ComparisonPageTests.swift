import Foundation
import RigModel
import RigReport
import Testing

/// The page of a comparison draws what is known, and says what is not.
@Suite struct ComparisonPageTests {
    private func policy(
        _ name: String, loss: Double?, throughput: Double? = 5_000_000
    ) -> ComparedPolicy {
        ComparedPolicy(
            policy: name, thresholdBytes: Policy(name)?.threshold?.bytes, rows: 50,
            conclusive: 49, violations: 0, corruptBytes: 0,
            figures: [
                ComparedFigure(
                    metric: .lossPercent, value: loss,
                    interval: loss.map { ConfidenceInterval(low: $0 * 0.9, high: $0 * 1.1) }, n: 49),
                ComparedFigure(metric: .throughput, value: throughput, interval: nil, n: 49),
            ])
    }

    private func comparison(_ runs: [ComparedRun], verdict: ComparisonVerdict = .worse)
        -> RunComparison
    {
        var metric = MetricComparison(
            metric: .lossPercent, baseCount: 49, otherCount: 49, unknownRows: 0)
        metric.base = 5
        metric.other = 7
        metric.difference = 2
        metric.verdict = verdict
        let pair = ComparedPair(
            base: ComparedSide(run: 0, policy: "512KB"),
            other: ComparedSide(run: runs.count - 1, policy: "512KB"), isPaired: true, pairs: 49,
            baseLeftOut: 0, otherLeftOut: 0, metrics: [metric])
        return RunComparison(runs: runs, pairs: [pair], tests: 1, notes: ["a note"])
    }

    private func run(_ name: String, _ policies: [ComparedPolicy]) -> ComparedRun {
        ComparedRun(name: name, runID: "id-\(name)", rows: 200, policies: policies)
    }

    private var two: [ComparedRun] {
        [
            run(
                "old",
                [
                    policy("256KB", loss: 2.5), policy("512KB", loss: 5), policy("1MB", loss: 11),
                    policy("disabled", loss: 100),
                ]),
            run("new", [policy("256KB", loss: 3), policy("512KB", loss: 7)]),
        ]
    }

    private func count(_ part: String, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    @Test func everyPolicyOfEveryRunIsAPoint() {
        let text = ComparisonPage.text(comparison(two))
        #expect(text.contains("<h1>1 significant difference</h1>"))
        // Six points in each of two plots, and one in each line of the legend.
        #expect(count("class=\"point run-0\"", in: text) == 4 * 2 + 1)
        #expect(count("class=\"point run-1\"", in: text) == 2 * 2 + 1)
        #expect(count("class=\"span ", in: text) == 6)
        #expect(count("<text class=\"letter", in: text) == 4)
        for name in ["256KB", "512KB", "1MB", "disabled"] {
            #expect(text.contains(">\(name)</text>"), "\(name)")
        }
        #expect(text.contains("</span> worse</span>"))
        #expect(text.contains("<li>a note</li>"))
    }

    /// `disabled` is no threshold: no line leads to it.
    @Test func theLineJoinsThresholdsOnly() throws {
        let text = ComparisonPage.text(comparison([run("one", [policy("512KB", loss: 5)])]))
        #expect(count("class=\"curve run-0\"", in: text) == 2 + 1)
        let disabled = ComparisonPage.text(comparison([run("one", [policy("disabled", loss: 99)])]))
        #expect(count("class=\"curve run-0\"", in: disabled) == 1)
        #expect(count("class=\"point run-0\"", in: disabled) == 2 + 1)
    }

    @Test func whatIsNotKnownIsNotDrawn() {
        let text = ComparisonPage.text(
            comparison([run("one", [policy("512KB", loss: nil, throughput: nil)])]))
        #expect(count("class=\"point run-0\"", in: text) == 1)
        #expect(count("Not drawn: 1 policy without the figure.", in: text) == 2)
        #expect(text.contains(">not known</td>"))
    }

    @Test func manyRunsStillHaveAPlace() {
        let runs = (1...30).map { run("run \($0)", [policy("512KB", loss: Double($0))]) }
        let text = ComparisonPage.text(comparison(runs))
        #expect(count("class=\"point run-5\"", in: text) == 25 * 3)
        #expect(text.contains("<b>run 27</b>"))
    }

    @Test(arguments: PageEscapeTests.texts) func aNameAddsNoTagAndNoAttribute(text: String) {
        func tags(_ name: String) -> [String] {
            var policy = policy("512KB", loss: 5)
            policy.policy = name
            var comparison = comparison([run(name, [policy]), run(name, [policy])])
            comparison.notes = [name]
            comparison.pairs[0].base.policy = name
            comparison.pairs[0].other.policy = name
            return PageEscapeTests.shape(ReadPage(ComparisonPage.text(comparison)))
        }
        #expect(tags(text) == tags("harmless"))
    }
}
