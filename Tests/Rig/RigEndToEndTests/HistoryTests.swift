import Foundation
import RigLab
import RigModel
import Testing

/// `rig history` and gates `vs history` with real runs.
@Suite struct HistoryTests {
    private let place = Workplace()

    private static let options = ["--iterations", "4", "--video-size", "1MB", "--trigger", "bytes"]

    private static func kill(
        _ seeds: Range<Int>, in place: Workplace, _ more: [String] = []
    ) async throws {
        for seed in seeds {
            try await rig(
                ["kill-test", "--out", "run-\(seed)", "--seed", "\(seed)"] + options + more,
                in: place, exits: 0)
        }
    }

    /// The runs of seeds 1 and 2, which some tests change in copies.
    private static let two = Task { () throws -> Workplace in
        let place = Workplace()
        try await kill(1..<3, in: place)
        return place
    }

    private func copyTheTwo() async throws {
        for name in ["run-1", "run-2"] {
            try FileManager.default.copyItem(
                atPath: try await Self.two.value.path(name), toPath: place.path(name))
        }
    }

    @Test func runsAreAddedOnceAndShown() async throws {
        try await copyTheTwo()
        let first = try await rig("history", "add", "run-1", in: place, exits: 0)
        #expect(first.output.hasPrefix("added  "), "\(first.output)")
        let both = try await rig("history", "add", "run-1", "run-2", "--commit", "v2", in: place)
        #expect(both.output.hasPrefix("known  ") && both.output.contains("\nadded  "))
        both.complains("results/history.sqlite has 2 runs")

        let page = try await rig("history", "page", in: place)
        #expect(page.output == "0 changes in 2 runs\nhistory.html\n", "\(page.complaint)")
        let html = try place.text("history.html")
        #expect(html.contains(">v2<") && html.contains("no change in 2 runs"))
        let json = try await rig("history", "page", "--json", in: place)
        json.prints("\"metric\": \"recovery_seconds\"")

        let badge = try await rig("history", "badge", "--out", "-", in: place)
        badge.prints(">survived 4 kills</text>")
        let endpoint = try await rig("history", "badge", "--json", in: place)
        #expect(endpoint.output == "badge.json\n", "\(endpoint.complaint)")
        try await rig("history", "badge", "--json", in: place, exits: 0)
    }

    @Test func historiesOfTwoMachinesAreMerged() async throws {
        try await copyTheTwo()
        for seed in 1..<3 {
            try await rig(
                "history", "add", "run-\(seed)", "--history", "\(seed).sqlite", in: place, exits: 0)
        }
        let merged = try await rig(
            "history", "merge", "1.sqlite", "2.sqlite", "--json", in: place, exits: 0)
        merged.prints("\"total\": 2")
        let again = try await rig("history", "merge", "2.sqlite", in: place)
        #expect(again.output.hasPrefix("known  "), "\(again.output)")
    }

    @Test func whatIsNoWholeRunIsRefused() async throws {
        try await copyTheTwo()
        let rows = "run-1/iterations.csv"
        let whole = try place.text(rows)
        try place.change(rows) { $0.split(separator: "\n").prefix(3).map { "\($0)\n" }.joined() }
        try await rig(
            "history", "add", "run-1", in: place, exits: 97, complains: "rig resume run-1")
        try whole.save(as: rows, in: place)
        try await rig("history", "add", "run-1", "nowhere", in: place, exits: 65)
        for command in ["page", "badge"] {
            try await rig("history", command, in: place, exits: 65, complains: "rig history add")
            try await rig(
                "history", command, "--history", "run-1/iterations.csv", in: place, exits: 65)
        }
        try await rig("history", "add", "run-1", "--history", "", in: place, exits: 65)
        // For SQLite these names are of no file: what was "added" was nowhere.
        let odd = ["--history", ":memory:"]
        try await rig(["history", "add", "run-1"] + odd, in: place, exits: 0)
        try await rig(["history", "badge", "--out", "-"] + odd, in: place, exits: 0)
        try await rig("history", "add", "run-1", in: place, exits: 0)
        for (command, file) in [("page", "run-1/summary.json"), ("badge", "run-1/junit.xml")] {
            try await rig("history", command, "--out", file, in: place, exits: 64)
        }
        #expect(try place.text(rows) == whole)
    }

    /// The first run of a job has nothing to be compared with; later ones are compared with the
    /// runs before them, also when they are judged again after more were added.
    @Test func gatesCompareWithEarlierRunsOfTheJob() async throws {
        let gate = ["--gate", "lost_bytes.mean < +512KB vs history", "--history", "h.sqlite"]
        let first = try await rig(
            ["kill-test", "--out", "run-0", "--seed", "9"] + Self.options + gate, in: place,
            exits: 98)
        let text = first.output + first.complaint
        #expect(text.contains("has no earlier run of this job"), "\(text)")
        // Before the first kill: the path may be a mistyped one.
        first.complains("/h.sqlite yet; the history has no earlier run of this job")
        try await rig("history", "add", "run-0", "--history", "h.sqlite", in: place, exits: 0)
        // A run of another job is none of the earlier ones.
        try await Self.kill(1..<2, in: place, ["--thresholds", "64KB", "--bandwidth", "5MB/s"])
        try await rig("history", "add", "run-1", "--history", "h.sqlite", in: place)
        try await rig(
            ["kill-test", "--out", "run-2", "--seed", "10"] + Self.options + gate, in: place,
            exits: 0)
        try await rig("history", "add", "run-2", "--history", "h.sqlite", in: place)
        try await rig("judge", "run-2", in: place, exits: 0)
        try await rig(
            "judge", "run-2", "--gate", "lost_bytes.mean < -1GB vs history", "--history",
            "h.sqlite", in: place, exits: 64, complains: "can never hold")
        try await rig(
            "judge", "run-2", "--gate", "violations == 0", "--history", "h.sqlite", in: place,
            exits: 64, complains: "--history h.sqlite has no say")
    }

    // MARK: In a browser

    /// Stores 200 runs in whose loss something changes at run 150, and nothing anywhere else.
    private func addRunsOfARegression() throws {
        let job = HistoryJob([
            .init(name: "worker", value: "downloader"), .init(name: "workload", value: "download"),
            .init(name: "fault", value: "sigkill"), .init(name: "trigger", value: "random"),
        ])
        func noise(_ index: Int) -> Double { Double(index * 7919 % 101) / 200 }
        let entries = (1...200).map { index in
            let leftOut = index * 31 % 7 % 3
            let figures = HistoryFigures(
                policy: "512KB", rows: 100, leftOut: leftOut, violations: 0,
                decided: 100 - leftOut, lossPercent: (index < 150 ? 8 : 10) + noise(index),
                lostBytesMax: 524_288, recoverySecondsMedian: 0.02 + noise(index * 3) / 100)
            let day = String(format: "2026-%02d-%02d", 1 + index / 28, 1 + index % 28)
            let run = HistoryRun(
                identity: "run-\(index)", runID: "run-\(index)", startedAt: "\(day)T02:00:00Z",
                commit: "c\(index)", job: job, machine: "one", judgedBy: "0.2", status: .success,
                policies: [figures])
            return HistoryFile.Entry(run: run, csv: Data("run\n\(index)\n".utf8))
        }
        let history = try HistoryFile(place.path("results/history.sqlite"), creates: true)
        _ = try history.add(entries)
    }

    /// What a user sees of the page, and what sticks out of it.
    private static let look = """
        ({
          headline: document.querySelector("h1").textContent,
          marks: Array.from(document.querySelectorAll("text.bound, text.gain"),
            text => text.textContent),
          changes: Array.from(document.querySelectorAll("#changes ~ .scroll tbody tr"),
            row => row.cells[3].textContent + row.cells[4].textContent),
          paper: getComputedStyle(document.body).backgroundColor,
          width: document.documentElement.scrollWidth,
          outside: Array.from(document.querySelectorAll("h1, h2, h3, h4, p, figcaption, svg text"))
            .filter(one => {
              const place = one.getBoundingClientRect();
              return place.left < 0 || place.right > innerWidth;
            }).map(one => one.textContent),
        })
        """

    private static let screens: [(width: Int, scheme: String, paper: String)] = [
        (1200, "light", "rgb(255, 255, 255)"), (1200, "dark", "rgb(17, 20, 23)"),
        (400, "light", "rgb(255, 255, 255)"), (400, "dark", "rgb(17, 20, 23)"),
    ]

    /// At the widths of a desk and of a phone, in light and in dark.
    ///
    /// Where `RIG_PICTURES` names a folder, pictures of the page are left there to be looked at.
    @Test(
        .enabled("chromium or python3 is not installed: the page is not opened") {
            PageInBrowser.isPossible
        })
    func aBrowserShowsTheRegressionAtRun150AndNoOther() async throws {
        try addRunsOfARegression()
        try await rig("history", "page", in: place, exits: 0).prints("1 change in 200 runs")
        let pictures = ProcessInfo.processInfo.environment["RIG_PICTURES"]
        let page = URL(fileURLWithPath: place.path("history.html")).absoluteString
        var steps: [[String: Any]] = []
        for (width, scheme, _) in Self.screens {
            steps.append(["size": [width, 900], "scheme": scheme])
            steps.append(["open": true])
            steps.append(["run": Self.look])
            if let pictures {
                steps.append(["picture": "\(pictures)/history-\(width)-\(scheme).png"])
            }
        }
        let answers = try await PageInBrowser.open(page, in: place, steps)
        #expect(answers.complaints == [])
        #expect(answers.requests == Self.screens.map { _ in page })
        let looks = answers.values.compactMap { $0 as? [String: Any] }
        #expect(looks.count == Self.screens.count)
        for (screen, seen) in zip(Self.screens, looks) {
            let look = "\(screen): \(seen)"
            #expect(seen["headline"] as? String == "1 change in 200 runs", "\(look)")
            #expect(seen["marks"] as? [String] == ["▲ 150"], "\(look)")
            #expect(seen["changes"] as? [String] == ["150c150"], "\(look)")
            #expect(seen["paper"] as? String == screen.paper, "\(look)")
            #expect(seen["width"] as? Int == screen.width, "\(look)")
            #expect(seen["outside"] as? [String] == [], "\(look)")
        }
    }
}
