import Foundation
import RigModel
import RigReport
import Testing

@Suite struct ReportPageTests {
    private func page(_ run: ReportedRun) -> ReadPage { ReadPage(ReportPage.text(run)) }

    private let rows = [
        makeFullRow(iteration: 1), makeFailedRow(iteration: 2),
        makeFullRow(iteration: 3) {
            ($0.verdict, $0.reason) = (.inconclusive, "the kill came after the work was done")
        },
    ]

    @Test func theVerdictComesFirstAndByMoreThanItsColour() throws {
        let page = page(makeRun(rows))
        #expect(page.content("span", with: "id=\"verdict-word\"") == "FAIL")
        #expect(page.text.contains("<span class=\"code\">exit 99</span>"))
        #expect(page.content("span", with: "class=\"badge\"") == "✕")
        let verdict = try #require(page.text.range(of: "id=\"verdict\""))
        let failures = try #require(page.text.range(of: "id=\"failures\""))
        let policies = try #require(page.text.range(of: "id=\"policies\""))
        #expect(verdict.upperBound < failures.lowerBound)
        #expect(failures.upperBound < policies.lowerBound)
    }

    /// The terminal, `summary.md` and the page say the same: what failed, in which kill, why, and
    /// the command that repeats it.
    @Test func itSaysWhatTheTerminalSays() {
        let run = makeRun(rows)
        let text = page(run).text
        expect(
            text, has: "<p class=\"headline\">1 of 2 kills lost more than is allowed</p>",
            "<dt>kill 2</dt><dd>512KB, while saving: 3,000,000 bytes lost, where 524,288 are"
                + " allowed</dd>", "<code>rig replay results/latest --iteration 2</code></p>\n<dl")
        let passed = page(makeRun([rows[0]], summary: makeSummary(status: .success))).text
        expect(
            passed, has: "<p class=\"headline\">downloader survived 1 kill with 2 policies</p>",
            "<dt>data damaged</dt><dd>0 kills</dd>", lacks: "id=\"failures\"")
    }

    /// What a worker did is not known if it is observed only from outside: no phase is shown.
    @Test func aBlackBoxHasNoPhases() {
        let rows = (1...2).map { makeFailedRow(iteration: $0) { $0.phase = nil } }
        var summary = makeSummary()
        var policy = makePolicySummary("512KB")
        policy.strata = [Stratum(phase: nil, isInReach: true, kills: 2, violations: 2)]
        summary.policies = [policy]
        let text = page(makeRun(rows, summary: summary)).text
        expect(text, lacks: "killed while", "while not known", ">phase<")
    }

    /// Eight total losses used to be one dot.
    @Test func killsThatLandedTogetherAreCounted() {
        let rows = makeRows(8) { ($0.receivedBytes, $0.lostBytes) = (1_000, 1_000) }
        var summary = makeSummary(status: .success)
        var policy = makePolicySummary("512KB")
        (policy.lossPercent, policy.kills, policy.passed) = (100, 8, 8)
        summary.policies = [policy]
        let text = page(makeRun(rows, summary: summary)).text
        expect(text, has: ">×8</text>", ">all of 8 kills</text>")
    }

    @Test(arguments: [
        (RigModel.ExitStatus.success, "PASS", "✓"), (.gateFailed, "FAIL", "✕"),
        (.inconclusive, "UNDECIDED", "?"), (.incomplete, "INCOMPLETE", "?"),
        (.interrupted, "INTERRUPTED", "?"), (.failure, "RIG FAILED", "✕"),
    ])
    func everyEndingHasAWordAndAShape(status: RigModel.ExitStatus, word: String, mark: String) {
        let page = page(makeRun(rows, summary: makeSummary(status: status)))
        #expect(page.content("span", with: "id=\"verdict-word\"") == word)
        #expect(page.content("span", with: "class=\"badge\"") == mark)
    }

    @Test func aGateHasValueLimitNAndInterval() {
        let page = page(makeRun(rows))
        for text in [
            "5.000 %", "10.000 %", "4.500 % to unbounded", "loss_percent &lt;= 10 [512KB]",
        ] { #expect(page.text.contains(">\(text)<"), "\(text)") }
        expect(page.text, has: "</span> FAILS</span>", "</span> unknown</span>")
    }

    /// Screen readers navigate by landmarks, headings and the labels of pictures.
    @Test func thePageHasTheStructureThatScreenReadersGoBy() {
        let page = page(makeRun(rows))
        #expect(page.opened("html") == ["html lang=\"en\""])
        #expect(page.opened("main").count == 1 && page.opened("h1").count == 1)
        #expect(page.opened("nav").allSatisfy { $0.contains("aria-label") })
        var level = 1
        for tag in page.tags {
            guard tag.first == "h", let next = tag.dropFirst().first?.wholeNumberValue else {
                continue
            }
            #expect(next <= level + 1, "h\(next) follows h\(level)")
            level = next
        }
        let pictures = page.opened("svg")
        #expect(pictures.count == 4)
        #expect(pictures.allSatisfy { $0.contains("role=\"img\"") })
        #expect(page.tags.count { $0.hasPrefix("title id=") } == pictures.count)
        #expect(page.tags.count { $0.hasPrefix("desc id=") } == pictures.count)
        let tables = page.opened("table").count
        #expect(page.opened("caption").count == tables && tables > pictures.count)
        #expect(page.opened("th").allSatisfy { $0.contains("scope=\"") })
    }

    /// A reference without a target, or a duplicate id, misleads a reader.
    @Test func everyReferenceLeadsToOneThing() {
        let page = page(makeRun(rows + [makeFailedRow(iteration: 4)]))
        let ids = page.values(of: "id")
        #expect(Set(ids).count == ids.count)
        let named = page.values(of: "aria-labelledby").flatMap {
            $0.split(separator: " ").map(String.init)
        }
        let linked = page.values(of: "href").map { String($0.dropFirst()) }
        #expect(!named.isEmpty && !linked.isEmpty)
        #expect(Set(named + linked).isSubset(of: Set(ids)))
    }

    @Test func tagsAreClosedInTurn() {
        let alone = ["meta", "rect", "path", "input", "!doctype", "link", "br"]
        var open: [Substring] = []
        for tag in page(makeRun(rows)).tags {
            let name = tag.prefix { !" />".contains($0) || $0 == "/" && tag.first == "/" }
            if tag.hasPrefix("/") {
                #expect(open.popLast() == name.dropFirst(), "</\(name.dropFirst())>")
            } else if !alone.contains(String(name)) && !tag.hasSuffix("/") {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test func nothingIsFetched() {
        let text = page(makeRun(rows)).text
        for part in ["http://", "https://", "src=", "url(", "@import", "<link"] {
            #expect(!text.contains(part), "\(part)")
        }
        #expect(text.contains("default-src 'none'"))
    }

    @Test func aFailingRowHasItsTimelineItsLogAndItsReplay() {
        let resumption = Resumption(
            death: .exited(0), requests: [], recoverySeconds: 0.0125, resumeSeconds: 0.02,
            differingBytes: 0, firstDifference: nil, complaint: nil)
        let identity = RowIdentity(rows[1])
        let text = page(
            makeRun(
                rows, details: [identity: .init(workerLog: "it wrote this", resumption: resumption)]
            )
        ).text
        expect(
            text, has: "rig replay results/latest --iteration 2 --policy 512KB",
            "<pre tabindex=\"0\">it wrote this</pre>",
            "<b>kill</b> <span class=\"time\">250.0 ms</span>",
            "<b>recovered</b> <span class=\"time\">12.5 ms</span>",
            "<b>completed</b> exit code 0; the file equals the video", "evidence/512KB-2-1")
    }

    @Test func inconclusiveRowsAreCountedByTheirReason() {
        var row = rows[2]
        row.iteration = 4
        let text = withoutTitles(page(makeRun(rows + [row])).text)
        expect(
            text,
            has: "the kill came after the work was done</th><td class=\"n\">2</td>"
                + "<td class=\"p\">512KB: 2</td>")
    }

    @Test func aMergedRunHasItsMachines() throws {
        let part = try #require(RunPartition(index: 2, of: 2))
        let parts = [
            MergedPart(partition: part, runID: "other", host: nil, startedAt: "2026-11-22")
        ]
        var summary = makeSummary()
        summary.hosts = [
            HostSummary(
                host: "one", parts: 1, rows: 10, inconclusive: 2, violations: 0, lossPercent: 4.5,
                recoverySecondsMedian: 0.02),
            HostSummary(
                host: nil, parts: 1, rows: 5, inconclusive: 5, violations: 0, lossPercent: nil,
                recoverySecondsMedian: nil),
        ]
        let text = withoutTitles(
            page(makeRun(rows, summary: summary, manifest: makeRunManifest(parts: parts))).text)
        expect(
            text, has: "<th scope=\"row\">one</th><td class=\"n\">1</td>",
            "<td class=\"n\">5</td><td class=\"n\">not known</td>"
                + "<td class=\"n\">not known</td></tr>",
            "<dt>Part 2 of 2</dt><dd>run other on a machine that is not known, 2026-11-22</dd>")
        #expect(!page(makeRun(rows)).text.contains("id=\"hosts\""))
    }

    /// 4.5 is the contrast ratio that WCAG requires of text that is not large.
    @Test(arguments: ["light", "dark"]) func textStandsOutFromItsGround(scheme: String) throws {
        let style = try #require(page(makeRun(rows)).content("style", with: "<style"))
        let blocks = style.components(separatedBy: ":root {").dropFirst()
        let block = try #require(scheme == "light" ? blocks.first : blocks.dropFirst().first)
        var colors: [String: Double] = [:]
        for part in block.prefix(while: { $0 != "}" }).split(separator: ";") {
            let pair = part.split(separator: ":").map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard pair.count == 2, pair[1].hasPrefix("#") else { continue }
            colors[pair[0]] = luminance(pair[1])
        }
        let inks = ["ink", "soft", "accent", "good", "bad", "open"] + (1...5).map { "run-\($0)" }
        for ink in inks {
            for ground in ["paper", "raised"] {
                let one = try #require(colors["--\(ink)"])
                let other = try #require(colors["--\(ground)"])
                let contrast = (max(one, other) + 0.05) / (min(one, other) + 0.05)
                #expect(contrast >= 4.5, "\(ink) on \(ground)")
            }
        }
    }

    /// The relative luminance of `#rrggbb`, as WCAG defines it.
    private func luminance(_ color: String) -> Double {
        let value = Int(color.dropFirst(), radix: 16) ?? 0
        let parts = [value >> 16, value >> 8 & 0xFF, value & 0xFF].map { part in
            let level = Double(part) / 255
            return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
