import Foundation
import RigModel
import RigReport
import Testing

@Suite struct ComparisonPageTests {
    private func policy(_ name: String, loss: Double?) -> ComparedPolicy {
        ComparedPolicy(
            policy: name, thresholdBytes: Policy(name)?.threshold?.bytes, rows: 50,
            conclusive: 49, violations: 0, corruptBytes: 0,
            figures: [
                ComparedFigure(
                    metric: .lossPercent, value: loss,
                    interval: loss.map { ConfidenceInterval(low: $0 * 0.9, high: $0 * 1.1) }, n: 49)
            ])
    }

    private func comparison(_ runs: [ComparedRun], verdict: ComparisonVerdict = .worse)
        -> RunComparison
    {
        var metric = MetricComparison(
            metric: .lossPercent, baseCount: 49, otherCount: 49, unknownRows: 0)
        (metric.base, metric.other, metric.difference) = (5, 7, 2)
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
        // Six points in the plot, and one per entry of the legend.
        #expect(count("class=\"point run-0\"", in: text) == 4 + 1)
        #expect(count("class=\"point run-1\"", in: text) == 2 + 1)
        #expect(count("class=\"span ", in: text) == 6)
        #expect(count("<text class=\"letter", in: text) == 2)
        for name in ["256KB", "512KB", "1MB", "disabled"] {
            #expect(text.contains(">\(name)</text>"), "\(name)")
        }
        expect(text, has: "</span> worse</span>", "<li>a note</li>")
    }

    /// All other policies are compared with the control, so its label is never dropped.
    @Test(arguments: [
        ["256KB", "512KB", "disabled"], ["512KB", "disabled"], ["1MB", "disabled"],
        ["64KB", "128KB", "256KB", "512KB", "1MB", "2MB", "4MB", "disabled"],
        ["256KB", "1234567890B", "disabled"],
    ]) func disabledKeepsItsName(names: [String]) {
        let text = ComparisonPage.text(comparison([run("one", names.map { policy($0, loss: 5) })]))
        #expect(count(">disabled</text>", in: text) == 1)
        #expect(count(">\(names[0])</text>", in: text) == 1)
        guard names.count == 3, names[1] == "512KB" else { return }
        #expect(count(">512KB</text>", in: text) == 1)
    }

    private func place(_ start: String, _ between: String, in text: String) throws
        -> (x: Double, y: Double)
    {
        let plots = text.components(separatedBy: "<svg viewBox=\"0 0 360")
        let tag = try #require(plots[1].components(separatedBy: start).last)
        let ends = tag.components(separatedBy: between)
        let isNumber: (Character) -> Bool = { $0.isNumber || $0 == "." }
        return (
            try #require(Double(ends[0])), try #require(Double(ends[1].prefix(while: isNumber)))
        )
    }

    private func point(_ run: Int, in text: String) throws -> (x: Double, y: Double) {
        try place("<path class=\"point run-\(run)\" d=\"M", " ", in: text)
    }

    private func letter(_ run: Int, in text: String) throws -> (x: Double, y: Double) {
        try place("<text class=\"letter run-\(run)\" x=\"", "\" y=\"", in: text)
    }

    /// A run that ends at a lower threshold than another has its letter at its own last point.
    @Test func aLetterStandsBesideItsOwnLine() throws {
        let text = ComparisonPage.text(comparison(two))
        let old = try point(0, in: text)
        let new = try point(1, in: text)
        let a = try letter(0, in: text)
        let b = try letter(1, in: text)
        #expect(abs(a.x - old.x - 9) < 0.2 && abs(b.x - new.x - 9) < 0.2)
        #expect(new.x < old.x - 50)
        #expect(abs(a.y - old.y - 4) < 0.2 && abs(b.y - new.y - 4) < 0.2)
    }

    /// Letters at one place are stacked, and to the right of every point there.
    @Test func lettersDoNotCoverEachOtherNorAPoint() throws {
        let text = ComparisonPage.text(
            comparison([
                run("old", [policy("512KB", loss: 5)]), run("new", [policy("512KB", loss: 5)]),
            ]))
        let new = try point(1, in: text)
        let a = try letter(0, in: text)
        let b = try letter(1, in: text)
        #expect(a.x == b.x && a.x > new.x + 5)
        #expect(abs(b.y - a.y) >= 12)
    }

    /// A phone shows only the first columns, so the verdict must be among them.
    @Test func theVerdictComesRightAfterTheMetric() {
        let text = withoutTitles(ComparisonPage.text(comparison(two)))
        let heads = ["policy", "metric", "verdict", "figure"].map { "<th scope=\"col\">\($0)</th>" }
        #expect(text.contains(heads.joined()))
        expect(
            text,
            has: "<td>loss_percent</td><td><span class=\"tone bad\"><span aria-hidden=\"true\">✕")
    }

    /// `disabled` is not a threshold, so no line leads to it.
    @Test func theLineJoinsThresholdsOnly() throws {
        let text = ComparisonPage.text(comparison([run("one", [policy("512KB", loss: 5)])]))
        #expect(count("class=\"curve run-0\"", in: text) == 1 + 1)
        let disabled = ComparisonPage.text(comparison([run("one", [policy("disabled", loss: 99)])]))
        #expect(count("class=\"curve run-0\"", in: disabled) == 1)
        #expect(count("class=\"point run-0\"", in: disabled) == 1 + 1)
    }

    @Test func whatIsNotKnownIsNotDrawn() {
        let text = ComparisonPage.text(comparison([run("one", [policy("512KB", loss: nil)])]))
        #expect(count("class=\"point run-0\"", in: text) == 1)
        #expect(count("Not drawn: 1 policy without the figure.", in: text) == 1)
        #expect(text.contains(">not known</td>"))
    }

    @Test func manyRunsStillHaveAPlace() {
        let runs = (1...30).map { run("run \($0)", [policy("512KB", loss: Double($0))]) }
        let text = ComparisonPage.text(comparison(runs))
        #expect(count("class=\"point run-5\"", in: text) == 25 * 2)
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
