import Foundation
import RigReport
import Testing

@testable import RigModel

/// Text from outside is shown in every format, and has no other effect; the page has tests of its own.
@Suite struct HostileTextTests {
    /// Texts with an effect in some format: ``hostileTexts`` and more, by the format they target.
    static let texts =
        hostileTexts + [
            // XML
            "]]>", "<![CDATA[x]]>", "<!--", "--", "&#0;", "&lt;", "\u{FFFE}", "\u{FFFF}", "\u{85}",
            "\u{7F}", "\u{B}", "'", "</testcase>", "\u{1F}", "\u{10FFFF}",
            // Spreadsheets
            "=1+1", "+1", "-1", "@SUM(1)", "\t=1", "=HYPERLINK(\"http://x\")", ";", "x\u{FEFF}",
            // Markdown
            "- item", "1. item", "12) item", "+ item", "    code", "---", "# head", "> quote",
            "| a | b |", "~~gone~~", "**bold**", "_it_", "<img src=x onerror=alert(1)>",
            "![i](https://x/y.png)", "https://example.org", "www.example.org", "&amp;copy;",
            "a\n\nb", "a\r\n\r\n| c |", "```", "\\|", "\\\\|", "@here",
            // Terminals and readers
            "\u{1B}]0;title\u{7}", "\u{9B}31m", "\r\u{1B}[2K", "\u{8}\u{8}", "\u{202E}desrever",
            "\u{2066}x\u{2069}", "\u{2028}", "\u{2029}", "\u{200F}",
            // Continuous integration
            "::error::x", "::set-output name=a::b", "##[error]x", "%0A::error::x", "a%", "a:b,c=d",
            "[[ATTACHMENT|/etc/passwd]]",
            // Templates
            "{{x}}", "{{{x}}}", "${{ github.token }}", "$(id)", "`id`",
        ]

    struct Renderer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let render: @Sendable (String) -> String

        init(_ name: String, _ render: @escaping @Sendable (String) -> String) {
            testDescription = name
            self.render = render
        }
    }

    // MARK: inputs with the text everywhere

    static func summary(_ text: String, promise id: String = "B1") -> RunSummary {
        var summary = makeSummary(command: text)
        (summary.runID, summary.sentences) = (text, [text, text])
        summary.policies[0].policy = text
        summary.policies[0].worker = text
        summary.policies[0].fault = text
        summary.policies[0].documentedLossPercent = text
        summary.gates = summary.gates.map { gate in
            GateResult(
                gate: text, policy: gate.policy == nil ? nil : text, value: gate.value,
                limit: gate.limit, unit: gate.unit, n: gate.n, interval: gate.interval,
                verdict: gate.verdict)
        }
        let promise = Promise(
            id: id, promise: text, documented: text, judgedBy: [],
            limits: [
                .init(
                    measure: PromiseMeasure(
                        name: text, figure: .lossPercent, unit: .percent, words: text),
                    policy: text, most: 1)
            ])
        summary.promises = [
            PromiseResult(
                promise: promise, readings: [PromiseReading(promise: id, limit: 0, value: 2, n: 3)],
                missing: [text])
        ]
        return summary
    }

    static func rows(_ text: String, policy: String? = nil) -> [IterationRow] {
        [Verdict.fail, .inconclusive, .pass].enumerated().map { index, verdict in
            makeFullRow(iteration: index + 1) { row in
                row.runID = text
                row.policy = policy ?? text
                row.checkers = verdict == .fail ? [.bound] : []
                (row.worker, row.workload, row.fault) = (text, text, text)
                (row.trigger, row.planned) = (text, text)
                row.reason = verdict == .pass ? "" : text
                row.verdict = verdict
            }
        }
    }

    static func manifest(_ text: String) -> Manifest {
        makeRunManifest(worker: text, command: ["rig", text], host: text, source: text)
    }

    private static func junit(_ text: String) -> String {
        JUnitXML.text(
            ReportedRun(
                manifest: manifest(text), rows: rows(text), summary: summary(text), folder: text))
    }

    static func worker(_ text: String) -> WorkerListing {
        WorkerListing(
            WorkerProfile(name: text, about: text, command: [text], needs: [text]), missing: [text])
    }

    static func contract(_ text: String) -> ContractReport {
        ContractReport(worker: text, seed: 1, points: [ContractPoint(.completes, .fail, text)])
    }

    static func comparison(_ text: String) -> RunComparison {
        ComparisonReportTests.comparison(base: text, other: text + text, note: text)
    }

    static func selfCheck(_ text: String) -> SelfCheckReport {
        let arm = ControlArm(
            name: text, iterations: 1, inconclusive: 0, reports: [text],
            failure: PartFailure(part: text, reason: text, status: .failure))
        return SelfCheckReport(
            runID: text, seed: 1, clean: [arm], nullControl: arm,
            detections: [
                Detection(
                    bug: text, state: .notRun(text), iterations: 1, checkers: [], reason: text)
            ])
    }

    static func documented(_ text: String) -> DocumentedReport {
        DocumentedReport(
            runID: text, seed: 1, results: summary(text).promises,
            failures: [PartFailure(part: text, reason: text, status: .failure)],
            documented: DocumentedRow.Section.allCases.map { section in
                var row = DocumentedRow(section, text)
                (row.note, row.runs) = (text, [text])
                return row
            })
    }

    // MARK: CSV

    /// A CSV field reads back unchanged, formulas included, except for control characters.
    @Test(arguments: texts)
    func csvIsReadAsItWasWritten(text: String) throws {
        let rows = Self.rows(text, policy: "512KB")
        #expect(
            try IterationsCSV.read(IterationsCSV.text(rows).utf8).rows
                == Self.rows(text.storable, policy: "512KB"))
        let summary = Self.summary(text).policies
        let records = try CSVReader.read(SummaryCSV.text(summary).utf8).records
        #expect(records.map(\.fields.count) == [39, 39, 39])
        let stored = text.storable
        #expect(records[1].fields[1...3] == [stored, stored, stored])
        let compared = try CSVReader.read(ComparisonCSV.text(Self.comparison(text)).utf8).records
        #expect(compared.count == 4 && compared[1].fields[1] == stored)
    }

    // MARK: JSON

    static let json = [
        Renderer("summary.json") { SummaryJSON.text(summary($0)) },
        Renderer("manifest.json") { (try? ManifestJSON.text(manifest($0))) ?? "" },
        Renderer("workers --json") { WorkersJSON.text([worker($0)]) },
        Renderer("workers check --json") { ContractJSON.text(contract($0)) },
        Renderer("self-check.json") { SelfCheckJSON.text(selfCheck($0)) },
        Renderer("documented.json") { PromiseJSON.text(documented($0)) },
        Renderer("compare --json") { ComparisonJSON.text(comparison($0)) },
        Renderer("the event run") { RunEvents.run(manifest($0), folder: $0) },
        Renderer("the event row") { RunEvents.row(rows($0)[0]) },
    ]

    @Test(arguments: json, texts)
    func jsonKeepsTheText(renderer: Renderer, text: String) throws {
        let document = renderer.render(text)
        let object = try parsed(document)
        #expect(Self.strings(in: object).contains { Array($0.utf8) == Array(text.utf8) })
        guard renderer.testDescription.hasPrefix("the event") else { return }
        #expect(!document.contains("##["))
        #expect(document.hasSuffix("\n") && !document.dropLast().contains { $0.isNewline })
    }

    private static func strings(in value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(strings)
        case let object as [String: Any]: object.values.flatMap(strings)
        default: []
        }
    }

    // MARK: XML

    @Test(arguments: texts)
    func xmlReadsAsTheTextButForWhatXMLCannotHold(text: String) throws {
        let document = Self.junit(text)
        let read = try JUnitReading(document)
        let held = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    switch $0.value {
                    case 0...8, 0xB, 0xC, 0xE...0x1F, 0x7F...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
                    default: $0
                    }
                }))
        let audit = AuditReport(
            runID: "run", seed: 1, worker: "w",
            findings: [AuditFinding(AuditSituation.all[0], .fails(1, of: 2, reason: text))])
        let failures = try JUnitReading(AuditJUnit.text(audit)).cases.map { Array($0.message.utf8) }
        #expect(failures == [Array("1 of 2 kills failed: \(held)".utf8)])
        #expect(read.cases.contains { $0.name == "gate \(held)" })
        #expect(read.properties["worker"] == held)
        #expect(!document.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 })
    }

    @Test func theSchemaTakesEveryText() throws {
        let text = Self.texts.joined(separator: " ")
        let document = Self.junit(text)
        let outcome = try validate(document)
        #expect(outcome.status == 0, "\(outcome.words)")
    }

    // MARK: Markdown

    static let markdown = [
        Renderer("summary.md") { SummaryMarkdown.text(summary($0)) },
        Renderer("documented.md") { PromiseTable.markdown(documented($0)) },
        Renderer("self-check.md") { SelfCheckTable.markdown(selfCheck($0)) },
        Renderer("compare --markdown") { ComparisonMarkdown.text(comparison($0)) },
    ]

    @Test(arguments: markdown, texts)
    func markdownShowsTheText(renderer: Renderer, text: String) {
        let tame = renderer.render("tame")
        let wild = renderer.render(text)
        #expect(Self.activeMarks(wild) == Self.activeMarks(tame))
        #expect(!wild.contains { "\r\u{2028}\u{2029}".contains($0) })
        #expect(!wild.unicodeScalars.contains { Self.steers($0) && $0 != "\n" })
        expect(wild, lacks: "://", "www.")
        // A name outside an entity is followed by a zero-width space.
        #expect(!wild.replacing("@&#8203;", with: "").contains("@"))
        let lines = wild.split(separator: "\n", omittingEmptySubsequences: false)
        let ours = tame.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == ours.count)
        for (line, our) in zip(lines, ours) where our.hasPrefix("- tame") {
            let item = line.dropFirst(2)
            let isQuiet =
                item.isEmpty || item.first == "\u{200B}" || !" -+".contains(item.prefix(1))
            #expect(isQuiet, "\(line)")
            #expect(item.prefixMatch(of: /[0-9]+[.)]/) == nil, "\(line)")
        }
    }

    private static func activeMarks(_ text: String) -> [Character] {
        var marks: [Character] = []
        var isEscaped = false
        for character in text.replacing(/&#?[a-z0-9]+;/, with: "") {
            defer { isEscaped = !isEscaped && character == "\\" }
            if !isEscaped, "<>|`*_[]~#\n".contains(character) { marks.append(character) }
        }
        return marks
    }

    // MARK: terminals

    static let terminal = [
        Renderer("kill-test") { TerminalTable.text(summary($0), color: false) },
        Renderer("workers") { WorkersTable.text([worker($0)]) },
        Renderer("workers check") { ContractTable.text(contract($0)) },
        Renderer("self-check") { SelfCheckTable.text(selfCheck($0)) },
        Renderer("verify-claims") { PromiseTable.text(documented($0)) },
        Renderer("messages") { PrintableText.line($0) },
        Renderer("plan") { gate in
            PlanTable.text(
                PlanReportTests.preview(
                    gates: [GatePreview(gate: gate, iterationsNeeded: 1, objection: nil)]))
        },
        Renderer("compare") { ComparisonTable.text(comparison($0)) },
    ]

    @Test(arguments: terminal, texts)
    func aTerminalIsNotSteered(renderer: Renderer, text: String) {
        let wild = renderer.render(text)
        #expect(!wild.unicodeScalars.contains { Self.steers($0) && $0 != "\n" })
        #expect(lineCount(wild) == lineCount(renderer.render("tame")))
    }

    @Test func messagesOfSeveralLinesKeepThem() {
        #expect(PrintableText.lines("a\nb\u{1B}[2K\u{202E}\r\n") == "a\nb [2K  \n")
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028,
            0x2029, 0x61C:
            true
        default: false
        }
    }
}
