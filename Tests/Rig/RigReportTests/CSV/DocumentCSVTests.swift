import RigModel
import RigReport
import TestSupport
import Testing

struct DocumentedCSVTests {
    private static var amount: DocumentedRow {
        var row = DocumentedRow(.amount, "10MB")
        (row.runs, row.n, row.documentedLoss) = (["saved-10MB", "before-10MB"], 64, 3...5)
        (row.isHeld, row.note) = (false, "the loss is not held at its worst moment, but on average")
        row.figures = [
            .documentedBefore: 0, .before: 0, .documentedSaved: 9_961_472, .savedMean: 10_230_000,
            .savedLeast: 9_900_000, .documentedImprovement: 95, .improvementMean: 97.56,
            .improvementLeast: 94.41, .lossMean: 2.5, .lossLow: 2.1, .lossHigh: 2.9,
            .lossWorst: 5.584,
        ]
        return row
    }

    private static var unmeasured: DocumentedRow {
        var row = DocumentedRow(.ending, "out of memory")
        (row.note, row.figures) = ("not measured here", [.documentedLost: 524_288])
        return row
    }

    private static var retrieval: DocumentedRow {
        var row = DocumentedRow(.retrieval, "chunks")
        (row.n, row.isHeld) = (64, false)
        row.figures = [
            .stored: 3_000, .retrieved: 2_999, .documentedRetrieved: 100, .retrievedPercent: 99.967,
        ]
        return row
    }

    private static let rows = [amount, unmeasured, retrieval]

    @Test func aRowIsALineAndWhatIsNotKnownIsEmpty() {
        let lines = DocumentedCSV.text(Self.rows).split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(
            lines[0]
                == "schema,section,item,runs,n,documented_before_bytes,before_bytes,"
                + "documented_saved_bytes,saved_bytes_mean,saved_bytes_least,"
                + "documented_improvement_percent,improvement_percent_mean,"
                + "improvement_percent_least,loss_percent_mean,loss_percent_low,loss_percent_high,"
                + "loss_percent_worst,called,called_safe_bytes,saved_bytes,documented_lost_bytes,"
                + "lost_bytes,lost_bytes_most,stored,retrieved,documented_retrieved_percent,"
                + "retrieved_percent,documented_loss_percent,held,note")
        #expect(
            lines[1]
                == "1,amount,10MB,saved-10MB|before-10MB,64,0,0,9961472,10230000,9900000,95.000,"
                + "97.560,94.410,2.500,2.100,2.900,5.584,,,,,,,,,,,3-5,false,"
                + "\"the loss is not held at its worst moment, but on average\"")
        #expect(
            lines[2] == "1,ending,out of memory,,0,,,,,,,,,,,,,,,,524288,,,,,,,,,not measured here")
        #expect(lines[3].contains(",3000,2999,100.000,99.967,,false,"))
    }

    /// A column without an explanation is of no use to a reader.
    @Test func theDocumentationExplainsEveryColumn() throws {
        let page = try Checkout.text(of: "docs/reading-results.md")
        for name in DocumentedCSV.text([]).dropLast().split(separator: ",") {
            #expect(page.contains("`\(name)`"), "\(name)")
        }
    }

    /// 2,999 of 3,000 are not 100 %.
    @Test func thePageAndTheTextHaveTheSameTables() {
        let report = DocumentedReport(
            runID: "r", seed: 1, results: [], failures: [], documented: Self.rows)
        for text in [DocumentedPage.text(report), PromiseTable.markdown(report)] {
            for word in [
                "10MB", "95.0 %", "94.4 %", "3-5 %", "not held at its worst moment",
                "out of memory", "not measured here", "2999", "99.9 %",
            ] { #expect(text.contains(word), "\(word) in \(text)") }
        }
    }
}

struct LedgerCSVTests {
    private static let header =
        "life,first_byte,end_byte,served_bytes,received_bytes,acknowledged_bytes,recovered_bytes,active\n"

    private func evidence(
        served: [ServedRequest], witnessed: [WitnessedRequest]?, recovered: Range<Int64>? = nil,
        relaunched: [ServedRequest] = []
    ) -> IterationEvidence {
        let plan = KillPlan(
            seed: 1, iterations: 1, policies: [Policy(threshold: ByteSize(bytes: 100))],
            trigger: .bytes, videoLength: 1_000)
        return IterationEvidence(
            plan: plan.schedule[0], kill: 1, fault: .sigkill, videoLength: 1_000,
            death: .signaled(9), killSent: true, killSeconds: 0.1, killFraction: nil,
            requests: served,
            witness: witnessed.map { WitnessReading(phase: .receiving, commits: 1, requests: $0) },
            autopsy: recovered.map {
                Autopsy(
                    integrityCheck: "ok",
                    chunks: [StoredChunk(range: $0, checksumMatches: true, differingBytes: 0)],
                    claimedRanges: ByteRanges([$0]), firstDifference: nil)
            }, autopsyError: nil,
            resumption: relaunched.isEmpty
                ? nil
                : Resumption(
                    death: .exited(0), requests: relaunched, recoverySeconds: nil,
                    resumeSeconds: nil, differingBytes: 0, firstDifference: nil, complaint: nil))
    }

    @Test func eachRequestIsALine() {
        let text = LedgerCSV.text(
            evidence(
                served: [
                    ServedRequest(requested: 0..<2, servedBytes: 2),
                    ServedRequest(requested: 0..<1_000, servedBytes: 500),
                ],
                witnessed: [
                    WitnessedRequest(start: 0, received: 400, acknowledged: 300, isActive: true),
                    WitnessedRequest(start: 0, received: 2, acknowledged: 0, isActive: false),
                ], recovered: 0..<300,
                relaunched: [ServedRequest(requested: 300..<1_000, servedBytes: 700)]))
        #expect(
            text == Self.header + """
                killed,0,2,2,2,0,2,false
                killed,0,1000,500,400,300,300,true
                relaunched,300,1000,700,,,,

                """)
    }

    @Test func whatOnlyOneSideKnowsIsNotMadeUp() {
        let text = LedgerCSV.text(
            evidence(
                served: [ServedRequest(requested: 5..<9, servedBytes: 4)],
                witnessed: [
                    WitnessedRequest(start: 7, received: 1, acknowledged: 0, isActive: true)
                ]))
        #expect(text == Self.header + "killed,5,9,4,,,,\nkilled,7,,,1,0,,true\n")
    }

    /// A worker may write any values into its page, even ones that overflow.
    @Test func aPageThatSaysWhatCannotBeIsWrittenDown() {
        let text = LedgerCSV.text(
            evidence(
                served: [],
                witnessed: [
                    WitnessedRequest(
                        start: .max - 1, received: .max, acknowledged: -5, isActive: true)
                ], recovered: 0..<300))
        #expect(text.hasSuffix(",,,\(Int64.max),-5,0,true\n"))
    }

    @Test func withoutAPageTheOriginsWordIsThere() {
        let text = LedgerCSV.text(
            evidence(served: [ServedRequest(requested: 0..<9, servedBytes: 4)], witnessed: nil))
        #expect(text == Self.header + "killed,0,9,4,,,,\n")
    }
}
