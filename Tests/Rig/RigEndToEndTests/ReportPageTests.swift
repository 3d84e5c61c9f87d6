import Foundation
import Testing

/// The report page of a real run, as a file and in a real browser.
@Suite struct ReportPageTests {
    private let place = Workplace()

    /// A run in which most rows fail, for all tests: they change no rows.
    private static let failing = Task { () throws -> Workplace in
        let place = Workplace()
        try await place.killTest(
            "--iterations", "6", "--thresholds", "256KB,512KB", "--seed", "91", "--video-size",
            "2MB", "--trigger", "bytes", environment: planted("never-commit"), exits: 99)
        return place
    }

    @Test func aStoredRunGetsThePageThatItHadAtItsEnd() async throws {
        let place = try await Self.failing.value
        let page = try place.text("run/report.html")
        let outcome = try await rig("report", "run", "--out", "page.html", in: place, exits: 0)
        #expect(outcome.output == "page.html\n")
        #expect(try place.text("page.html") == page)
        // The worker's last output, from the evidence.
        #expect(page.contains("<pre tabindex=\"0\">fetched 2.0 MB"))
        #expect(page.contains("the file equals the video"))
        #expect(page.contains("rig replay run --iteration "))
    }

    /// Rows cannot be replaced, so a page may overwrite only a page.
    @Test func nothingButAPageIsWrittenOver() async throws {
        try await rig("report", "nowhere", in: place, exits: 65)
        let run = try await place.killTest("--iterations", "1", "--video-size", "2MB")
        #expect(run.exitCode != 64, "\(run.complaint)")
        try await rig(
            "report", "run", "--out", "no/such/page.html", in: place, exits: 70, complains: "--out")
        let rows = try place.data("run/iterations.csv")
        for file in ["run/iterations.csv", "run/manifest.json", "run"] {
            let outcome = try await rig("report", "run", "--out", file, in: place)
            #expect(outcome.exitCode == 64, "\(file): \(outcome.complaint)")
            outcome.complains("--out")
        }
        #expect(try place.data("run/iterations.csv") == rows)
        try Data().save(as: "empty", in: place)
        for file in ["empty", "empty", "run/report.html"] {
            let outcome = try await rig("report", "run", "--out", file, in: place)
            #expect(outcome.exitCode == 0, "\(file): \(outcome.complaint)")
        }
        try place.remove("run/report.html")
        let whole = try await rig("report", "run", in: place)
        #expect(whole.output == "run/report.html\n" && place.has("run/report.html"))
        #expect(!whole.complaint.contains("has no rows"), "\(whole.complaint)")
        try await aRunWithoutRowsSaysSo()
    }

    private func aRunWithoutRowsSaysSo() async throws {
        try place.remove("run/iterations.csv")
        try await rig("report", "run", in: place, exits: 0)
            .complains("run has no rows").complains("ends with 97")
        #expect(try place.text("run/report.html").contains("exit 97"))
    }

    private static let lost = """
        Array.from(document.querySelectorAll("#failing tbody tr"), row =>
          Number(row.cells[7].dataset.key))
        """
    private static let shown = """
        Array.from(document.querySelectorAll("#failing tbody tr")).filter(row => !row.hidden)
          .map(row => row.cells[0].textContent)
        """

    private static func clickOnLost() -> [String: Any] {
        [
            "run": """
            Array.from(document.querySelectorAll("#failing th button"))
              .find(button => button.textContent === "lost").click()
            """
        ]
    }

    private static func choose(_ field: String, _ value: String) -> [String: Any] {
        [
            "run": """
            (() => {
              const field = document.getElementById("\(field)");
              field.value = "\(value)";
              field.dispatchEvent(new Event("input", { bubbles: true }));
            })()
            """
        ]
    }

    @Test(
        .enabled("chromium or python3 is not installed: the page is not opened") {
            PageInBrowser.isPossible
        })
    func aBrowserSortsAndFiltersAndAsksForNothing() async throws {
        let place = try await Self.failing.value
        let page = URL(fileURLWithPath: place.path("run/report.html")).absoluteString
        let answers = try await PageInBrowser.open(
            page, in: place,
            [
                ["size": [360, 740]], ["open": true],
                ["run": "document.getElementById('verdict-word').textContent"],
                ["run": "document.documentElement.scrollWidth"], ["run": Self.lost],
                Self.clickOnLost(), ["run": Self.lost], Self.clickOnLost(),
                ["run": Self.lost], Self.choose("filter-policy", "512KB"),
                ["run": Self.shown], Self.choose("filter-text", "no such word"),
                ["run": Self.shown],
                ["run": "document.getElementById('filter-count').textContent"],
                [
                    "run": """
                    (async () => {
                      location.hash = "#failure-2";
                      await new Promise(done => addEventListener("hashchange", done));
                      return document.getElementById("failure-2").open;
                    })()
                    """
                ],
            ])
        #expect(answers.complaints == [])
        #expect(answers.requests == [page])
        #expect(answers.values[2] as? String == "FAIL")
        #expect(answers.values[3] as? Int == 360)
        let asTheyCame = try #require(answers.values[4] as? [Int])
        #expect(asTheyCame.count > 6 && asTheyCame != asTheyCame.sorted())
        #expect(answers.values[6] as? [Int] == asTheyCame.sorted())
        #expect(answers.values[8] as? [Int] == asTheyCame.sorted(by: >))
        let policies = try #require(answers.values[10] as? [String])
        #expect(!policies.isEmpty && policies.count < asTheyCame.count)
        #expect(policies.allSatisfy { $0 == "512KB" })
        #expect(answers.values[12] as? [String] == [])
        #expect(answers.values[13] as? String == "0 of \(asTheyCame.count) rows")
        #expect(answers.values[14] as? Bool == true)
    }

    /// Shows that the test above would detect errors.
    @Test(
        .enabled("chromium or python3 is not installed: no page is opened") {
            PageInBrowser.isPossible
        })
    func aBrowserTellsWhatAPageDoes() async throws {
        try """
        <!doctype html><title>t</title><img src="other.png">
        <script>console.error("a message"); throw new Error("an exception")</script>
        """.save(as: "bad.html", in: place)
        let page = URL(fileURLWithPath: place.path("bad.html")).absoluteString
        let answers = try await PageInBrowser.open(page, in: place, [["open": true]])
        #expect(answers.requests.count == 2 && answers.requests[0] == page)
        #expect(answers.complaints.contains { $0.contains("a message") })
        #expect(answers.complaints.contains { $0.contains("an exception") })
    }
}
